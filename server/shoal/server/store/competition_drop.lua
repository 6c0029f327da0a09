-- Take back a reserved match that could not be made, and with it its block or only its turn.
-- KEYS competition, blocks, matches; ARGV token, block key, what it was as JSON, what it is as JSON ("" is
-- taken back), match ("" if the block has none yet).
-- Answers "fenced", "stale" (the block has changed since it was read) or "done"; a second time is done too.
if tonumber(ARGV[1]) < (tonumber(redis.call('HGET', KEYS[1], 'fence')) or 0) then
  return 'fenced'
end
redis.call('HSET', KEYS[1], 'fence', ARGV[1])
if ARGV[5] ~= '' and redis.call('HEXISTS', KEYS[3], ARGV[5]) == 0 then
  return 'done'
end
if redis.call('HGET', KEYS[2], ARGV[2]) ~= ARGV[3] then
  return 'stale'
end
redis.call('HDEL', KEYS[3], ARGV[5])
if ARGV[4] == '' then
  redis.call('HDEL', KEYS[2], ARGV[2])
  if redis.call('HGET', KEYS[1], 'forced') == ARGV[2] then
    redis.call('HDEL', KEYS[1], 'forced')
  end
else
  redis.call('HSET', KEYS[2], ARGV[2], ARGV[4])
end
return 'done'
