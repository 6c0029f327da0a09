-- Enter a bot if there is a place for it, whoever else enters at the same time.
-- KEYS competition, entrants, audit; ARGV states in which it may be (each between commas), bot, its owner, the owner
-- as JSON, how many may enter (0 any number), how many of an owner, line for the audit list, channel of the director.
-- Answers "unknown", "stale" (it may not be entered any more, or the bot is excluded: read it again), "already",
-- "full", "owner full" or "done".
local head = redis.call('HMGET', KEYS[1], 'spec', 'state', 'ended', 'rulings', 'entered')
if not head[1] then
  return 'unknown'
end
local ending = head[2] == 'draining' and (head[3] or '') ~= ''
local excluded = head[4] and cjson.decode(head[4]).excluded[ARGV[2]]
if ending or excluded or not string.find(ARGV[1], ',' .. head[2] .. ',', 1, true) then
  return 'stale'
end
local text = redis.call('HGET', KEYS[2], ARGV[2])
local known = text and cjson.decode(text)
if known and known.owner == ARGV[3] and not known.gone_from then
  return 'already'
end
local most, most_of_owner = tonumber(ARGV[5]), tonumber(ARGV[6])
if not known and most > 0 and redis.call('HLEN', KEYS[2]) >= most then
  return 'full'
end
if not known and most_of_owner > 0 and ARGV[3] ~= '' then
  for _, other in ipairs(redis.call('HVALS', KEYS[2])) do
    if cjson.decode(other).owner == ARGV[3] then
      most_of_owner = most_of_owner - 1
    end
  end
  if most_of_owner <= 0 then
    return 'owner full'
  end
end
local number = known and known.number or tonumber(head[5])
redis.call(
  'HSET', KEYS[2], ARGV[2], string.format('{"owner":%s,"number":%d}', ARGV[4], number))
if not known then
  redis.call('HINCRBY', KEYS[1], 'entered', 1)
end
redis.call('HINCRBY', KEYS[1], 'rev', 1)
redis.call('RPUSH', KEYS[3], ARGV[7])
redis.pcall('PUBLISH', ARGV[8], '')
return 'done'
