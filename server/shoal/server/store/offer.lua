-- Makes a bot available that has no stream, by what it offered when it polled.
-- KEYS: stream   ARGV: max_matches, rulesets, seats, ttl_ms, channel, process (where the poll waits), bot
-- Returns 1, or 0 when it has a stream: then that one's offer counts.
local known = redis.call('HMGET', KEYS[1], 'process', 'max_matches', 'rulesets', 'seats')
if known[1] and known[1] ~= '' then
  return 0
end
redis.call('HSET', KEYS[1], 'process', '', 'epoch', 0, 'polls', ARGV[6],
  'version', '', 'max_matches', ARGV[1], 'rulesets', ARGV[2], 'seats', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
if known[2] ~= ARGV[1] or known[3] ~= ARGV[2] or known[4] ~= ARGV[3] then
  redis.pcall('PUBLISH', ARGV[5], ARGV[7])
end
return 1
