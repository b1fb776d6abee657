-- The heartbeat of a relay: renews its leases of rooms, and takes over some whose lease has expired.
-- KEYS: the beats, the leases.
-- ARGV: the relay; for how many milliseconds it is believed; how many rooms it would take over; and its rooms.
-- Returns the relays that are alive, and the rooms that are the relay's now.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local lease = tonumber(ARGV[2])
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - lease)
-- The server's clock may have been set back. Times that no relay can have written count as written now; otherwise a dead relay
-- would count as alive, and its rooms as served, until the clock has caught up.
for _, relay in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. string.format('%.0f', now), '+inf')) do
    redis.call('ZADD', KEYS[1], now, relay)
end
for _, room in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '(' .. string.format('%.0f', now + lease), '+inf')) do
    redis.call('ZADD', KEYS[2], now + lease, room)
end
for i = 4, #ARGV do
    redis.call('ZADD', KEYS[2], now + lease, ARGV[i])
end
local lapsed = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now, 'LIMIT', 0, ARGV[3])
for _, room in ipairs(lapsed) do
    redis.call('ZADD', KEYS[2], now + lease, room)
end
return { redis.call('ZRANGE', KEYS[1], 0, -1), lapsed }
