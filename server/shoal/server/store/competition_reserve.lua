-- Commit blocks, each with the reserved id of its next match; without any it only shuts out the directors
-- before this one.
-- KEYS competition, blocks, finished, matches; ARGV token, rev that was read ("" any), then of each block its key,
-- what it was as JSON ("" it begins now), what it is as JSON, and its match.
-- Answers "fenced", "stale" (something has changed since it was read, it does not run, or it runs out and so
-- nothing begins) or "done"; a second time is done too.
local head = redis.call('HMGET', KEYS[1], 'fence', 'state', 'rev')
if tonumber(ARGV[1]) < (tonumber(head[1]) or 0) then
  return 'fenced'
end
redis.call('HSET', KEYS[1], 'fence', ARGV[1])
if #ARGV == 2 then
  return 'done'
end
if head[2] ~= 'running' and head[2] ~= 'draining' or ARGV[2] ~= '' and ARGV[2] ~= head[3] then
  return 'stale'
end
for i = 3, #ARGV, 4 do
  local key, before = ARGV[i], ARGV[i + 1]
  local known = redis.call('HGET', KEYS[2], key) or ''
  if known ~= ARGV[i + 2] then
    if known ~= before then
      return 'stale'
    end
    if before == '' and (head[2] ~= 'running' or redis.call('HEXISTS', KEYS[3], key) == 1) then
      return 'stale'
    end
  end
end
for i = 3, #ARGV, 4 do
  redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 2])
  redis.call('HSET', KEYS[4], ARGV[i + 3], ARGV[i])
  if redis.call('HGET', KEYS[1], 'forced') == ARGV[i] then
    redis.call('HDEL', KEYS[1], 'forced')
  end
end
return 'done'
