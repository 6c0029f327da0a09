-- Make another release of a bot the one that plays on a ladder: the score of the one before is put away under a
-- name of its own, and that which the new one had before, if any, is taken up again.
-- KEYS competition, releases, scores, audit; ARGV token, bot, releases that were read ("" none), releases as JSON,
-- where the score of the one before goes ("" nowhere), where that of the new one is, line for the audit list.
-- Answers "fenced", "stale" (somebody has changed the releases) or "done".
if tonumber(ARGV[1]) < (tonumber(redis.call('HGET', KEYS[1], 'fence')) or 0) then
  return 'fenced'
end
redis.call('HSET', KEYS[1], 'fence', ARGV[1])
local known = redis.call('HGET', KEYS[2], ARGV[2]) or ''
if known == ARGV[4] then
  return 'done'
end
if known ~= ARGV[3] then
  return 'stale'
end
if ARGV[8] ~= '' then
  local membership = redis.call('HGET', KEYS[5], ARGV[2])
  if (membership and cjson.decode(membership).rev or 0) ~= tonumber(ARGV[8]) then
    return 'stale'
  end
  redis.call('HSET', KEYS[5], ARGV[2], ARGV[9])
end
redis.call('HSET', KEYS[2], ARGV[2], ARGV[4])
if ARGV[5] ~= '' then
  local score = redis.call('HGET', KEYS[3], ARGV[2])
  if score then
    redis.call('HSET', KEYS[3], ARGV[5], score)
    redis.call('HDEL', KEYS[3], ARGV[2])
  end
  local before = redis.call('HGET', KEYS[3], ARGV[6])
  if before then
    redis.call('HSET', KEYS[3], ARGV[2], before)
    redis.call('HDEL', KEYS[3], ARGV[6])
  end
end
redis.call('HINCRBY', KEYS[1], 'rev', 1) -- who keeps standings by it works them out anew
redis.call('RPUSH', KEYS[4], ARGV[7])
if ARGV[10] ~= '' then
  redis.call('RPUSH', KEYS[4], ARGV[10])
end
return 'done'
