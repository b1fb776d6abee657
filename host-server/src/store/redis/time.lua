-- Returns the time of all games, in milliseconds. It never goes back, even if the server's clock does or another server takes over,
-- and it stands still while no relay asks for it: no move can be made while Redis or all relays are down. A jump of the server's clock
-- looks the same.
-- KEYS: the hash of the time.
-- ARGV: the longest time between two calls that counts, in milliseconds.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local known = redis.call('HMGET', KEYS[1], 'last', 'ahead')
local last = tonumber(known[1] or now)
local ahead = tonumber(known[2] or 0)
local passed = now + ahead - last
if passed < 0 or passed > tonumber(ARGV[1]) then
    ahead = last - now
end
now = now + ahead
redis.call('HSET', KEYS[1], 'last', string.format('%.0f', now), 'ahead', string.format('%.0f', ahead))
return now
