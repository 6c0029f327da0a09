-- Milliseconds since each process last said that it is alive: time during which the store was away does
-- not count. As {process, milliseconds, ...}; those silent for an hour are forgotten.
local function silences(processes, now)
  local told = redis.call('HGETALL', processes)
  local known = {}
  for i = 1, #told, 2 do
    local silent = now - tonumber(told[i + 1])
    if silent > 3600000 then
      redis.call('HDEL', processes, told[i])
    else
      known[#known + 1] = told[i]
      known[#known + 1] = math.max(0, silent)
    end
  end
  return known
end

