-- Change a competition as its organizer or an owner of bots asks: its state, one entrant, what was decided
-- about it, or which block is to begin next.
-- KEYS competition, entrants, audit, blocks, finished; ARGV rev that was read, states in which it may be (each between
-- commas), state it is to have ("" as it is), why it is over, wall time in ms, bot ("" none), entrant as
-- JSON ("" is taken out), rulings as JSON ("" as they are), key of a block that is to begin next ("" none),
-- that block as JSON, line for the audit list, channel of the director, how many blocks were over when it was read ("" none
-- may have ended since, as of a ladder), how many are too many, the number of the rulings by which was recounted.
-- Answers "unknown", "stale" (something has changed since it was read), "already" or "done".
local head = redis.call('HMGET', KEYS[1], 'spec', 'state', 'rev', 'rulings', 'ended', 'recounted')
if not head[1] then
  return 'unknown'
end
local state, bot, entrant, rulings, block = ARGV[3], ARGV[6], ARGV[7], ARGV[8], ARGV[9]
local same = state == '' or state == head[2]
if state == 'draining' and ARGV[4] ~= '' then
  same = same and ARGV[4] == head[5] -- what is drained to be paused may be drained to its end
end
if bot ~= '' then
  same = same and (redis.call('HGET', KEYS[2], bot) or '') == entrant
end
if rulings ~= '' then
  same = same and rulings == head[4]
end
if block ~= '' then
  same = same
    and (redis.call('HEXISTS', KEYS[4], block) == 1 or redis.call('HEXISTS', KEYS[5], block) == 1)
end
if same then
  return 'already'
end
local unchanged = head[3] == ARGV[1]
if ARGV[13] ~= '' then
  -- The end of a block is one change: nothing else has changed if there were no more changes than ends.
  local over = redis.call('HLEN', KEYS[5])
  unchanged = head[3] - over == ARGV[1] - ARGV[13] and over < tonumber(ARGV[14])
    and (head[6] or '0') == ARGV[15]
end
if not unchanged or not string.find(ARGV[2], ',' .. head[2] .. ',', 1, true) then
  return 'stale'
end
redis.call('HINCRBY', KEYS[1], 'rev', 1)
if state ~= '' then
  redis.call('HSET', KEYS[1], 'state', state, 'ended', ARGV[4])
  if state == 'running' then
    redis.call('HSETNX', KEYS[1], 'started', ARGV[5])
  else
    -- What was to begin next has no match yet, and is taken back.
    local forced = redis.call('HGET', KEYS[1], 'forced')
    if forced then
      redis.call('HDEL', KEYS[4], forced)
      redis.call('HDEL', KEYS[1], 'forced')
    end
  end
end
if entrant ~= '' then
  if redis.call('HSET', KEYS[2], bot, entrant) == 1 then
    redis.call('HINCRBY', KEYS[1], 'entered', 1)
  end
elseif bot ~= '' then
  redis.call('HDEL', KEYS[2], bot)
end
if rulings ~= '' then
  redis.call('HSET', KEYS[1], 'rulings', rulings)
end
if block ~= '' then
  redis.call('HSET', KEYS[1], 'forced', block)
  redis.call('HSET', KEYS[4], block, ARGV[10])
end
redis.call('RPUSH', KEYS[3], ARGV[11])
redis.pcall('PUBLISH', ARGV[12], '')
return 'done'
