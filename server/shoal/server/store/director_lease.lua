-- Take or keep the lease of the director.
-- KEYS lease; ARGV holder, ttl in ms, token that is held ("0" to take it anew).
-- Answers {token, ms until the lease of somebody else ends}: one of them is 0.
-- A token is never given twice; a lease that ended may be kept on as long as nobody took it.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local lease = redis.call('HMGET', KEYS[1], 'holder', 'token', 'until')
local mine = lease[1] == ARGV[1]
local token = tonumber(lease[2]) or 0
local left = math.max((tonumber(lease[3]) or 0) - now, 0)

if ARGV[3] ~= '0' then
  if not mine or lease[2] ~= ARGV[3] then
    return {0, left}
  end
elseif left > 0 and not mine then
  return {0, left}
else
  token = token + 1
end
redis.call('HSET', KEYS[1], 'holder', ARGV[1], 'token', string.format('%d', token),
  'until', string.format('%d', now + ARGV[2]))
return {token, 0}
