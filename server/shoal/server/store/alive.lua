-- Says how long the processes that tick a partition have been silent there.
-- KEYS: processes, clock
return silences(KEYS[1], partition_time(KEYS[2]))
