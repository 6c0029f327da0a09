-- Put a table of ratings in the place of the one that is published.
-- KEYS competition, published; ARGV token, what the table is of as JSON, the table as JSON, when it was worked out, and
-- what of it was worked out without luck as JSON.
-- Answers "fenced" or "done"; a second time is done too.
if tonumber(ARGV[1]) < (tonumber(redis.call('HGET', KEYS[1], 'fence')) or 0) then
  return 'fenced'
end
redis.call('HSET', KEYS[1], 'fence', ARGV[1])
redis.call('HSET', KEYS[2], 'basis', ARGV[2], 'table', ARGV[3], 'at', ARGV[4], 'adjusted', ARGV[5])
return 'done'
