-- Notes that a bot's poll was answered: from then on it is not the process that keeps the bot waiting.
-- KEYS: stream   ARGV: process   Returns 1, or 0 when a poll waits elsewhere, or none does.
if redis.call('HGET', KEYS[1], 'polls') ~= ARGV[1] then
  return 0
end
return redis.call('HDEL', KEYS[1], 'polls')
