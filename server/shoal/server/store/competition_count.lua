-- Count the result of a match, once: the result, the scores of its bots, what becomes of its block.
-- KEYS competition, scores, results, matches, blocks, finished; ARGV token, match, result as JSON, block
-- key ("" none), block as JSON, "1" if the block is over, its next match ("" none), "1" if what is due
-- depends on it, then bot and score as JSON in turn (none when the match is not rated).
-- Answers "fenced", or the rev that the competition has then; 0 if it was counted before.
if tonumber(ARGV[1]) < (tonumber(redis.call('HGET', KEYS[1], 'fence')) or 0) then
  return 'fenced'
end
redis.call('HSET', KEYS[1], 'fence', ARGV[1])
if redis.call('HSETNX', KEYS[3], ARGV[2], ARGV[3]) == 0 then
  return 0
end
local key = ARGV[4]
if key ~= '' and ARGV[6] == '1' then
  redis.call('HDEL', KEYS[5], key)
  redis.call('HSET', KEYS[6], key, ARGV[5])
  if ARGV[8] == '1' then
    redis.call('HINCRBY', KEYS[1], 'rev', 1)
  end
elseif key ~= '' then
  redis.call('HSET', KEYS[5], key, ARGV[5])
  if ARGV[7] ~= '' then
    redis.call('HSET', KEYS[4], ARGV[7], key)
  end
end
if #ARGV > 8 then
  redis.call('HINCRBY', KEYS[1], 'rated', 1)
end
for i = 9, #ARGV, 2 do
  redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1])
end
return tonumber(redis.call('HGET', KEYS[1], 'rev'))
