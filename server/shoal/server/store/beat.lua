-- Notes that a process is alive, and says how long ago each of them last said so: time during which the
-- store was away does not count.
-- KEYS: processes, clock   ARGV: process (empty: only asks)
-- Returns {process, milliseconds, ...}. Those silent for an hour are forgotten.
local now = partition_time(KEYS[2])
if ARGV[1] ~= '' then
  redis.call('HSET', KEYS[1], ARGV[1], string.format('%d', now))
end
local told = redis.call('HGETALL', KEYS[1])
for i = 2, #told, 2 do
  local age = now - tonumber(told[i])
  if age > 3600000 then
    redis.call('HDEL', KEYS[1], told[i - 1])
  end
  told[i] = math.max(0, age)
end
return told
