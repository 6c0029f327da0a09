-- Make a competition; a second time changes nothing.
-- KEYS competition, audit; ARGV specification as JSON, state, wall time in ms, line for the audit list.
-- Answers "done" or "already".
if redis.call('HSETNX', KEYS[1], 'spec', ARGV[1]) == 0 then
  return 'already'
end
redis.call('HSET', KEYS[1], 'state', ARGV[2], 'rev', 1, 'entered', 0, 'created', ARGV[3])
if ARGV[2] == 'running' then
  redis.call('HSET', KEYS[1], 'started', ARGV[3])
end
redis.call('RPUSH', KEYS[2], ARGV[4])
return 'done'
