-- Give a challenge that waits its end.
-- KEYS challenge; ARGV state, objections as JSON.
-- Answers the state that it has then, which is another one if it did not wait any more; "" if it is not there.
local state = redis.call('HGET', KEYS[1], 'state')
if state ~= 'pending' then
  return state or ''
end
redis.call('HSET', KEYS[1], 'state', ARGV[1], 'objections', ARGV[2])
return ARGV[1]
