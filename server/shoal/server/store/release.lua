-- Ends the ownership of a bot's stream, for its owner only.
-- KEYS: stream, bot   ARGV: process, epoch, left ('1': the bot has gone by itself), ago_ms (since when not)
-- Returns 1, or 0 when somebody else owns it. Who it was that went is left with the bot, and when we did.
local owner = redis.call('HMGET', KEYS[1], 'process', 'epoch')
if owner[1] ~= ARGV[1] or owner[2] ~= ARGV[2] then
  return 0
end
if ARGV[3] == '1' then
  redis.call('HSET', KEYS[2], 'left', ARGV[2])
else
  local time = redis.call('TIME')
  local cut = time[1] * 1000 + math.floor(time[2] / 1000) - tonumber(ARGV[4])
  redis.call('HSET', KEYS[2], 'cut_epoch', ARGV[2], 'cut_ms', string.format('%d', cut))
end
return redis.call('DEL', KEYS[1])
