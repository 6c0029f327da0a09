-- Change the state of a competition as its plan or the time asks.
-- KEYS competition, audit, blocks; ARGV token, rev that was read, state, why it is over, wall time in ms, line for
-- the audit list.
-- Answers "fenced", "stale", "already" or "done".
local head = redis.call('HMGET', KEYS[1], 'fence', 'state', 'rev')
if tonumber(ARGV[1]) < (tonumber(head[1]) or 0) then
  return 'fenced'
end
redis.call('HSET', KEYS[1], 'fence', ARGV[1])
if head[2] == ARGV[3] then
  return 'already'
end
if head[3] ~= ARGV[2] then
  return 'stale'
end
redis.call('HINCRBY', KEYS[1], 'rev', 1)
redis.call('HSET', KEYS[1], 'state', ARGV[3], 'ended', ARGV[4])
if ARGV[3] == 'running' then
  redis.call('HSETNX', KEYS[1], 'started', ARGV[5])
else
  -- What was to begin next has no match yet, and is taken back.
  local forced = redis.call('HGET', KEYS[1], 'forced')
  if forced then
    redis.call('HDEL', KEYS[3], forced)
    redis.call('HDEL', KEYS[1], 'forced')
  end
end
redis.call('RPUSH', KEYS[2], ARGV[6])
return 'done'
