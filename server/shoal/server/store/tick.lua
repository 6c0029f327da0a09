-- Advances the clock of a partition and says whose deadline has come.
-- KEYS: deadlines, clock   ARGV: the most ids to return
-- Returns {now in ms, {match id...}}, the longest overdue first.
local now = partition_time(KEYS[2])
return {now, redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, ARGV[1])}
