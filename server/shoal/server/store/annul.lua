-- Takes a match that is void after all from the live ones of a bot, and lets the bot's streams tell it so.
-- KEYS: live, annulled   ARGV: match, seconds for which new streams are told of it, channel of the bot
redis.call('SREM', KEYS[1], ARGV[1])
redis.call('SADD', KEYS[2], ARGV[1])
redis.call('EXPIRE', KEYS[2], ARGV[2])
redis.pcall('PUBLISH', ARGV[3], '')
return 1
