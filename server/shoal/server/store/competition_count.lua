-- Count the result of a match, once: the result, the scores of its bots, what becomes of its block.
-- KEYS competition, scores, results, matches, blocks, finished, order, ledger; ARGV token, match, result as JSON, the result
-- that it takes the place of ("" none, it is the first), by how many the count of rated matches changes,
-- block key ("" none), block as JSON, "1" if the block is over, its next match ("" none), "1" if what is due
-- depends on it, rev that was read, what the match did to ratings as JSON ("" nothing), then bot and score as JSON
-- in turn (none when the match is not rated).
-- Answers "fenced", "stale" (it takes the place of another, and the block has gone on to another match; or
-- another match is to follow, and something has changed since it was read that may forbid it), or
-- the rev that the competition has then, 0 if it was counted before, and how many results it has.
if tonumber(ARGV[1]) < (tonumber(redis.call('HGET', KEYS[1], 'fence')) or 0) then
  return 'fenced'
end
redis.call('HSET', KEYS[1], 'fence', ARGV[1])
if (redis.call('HGET', KEYS[3], ARGV[2]) or '') ~= ARGV[4] then
  return {0, redis.call('HLEN', KEYS[3])}
end
local key = ARGV[6]
if key ~= '' and ARGV[4] ~= '' then
  local block = redis.call('HGET', KEYS[5], key)
  if not block or cjson.decode(block).match ~= ARGV[9] then
    return 'stale'
  end
end
if key ~= '' and ARGV[4] == '' and ARGV[9] ~= '' and ARGV[11] ~= redis.call('HGET', KEYS[1], 'rev') then
  return 'stale'
end
redis.call('HSET', KEYS[3], ARGV[2], ARGV[3])
redis.call('RPUSH', KEYS[7], 'm' .. ARGV[2])
if key ~= '' and ARGV[8] == '1' then
  redis.call('HDEL', KEYS[5], key)
  redis.call('HSET', KEYS[6], key, ARGV[7])
  redis.call('RPUSH', KEYS[7], 'b' .. key)
  if ARGV[10] == '1' then
    redis.call('HINCRBY', KEYS[1], 'rev', 1)
  end
elseif key ~= '' then
  redis.call('HSET', KEYS[5], key, ARGV[7])
  if ARGV[9] ~= '' then
    redis.call('HSET', KEYS[4], ARGV[9], key)
  end
end
if ARGV[5] ~= '0' then
  redis.call('HINCRBY', KEYS[1], 'rated', ARGV[5])
end
if ARGV[12] ~= '' then
  redis.call('HSET', KEYS[8], ARGV[2], ARGV[12])
else
  redis.call('HDEL', KEYS[8], ARGV[2])
end
for i = 13, #ARGV, 2 do
  redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1])
end
return {tonumber(redis.call('HGET', KEYS[1], 'rev')), redis.call('HLEN', KEYS[3])}
