-- Tells the time, in milliseconds. It never goes back, even if the server's clock does or another server takes over.
-- KEYS: what is known about the time.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local known = redis.call('HMGET', KEYS[1], 'last', 'ahead')
local last = tonumber(known[1] or 0)
local ahead = tonumber(known[2] or 0)
if now + ahead < last then
    ahead = last - now
end
now = now + ahead
redis.call('HSET', KEYS[1], 'last', string.format('%.0f', now), 'ahead', string.format('%.0f', ahead))
return now
