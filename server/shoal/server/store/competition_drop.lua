-- Take back a reserved match that could not be made, and with it its block or only its turn.
-- KEYS competition, blocks, matches; ARGV token, block key, block as JSON ("" is taken back), match.
-- Answers "fenced" or "done".
if tonumber(ARGV[1]) < (tonumber(redis.call('HGET', KEYS[1], 'fence')) or 0) then
  return 'fenced'
end
redis.call('HSET', KEYS[1], 'fence', ARGV[1])
if redis.call('HDEL', KEYS[3], ARGV[4]) == 0 then
  return 'done'
end
if ARGV[3] == '' then
  redis.call('HDEL', KEYS[2], ARGV[2])
else
  redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])
end
return 'done'
