-- Stores the first admin token, unless another one was stored before.
-- KEYS: the mark of the first admin, token   ARGV: token id, hash of the secret, owner
-- Returns 1, also to the same token again, or 0 when another token was first.
local first = redis.call('GET', KEYS[1])
if first and first ~= ARGV[1] then
  return 0
end
redis.call('SET', KEYS[1], ARGV[1])
redis.call('HSET', KEYS[2], 'hash', ARGV[2], 'owner', ARGV[3], 'bot', '', 'admin', 1)
return 1
