-- A relay stops, and leaves its rooms to the others at once.
-- KEYS: the beats, the leases.
-- ARGV: the relay; and its rooms.
redis.call('ZREM', KEYS[1], ARGV[1])
for i = 2, #ARGV do
    redis.call('ZADD', KEYS[2], 'XX', 0, ARGV[i])
end
return redis.status_reply('OK')
