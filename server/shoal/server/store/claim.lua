-- Makes a process the owner of a bot's stream, whoever was it before.
-- KEYS: stream, bot   ARGV: process, max_matches, rulesets, seats, ttl_ms, channel...
-- Returns the epoch: it grows with every claim and outlives the stream, as part of the bot; so does the
-- name of the process, which tells later whether it was us who went away, or the bot.
local epoch = redis.call('HINCRBY', KEYS[2], 'epoch', 1)
redis.call('HSET', KEYS[1], 'process', ARGV[1], 'epoch', epoch,
  'max_matches', ARGV[2], 'rulesets', ARGV[3], 'seats', ARGV[4])
redis.call('HSET', KEYS[2], 'process', ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[5])
for i = 6, #ARGV do
  redis.pcall('PUBLISH', ARGV[i], '')
end
return epoch
