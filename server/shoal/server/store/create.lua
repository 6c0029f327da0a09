-- Makes a match under an id that was reserved before; a second time changes nothing.
-- What is as old as what was taken out into the archive may be there: it is not made again.
-- KEYS: match, matches, deadlines, clock, archive
-- ARGV: id, meta, secret, state, status, limit_ms, grace_ms, match_ms (0: it may last for ever),
-- names_hidden (1: nobody is told before the end who sits there), channel...
-- Returns 1 when the match is new, 0 when it exists, or did.
local match, matches, deadlines, clock, archive = unpack(KEYS)
local id, meta, secret, state, status, limit = unpack(ARGV, 1, 6)
local grace, lasts = tonumber(ARGV[7]), tonumber(ARGV[8])

if redis.call('EXISTS', match) == 1 then
  return 0
end
if string.sub(id, 3, 14) <= (redis.call('HGET', archive, 'until') or '') then
  return 0
end
local now = partition_time(clock)
redis.call('HSET', match,
  'meta', meta, 'secret', secret, 'state', state, 'status', status,
  'state_version', 0, 'version', 0, 'rev', redis.sha1hex(meta .. secret), 'decision_id', '',
  'asked_ms', string.format('%d', now), 'limit_ms', limit)
if lasts > 0 then
  redis.call('HSET', match, 'ends_ms', string.format('%d', now + lasts))
end
if ARGV[9] == '1' then
  redis.call('HSET', match, 'names_hidden', 1)
end
redis.call('ZADD', matches, 0, id)
redis.call('ZADD', deadlines, string.format('%d', now + limit + grace), id)
for i = 10, #ARGV do
  redis.pcall('PUBLISH', ARGV[i], '')
end
return 1
