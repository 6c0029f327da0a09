-- Change a competition as its organizer or an owner of bots asks: its state, or one entrant.
-- KEYS competition, entrants, audit; ARGV rev that was read, states in which it may be (each between
-- commas), state it is to have ("" as it is), why it is over, wall time in ms, bot ("" none), entrant as
-- JSON ("" is taken out), line for the audit list, channel of the director.
-- Answers "unknown", "stale" (something has changed since it was read), "already" or "done".
local head = redis.call('HMGET', KEYS[1], 'spec', 'state', 'rev')
if not head[1] then
  return 'unknown'
end
local state, bot, entrant = ARGV[3], ARGV[6], ARGV[7]
local same = state == '' or state == head[2]
if bot ~= '' then
  same = same and (redis.call('HGET', KEYS[2], bot) or '') == entrant
end
if same then
  return 'already'
end
if head[3] ~= ARGV[1] or not string.find(ARGV[2], ',' .. head[2] .. ',', 1, true) then
  return 'stale'
end
redis.call('HINCRBY', KEYS[1], 'rev', 1)
if state ~= '' then
  redis.call('HSET', KEYS[1], 'state', state, 'ended', ARGV[4])
  if state == 'running' then
    redis.call('HSETNX', KEYS[1], 'started', ARGV[5])
  end
end
if entrant ~= '' then
  if redis.call('HSET', KEYS[2], bot, entrant) == 1 then
    redis.call('HINCRBY', KEYS[1], 'entered', 1)
  end
elseif bot ~= '' then
  redis.call('HDEL', KEYS[2], bot)
end
redis.call('RPUSH', KEYS[3], ARGV[8])
redis.pcall('PUBLISH', ARGV[9], '')
return 'done'
