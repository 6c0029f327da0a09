-- Change how a bot takes part in a ladder, if nobody has changed that since it was read.
-- KEYS competition, memberships, audit; ARGV token of the director ("" for a server), bot, rev that was read (0
-- none), membership as JSON, line for the audit list ("" none), channel of the director.
-- Answers "fenced", "unknown", "stale" or "done".
local head = redis.call('HMGET', KEYS[1], 'spec', 'fence')
if not head[1] then
  return 'unknown'
end
if ARGV[1] ~= '' then
  if tonumber(ARGV[1]) < (tonumber(head[2]) or 0) then
    return 'fenced'
  end
  redis.call('HSET', KEYS[1], 'fence', ARGV[1])
end
local known = redis.call('HGET', KEYS[2], ARGV[2])
if known == ARGV[4] then
  return 'done'
end
local rev = 0
if known then
  -- One that cannot be read may be written over: the bot has entered again.
  local readable, record = pcall(cjson.decode, known)
  local its = readable and type(record) == 'table' and record.rev
  rev = type(its) == 'number' and its % 1 == 0 and its or 0
end
if rev ~= tonumber(ARGV[3]) then
  return 'stale'
end
redis.call('HSET', KEYS[2], ARGV[2], ARGV[4])
if ARGV[5] ~= '' then
  redis.call('RPUSH', KEYS[3], ARGV[5])
end
redis.pcall('PUBLISH', ARGV[6], '')
return 'done'
