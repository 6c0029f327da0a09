-- Put the scores of a competition in the place of those that it has, as they were computed again from its
-- results, and change the blocks that concerns.
-- KEYS competition, scores, blocks, finished, audit, order, uncounted, ledger, next ledger; ARGV token, number of the rulings that were
-- heeded, how many rated matches count, keys of the blocks that are over and do not count as JSON, line for the audit
-- list, how many scores follow, bot and score as JSON in turn, then of each block in play its key, what it
-- was and what it is as JSON, "1" if it is over.
-- Answers "fenced", "stale" (a block has gone on) or "done"; a second time is done too.
if tonumber(ARGV[1]) < (tonumber(redis.call('HGET', KEYS[1], 'fence')) or 0) then
  return 'fenced'
end
redis.call('HSET', KEYS[1], 'fence', ARGV[1])
if redis.call('HGET', KEYS[1], 'recounted') == ARGV[2] then
  return 'done'
end
local first = 7 + 2 * tonumber(ARGV[6])
for i = first, #ARGV, 4 do
  if redis.call('HGET', KEYS[3], ARGV[i]) ~= ARGV[i + 1] then
    return 'stale'
  end
end
redis.call('DEL', KEYS[2])
for i = 7, first - 1, 2 do
  redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1])
end
for i = first, #ARGV, 4 do
  if ARGV[i + 3] == '1' then
    redis.call('HDEL', KEYS[3], ARGV[i])
    redis.call('HSET', KEYS[4], ARGV[i], ARGV[i + 2])
    redis.call('RPUSH', KEYS[6], 'b' .. ARGV[i])
  else
    redis.call('HSET', KEYS[3], ARGV[i], ARGV[i + 2])
  end
end
redis.call('HSET', KEYS[1], 'recounted', ARGV[2], 'rated', ARGV[3])
redis.call('DEL', KEYS[7])
for _, key in ipairs(cjson.decode(ARGV[4])) do
  redis.call('SADD', KEYS[7], key)
end
if redis.call('EXISTS', KEYS[9]) == 1 then
  redis.call('RENAME', KEYS[9], KEYS[8])
else
  redis.call('DEL', KEYS[8])
end
redis.call('HINCRBY', KEYS[1], 'rev', 1)
redis.call('RPUSH', KEYS[5], ARGV[5])
return 'done'
