-- Note results without luck, each once, and that they are there: a table that is made from here on has them.
-- KEYS competition, results, luck, order; ARGV token, match and what is noted of it as JSON in turn.
-- Answers "fenced" or "done"; a second time is done too.
if tonumber(ARGV[1]) < (tonumber(redis.call('HGET', KEYS[1], 'fence')) or 0) then
  return 'fenced'
end
redis.call('HSET', KEYS[1], 'fence', ARGV[1])
for i = 2, #ARGV, 2 do
  if redis.call('HEXISTS', KEYS[2], ARGV[i]) == 1 and redis.call('HSETNX', KEYS[3], ARGV[i], ARGV[i + 1]) == 1 then
    redis.call('RPUSH', KEYS[4], 'l' .. ARGV[i])
  end
end
return 'done'
