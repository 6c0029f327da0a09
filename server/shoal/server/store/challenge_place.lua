-- Take one of the places that an owner has for challenges that wait; a second time changes nothing.
-- KEYS places of the owner; ARGV challenge, wall time in ms, when it waits no more at the latest, how many places there
-- are, after how many ms without a further one the key goes.
-- Answers 1, or 0 if all are taken.
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[2])
if not redis.call('ZSCORE', KEYS[1], ARGV[1]) and redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[4]) then
  return 0
end
redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[5])
return 1
