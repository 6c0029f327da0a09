-- Take a finished match out of the store: it is in the archive.
-- KEYS match, log, matches, deadlines, archive of the partition; ARGV token, match, rev that is in the archive,
-- where the archive is.
-- Answers "fenced", "changed" (it is not over, or another course of it is here), "gone" or "done".
if tonumber(ARGV[1]) < (tonumber(redis.call('HGET', KEYS[5], 'fence')) or 0) then
  return 'fenced'
end
redis.call('HSET', KEYS[5], 'fence', ARGV[1])
local known = redis.call('HMGET', KEYS[1], 'status', 'rev')
if known[1] and (known[1] ~= 'finished' or known[2] ~= ARGV[3]) then
  return 'changed'
end
redis.call('HSET', KEYS[5], 'place', ARGV[4])
local made = string.sub(ARGV[2], 3, 14)
if made > (redis.call('HGET', KEYS[5], 'until') or '') then
  redis.call('HSET', KEYS[5], 'until', made)
end
redis.call('UNLINK', KEYS[1], KEYS[2])
redis.call('ZREM', KEYS[3], ARGV[2])
redis.call('ZREM', KEYS[4], ARGV[2])
return known[1] and 'done' or 'gone'
