-- Count the result of a match, once: the result, the scores of its bots, the end of its pairing.
-- KEYS ladder, scores, results, pairings; ARGV token, match, result as JSON, the result that it takes the
-- place of ('': none, it is the first), by how many the count of rated matches changes, then bot and score
-- as JSON in turn.
-- Answers {word, results}: "fenced", "already" or "counted", and how many results there are then.
if tonumber(ARGV[1]) < (tonumber(redis.call('HGET', KEYS[1], 'fence')) or 0) then
  return {'fenced', 0}
end
redis.call('HSET', KEYS[1], 'fence', ARGV[1])
redis.call('HDEL', KEYS[4], ARGV[2])
if (redis.call('HGET', KEYS[3], ARGV[2]) or '') ~= ARGV[4] then
  return {'already', redis.call('HLEN', KEYS[3])}
end
redis.call('HSET', KEYS[3], ARGV[2], ARGV[3])
redis.call('HINCRBY', KEYS[1], 'rated', ARGV[5])
for i = 6, #ARGV, 2 do
  redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1])
end
return {'counted', redis.call('HLEN', KEYS[3])}
