-- Count the result of a match, once: the result, the scores of its bots, the end of its pairing.
-- KEYS ladder, scores, results, pairings; ARGV token, match, result as JSON, then bot and score as
-- JSON in turn (none when the match is not rated).
-- Answers {word, results}: "fenced", "already" or "counted", and how many results there are then.
if tonumber(ARGV[1]) < (tonumber(redis.call('HGET', KEYS[1], 'fence')) or 0) then
  return {'fenced', 0}
end
redis.call('HSET', KEYS[1], 'fence', ARGV[1])
redis.call('HDEL', KEYS[4], ARGV[2])
if redis.call('HSETNX', KEYS[3], ARGV[2], ARGV[3]) == 0 then
  return {'already', redis.call('HLEN', KEYS[3])}
end
if #ARGV > 3 then
  redis.call('HINCRBY', KEYS[1], 'rated', 1)
end
for i = 4, #ARGV, 2 do
  redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1])
end
return {'counted', redis.call('HLEN', KEYS[3])}
