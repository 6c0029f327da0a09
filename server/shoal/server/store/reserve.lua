-- Remembers a caller's request, or says what is remembered of it.
-- KEYS: request   ARGV: hash of the body, reserved, ttl_ms
-- Returns {1} when it is new, else {0, hash, reserved, answer or nil}.
local known = redis.call('HMGET', KEYS[1], 'hash', 'reserved', 'answer')
if known[1] then
  return {0, known[1], known[2], known[3]}
end
redis.call('HSET', KEYS[1], 'hash', ARGV[1], 'reserved', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return {1}
