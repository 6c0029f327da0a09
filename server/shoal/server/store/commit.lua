-- One step of a match: compare-and-set on `rev`, then state, log, deadline, outbox, and the bells.
-- KEYS: match, log, deadlines, outbox, clock
-- ARGV: id, rev, version, prefix, state, status, asks, limit_ms, grace_ms, leeway_ms, guard,
--       payload, at_hand_ms, banks, channel..., overhead_ms
-- limit_ms is what a credit gives when `asks` is '+', else the new decision's limit but for its bank, which
-- no credit gives; banks is '' or a JSON object: see Banks in commits.py.
-- Returns {word, ...}: see commits.py, which reads it.
local match, log, deadlines, outbox, clock = unpack(KEYS)
local id, rev, version, prefix, state, status, asks = unpack(ARGV, 1, 7)
local limit, grace, leeway = tonumber(ARGV[8]), tonumber(ARGV[9]), tonumber(ARGV[10])
local guard, payload, at_hand, banks = ARGV[11], ARGV[12], tonumber(ARGV[13]), ARGV[14]
local overhead = tonumber(ARGV[#ARGV])
version = tonumber(version)

local known = redis.call('HMGET', match, 'rev', 'version', 'asked_ms', 'decision_id', 'limit_ms',
  'ends_ms', 'condemned')
if not known[1] then
  return {'missing'}
end

if known[1] ~= rev then
  -- Perhaps this very step is in the log already and its reply was lost: same words, same past.
  local entry = redis.call('LINDEX', log, version)
  if entry and string.sub(entry, 1, #prefix + 1) == prefix .. ',' then
    local before
    if version == 0 then
      before = redis.sha1hex(table.concat(redis.call('HMGET', match, 'meta', 'secret')))
    else
      before = string.sub(redis.call('LINDEX', log, version - 1), -42, -3)
    end
    local at, think, after = string.match(entry, '^(%d+),(%d+),"(%x+)"%]$', #prefix + 2)
    if before == rev and after then
      local decision = tonumber(known[2]) == version + 1 and known[4] or ''
      return {'already', version + 1, after, tonumber(at), tonumber(think), decision}
    end
  end
  return {'conflict', tonumber(known[2]), known[1]}
end

-- The kind is what an entry begins with: Entry.prefix() must agree.
if known[7] and string.sub(prefix, 1, 8) ~= '["void",' then
  return {'condemned', known[7]}
end

local now = partition_time(clock)
local think = math.max(0, now - tonumber(known[3]) - overhead)
if at_hand >= 0 then
  -- What the server itself measured up to receiving the move, from when this script had asked: a store that
  -- stood still charges nobody.
  think = math.min(think, at_hand)
end
if guard == 'move' then
  local allowed = tonumber(known[5])
  if think > allowed + leeway then
    return {'expired', think, allowed}
  end
elseif guard == 'due' then
  local due = redis.call('ZSCORE', deadlines, id)
  if not due or now < tonumber(due) then
    return {'early'}
  end
end

if banks ~= '' then
  local told = cjson.decode(banks)
  local kept = told.banks
  if told.seat >= 0 then
    local mine = told.seat + 1
    kept[mine] = math.max(0, kept[mine] - math.max(0, think - told.floor)) + told.increment
  end
  if told.next >= 0 and asks == '1' then
    limit = limit + kept[told.next + 1]
  end
  redis.call('HSET', match, 'banks', cjson.encode(kept))
end

local ends = tonumber(known[6] or math.huge)
local entry = prefix .. string.format(',%d,%d', now, think)
local decision = known[4]
version = version + 1
rev = redis.sha1hex(rev .. entry .. ']')
if asks == '1' then
  decision = string.format('%d.%s', version, string.sub(rev, 1, 12))
  redis.call('HSET', match, 'status', status, 'rev', rev, 'version', version,
    'decision_id', decision, 'asked_ms', string.format('%d', now), 'limit_ms', limit)
  redis.call('ZADD', deadlines, string.format('%d', math.min(now + limit + grace, ends)), id)
elseif asks == '+' then
  redis.call('HSET', match, 'status', status, 'rev', rev, 'version', version,
    'asked_ms', string.format('%d', tonumber(known[3]) + limit))
  local due = tonumber(redis.call('ZSCORE', deadlines, id) or now) + limit
  redis.call('ZADD', deadlines, string.format('%d', math.min(due, ends)), id)
elseif asks == '-' then
  decision = ''
  redis.call('HSET', match, 'status', status, 'rev', rev, 'version', version, 'decision_id', '')
  redis.call('ZREM', deadlines, id)
else
  redis.call('HSET', match, 'status', status, 'rev', rev, 'version', version)
end
if state ~= '' then
  redis.call('HSET', match, 'state', state, 'state_version', version)
end
redis.call('RPUSH', log, entry .. ',"' .. rev .. '"]')
if payload ~= '' then
  redis.call('XADD', outbox, '*', 'match', id, 'result', payload)
end

-- Last, and never fatal: Redis does not undo a script that fails half way.
for i = 15, #ARGV - 1 do
  redis.pcall('PUBLISH', ARGV[i], '')
end
return {'ok', version, rev, now, think, decision}
