-- Partition time in ms: TIME less `paused`. Any gap of over 2000 ms since `last`, and any jump
-- back, is added to `paused` first: whatever runs first after an outage, nobody is charged for it.
-- Also returns `paused`, and what partition time was when that was last added to.
local function partition_time(clock)
  local time = redis.call('TIME')
  local wall = time[1] * 1000 + math.floor(time[2] / 1000)
  local known = redis.call('HMGET', clock, 'paused', 'last', 'paused_at')
  local paused = tonumber(known[1] or 0)
  local paused_at = tonumber(known[3] or 0)
  local gap = wall - tonumber(known[2] or wall)
  if gap > 2000 or gap < 0 then
    paused = paused + gap
    paused_at = wall - paused
    redis.call('HSET', clock, 'paused', string.format('%d', paused), 'paused_at', string.format('%d', paused_at))
  end
  redis.call('HSET', clock, 'last', string.format('%d', wall))
  return wall - paused, paused, paused_at
end

