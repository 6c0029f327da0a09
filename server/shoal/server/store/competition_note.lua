-- Write a line of an audit list, once for each mark.
-- KEYS audit, marks; ARGV mark, line.
if redis.call('SADD', KEYS[2], ARGV[1]) == 1 then
  redis.call('RPUSH', KEYS[1], ARGV[2])
end
return 'done'
