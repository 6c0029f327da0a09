-- Enter a bot into a ladder and ring the director's bell.
-- KEYS ladder, members; ARGV bot, member as JSON, channel.
-- Answers "unknown", "already" or "done".
if redis.call('HEXISTS', KEYS[1], 'spec') == 0 then
  return 'unknown'
end
if redis.call('HGET', KEYS[2], ARGV[1]) == ARGV[2] then
  return 'already'
end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
redis.pcall('PUBLISH', ARGV[3], '')
return 'done'
