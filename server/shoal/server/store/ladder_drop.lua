-- Take back a pairing that could not be made into a match.
-- KEYS ladder, pairings; ARGV token, match.
-- Answers "fenced" or "done".
if tonumber(ARGV[1]) < (tonumber(redis.call('HGET', KEYS[1], 'fence')) or 0) then
  return 'fenced'
end
redis.call('HSET', KEYS[1], 'fence', ARGV[1])
redis.call('HDEL', KEYS[2], ARGV[2])
return 'done'
