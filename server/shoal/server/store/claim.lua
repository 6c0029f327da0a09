-- Makes a process the owner of a bot's stream, whoever was it before; but nobody who has missed a claim.
-- KEYS: stream, bot
-- ARGV: process, max_matches, rulesets, seats, ttl_ms, known, id, version, bot, channel...
-- `known` is the epoch that the caller has seen, '' for whatever it is; `id` is of this one claim, which
-- may come twice. Returns the new epoch, or 0 when it is another one than known.
-- The epoch grows with every claim and outlives the stream, as part of the bot; so does the name of the
-- process, which tells later whether it was us who went away, or the bot.
local epoch = tonumber(redis.call('HGET', KEYS[2], 'epoch') or 0)
if redis.call('HGET', KEYS[1], 'claim') == ARGV[7] then
  return epoch
end
if ARGV[6] ~= '' and tonumber(ARGV[6]) ~= epoch then
  return 0
end
epoch = redis.call('HINCRBY', KEYS[2], 'epoch', 1)
redis.call('HSET', KEYS[1], 'process', ARGV[1], 'epoch', epoch, 'claim', ARGV[7],
  'max_matches', ARGV[2], 'rulesets', ARGV[3], 'seats', ARGV[4], 'version', ARGV[8])
redis.call('HSET', KEYS[2], 'process', ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[5])
for i = 10, #ARGV do
  redis.pcall('PUBLISH', ARGV[i], ARGV[9])
end
return epoch
