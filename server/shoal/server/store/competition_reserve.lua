-- Commit blocks, each with the reserved id of its next match; without any it only shuts out the directors
-- before this one.
-- KEYS competition, blocks, finished, matches, results; ARGV token, rev that was read ("" any), then block
-- key, block as JSON and match in turn.
-- Answers "fenced", "stale" (something has changed since it was read, or it does not run) or "done".
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
for i = 3, #ARGV, 3 do
  local over = redis.call('HEXISTS', KEYS[3], ARGV[i]) == 1
    or redis.call('HEXISTS', KEYS[5], ARGV[i + 2]) == 1
  if not over then
    redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1])
    redis.call('HSET', KEYS[4], ARGV[i + 2], ARGV[i])
  end
  if redis.call('HGET', KEYS[1], 'forced') == ARGV[i] then
    redis.call('HDEL', KEYS[1], 'forced')
  end
end
return 'done'
