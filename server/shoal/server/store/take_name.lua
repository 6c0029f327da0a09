-- Gives a bot's name to another id, if it is still that of the id that was looked at.
-- KEYS: name   ARGV: holder, bot id
-- Returns 1 when the name is the bot's now, else 0.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
redis.call('SET', KEYS[1], ARGV[2])
return 1
