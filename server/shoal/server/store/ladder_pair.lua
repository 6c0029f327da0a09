-- Commit pairings; without any it only shuts out the directors before this one.
-- KEYS ladder, pairings, results; ARGV token, then match and pairing as JSON in turn.
-- Answers "fenced" or "done".
if tonumber(ARGV[1]) < (tonumber(redis.call('HGET', KEYS[1], 'fence')) or 0) then
  return 'fenced'
end
redis.call('HSET', KEYS[1], 'fence', ARGV[1])
for i = 2, #ARGV, 2 do
  if redis.call('HEXISTS', KEYS[3], ARGV[i]) == 0 then
    redis.call('HSETNX', KEYS[2], ARGV[i], ARGV[i + 1])
  end
end
return 'done'
