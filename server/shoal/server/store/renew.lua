-- Extends the ownership of a bot's stream, for its owner only.
-- KEYS: stream   ARGV: process, epoch, ttl_ms   Returns 1, or 0 when somebody else owns it.
local owner = redis.call('HMGET', KEYS[1], 'process', 'epoch')
if owner[1] ~= ARGV[1] or owner[2] ~= ARGV[2] then
  return 0
end
return redis.call('PEXPIRE', KEYS[1], ARGV[3])
