-- Make a competition; a second time changes nothing.
-- KEYS competition, audit; ARGV specification as JSON, state, wall time in ms, line for the audit list, a mark of
-- the one who makes it.
-- Answers the mark of the one who has made it: it may be asked again by one whose answer was lost.
if redis.call('HSETNX', KEYS[1], 'spec', ARGV[1]) == 0 then
  return redis.call('HGET', KEYS[1], 'maker') or ''
end
redis.call('HSET', KEYS[1], 'state', ARGV[2], 'rev', 1, 'entered', 0, 'created', ARGV[3], 'maker', ARGV[5])
if ARGV[2] == 'running' then
  redis.call('HSET', KEYS[1], 'started', ARGV[3])
end
redis.call('RPUSH', KEYS[2], ARGV[4])
return ARGV[5]
