-- Make a challenge; a second time changes nothing.
-- KEYS challenge; ARGV challenge as JSON, state, objections as JSON, channel of the director.
-- Answers 1, or 0 if it was there.
if redis.call('HSETNX', KEYS[1], 'body', ARGV[1]) == 0 then
  return 0
end
redis.call('HSET', KEYS[1], 'state', ARGV[2], 'objections', ARGV[3])
redis.pcall('PUBLISH', ARGV[4], '')
return 1
