-- Says how long the processes that tick a partition have been silent there.
-- KEYS: processes, clock   Returns {now in ms, {process, milliseconds...}}.
local now = partition_time(KEYS[2])
return {now, silences(KEYS[1], now)}
