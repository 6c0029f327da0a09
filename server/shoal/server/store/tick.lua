-- Advances the clock of a partition, notes that a process is alive there, and says whose deadline has come.
-- KEYS: deadlines, clock, processes   ARGV: the most ids to return, process (empty: none is alive by this)
-- Returns {now in ms, {match id...}, {process, milliseconds...}, paused in ms, paused at}, the longest overdue
-- first. The silences are those before this tick, so that a process knows its own too; they are told only where
-- something is due. What `paused` is: clock.lua.
local now, paused, paused_at = partition_time(KEYS[2])
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, ARGV[1])
local silent = #due > 0 and silences(KEYS[3], now) or {}
if ARGV[2] ~= '' then
  redis.call('HSET', KEYS[3], ARGV[2], string.format('%d', now))
end
return {now, due, silent, paused, paused_at}
