-- Ends the ownership of a bot's stream, for its owner only.
-- KEYS: stream, bot   ARGV: process, epoch, left ('1': the bot has gone by itself)
-- Returns 1, or 0 when somebody else owns it.
local owner = redis.call('HMGET', KEYS[1], 'process', 'epoch')
if owner[1] ~= ARGV[1] or owner[2] ~= ARGV[2] then
  return 0
end
if ARGV[3] == '1' then
  redis.call('HSET', KEYS[2], 'left', ARGV[2])
end
return redis.call('DEL', KEYS[1])
