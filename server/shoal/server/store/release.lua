-- Ends the ownership of a bot's stream, for its owner only.
-- KEYS: stream, bot, clock
-- ARGV: process, epoch, left ('1': the bot has gone by itself), ago_ms (since when not)
-- Returns 1, or 0 when somebody else owns it. Who it was that went is left with the bot, and when we did: in
-- partition time, so that no outage is part of what the bot was away for.
local owner = redis.call('HMGET', KEYS[1], 'process', 'epoch')
if owner[1] ~= ARGV[1] or owner[2] ~= ARGV[2] then
  return 0
end
if ARGV[3] == '1' then
  redis.call('HSET', KEYS[2], 'left', ARGV[2])
else
  local since = partition_time(KEYS[3]) - tonumber(ARGV[4])
  redis.call('HSET', KEYS[2], 'sent_epoch', ARGV[2], 'sent_ms', string.format('%d', since))
end
return redis.call('DEL', KEYS[1])
