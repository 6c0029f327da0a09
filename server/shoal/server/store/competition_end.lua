-- End a block that no match is played of: what there was of it counts as it is said.
-- KEYS competition, blocks, finished, order; ARGV token, block key, what it was as JSON ("" it has not begun), block
-- as JSON, "1" if what is due depends on it.
-- Answers "fenced", "stale" (the block has changed since it was read), or the rev that the competition has then;
-- 0 if it is over already.
if tonumber(ARGV[1]) < (tonumber(redis.call('HGET', KEYS[1], 'fence')) or 0) then
  return 'fenced'
end
redis.call('HSET', KEYS[1], 'fence', ARGV[1])
local known = redis.call('HGET', KEYS[2], ARGV[2])
if not known and (ARGV[3] ~= '' or redis.call('HEXISTS', KEYS[3], ARGV[2]) == 1) then
  return 0
end
if (known or '') ~= ARGV[3] then
  return 'stale'
end
redis.call('HDEL', KEYS[2], ARGV[2])
if redis.call('HGET', KEYS[1], 'forced') == ARGV[2] then
  redis.call('HDEL', KEYS[1], 'forced')
end
redis.call('HSET', KEYS[3], ARGV[2], ARGV[4])
redis.call('RPUSH', KEYS[4], 'b' .. ARGV[2])
return redis.call('HINCRBY', KEYS[1], 'rev', tonumber(ARGV[5]))
