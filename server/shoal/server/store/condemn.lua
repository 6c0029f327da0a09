-- Notes that a match cannot be counted: from now on it takes nothing but its void, whoever commits.
-- It is due at once, so that any server that sweeps ends it, also when the one that noted it dies.
-- KEYS: match, deadlines   ARGV: id, reason   Returns 1, or 0 when it is over or not there.
local status = redis.call('HGET', KEYS[1], 'status')
if not status or status == 'finished' then
  return 0
end
redis.call('HSETNX', KEYS[1], 'condemned', ARGV[2])
redis.call('ZADD', KEYS[2], 0, ARGV[1])
return 1
