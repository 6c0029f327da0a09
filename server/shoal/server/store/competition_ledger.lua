-- Put lines of a ledger together, which is to take the place of the one that a competition has.
-- KEYS competition, next ledger; ARGV token, "1" to begin anew, match and line in turn.
-- Answers "fenced" or "done"; a second time is done too.
if tonumber(ARGV[1]) < (tonumber(redis.call('HGET', KEYS[1], 'fence')) or 0) then
  return 'fenced'
end
redis.call('HSET', KEYS[1], 'fence', ARGV[1])
if ARGV[2] == '1' then
  redis.call('DEL', KEYS[2])
end
for i = 3, #ARGV, 2 do
  redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1])
end
return 'done'
