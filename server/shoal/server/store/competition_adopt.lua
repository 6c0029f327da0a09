-- Make a competition of a ladder that an earlier version has stored; a second time changes nothing.
-- KEYS ladder, its members, scores, results, pairings, then competition, its entrants, scores, results,
-- blocks, matches, audit; ARGV token, specification as JSON, wall time in ms, line for the audit list.
-- What the competition has already stays. A pairing, which was one match, becomes a block that has begun.
-- Answers "fenced", "none" or "done".
local old = redis.call('HMGET', KEYS[1], 'spec', 'rated', 'fence')
local fence = math.max(tonumber(old[3]) or 0, tonumber(redis.call('HGET', KEYS[6], 'fence')) or 0)
if tonumber(ARGV[1]) < fence then
  return 'fenced'
end
if not old[1] then
  return 'none'
end
if redis.call('HSETNX', KEYS[6], 'spec', ARGV[2]) == 1 then
  redis.call('HSET', KEYS[6], 'state', 'running', 'created', ARGV[3], 'started', ARGV[3])
end
redis.call('HSET', KEYS[6], 'fence', ARGV[1])
redis.call('HINCRBY', KEYS[6], 'rev', 1)
redis.call('HINCRBY', KEYS[6], 'rated', tonumber(old[2]) or 0)

local members = redis.call('HGETALL', KEYS[2])
for i = 1, #members, 2 do
  local member = cjson.decode(members[i + 1])
  local owner = member.baseline and '' or member.owner
  local number = tonumber(redis.call('HGET', KEYS[6], 'entered')) or 0
  if redis.call('HSETNX', KEYS[7], members[i], cjson.encode({owner = owner, number = number})) == 1 then
    redis.call('HINCRBY', KEYS[6], 'entered', 1)
  end
end

for which = 3, 4 do
  local new = which + 5
  if redis.call('EXISTS', KEYS[new]) == 0 and redis.call('EXISTS', KEYS[which]) == 1 then
    redis.call('RENAME', KEYS[which], KEYS[new])
  else
    local found = redis.call('HGETALL', KEYS[which])
    for i = 1, #found, 2 do
      redis.call('HSETNX', KEYS[new], found[i], found[i + 1])
    end
  end
end

local pairings = redis.call('HGETALL', KEYS[5])
for i = 1, #pairings, 2 do
  local match, pairing = pairings[i], cjson.decode(pairings[i + 1])
  local block = string.format(
    '{"bots":%s,"ruleset":%s,"rated":%s,"tries":[],"match":"%s","rotation":0,"why":[]}',
    cjson.encode(pairing.bots), cjson.encode(pairing.ruleset), tostring(pairing.rated), match)
  redis.call('HSETNX', KEYS[10], match, block)
  redis.call('HSETNX', KEYS[11], match, match)
end
redis.call('RPUSH', KEYS[12], ARGV[4])
redis.call('UNLINK', KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5])
return 'done'
