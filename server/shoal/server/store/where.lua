-- Says where a bot's stream is, and where it was last; of one that polls, where a poll of it waits.
-- KEYS: stream, bot, clock
-- Returns {process or '-', last process or '-', left ('1' or '0'), ms since we ended it or -1, epoch}.
local process = redis.call('HGET', KEYS[1], 'process') or '-'
local bot = redis.call('HMGET', KEYS[2], 'process', 'epoch', 'left', 'sent_epoch', 'sent_ms')
local epoch = tonumber(bot[2] or 0)
if process == '' then
  return {process, redis.call('HGET', KEYS[1], 'polls') or '-', '0', -1, epoch}
end
local away = -1
if bot[4] and bot[4] == bot[2] then
  away = math.max(0, partition_time(KEYS[3]) - tonumber(bot[5]))
end
return {process, bot[1] or '-', bot[3] and bot[3] == bot[2] and '1' or '0', away, epoch}
