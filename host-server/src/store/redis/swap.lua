-- Gives a key another value, if it still has the one that the writer knows.
-- KEYS: the key.
-- ARGV: the value that it has; the one that it gets; in how many milliseconds it goes, or nothing. No value is an empty one.
-- Returns the value that it has now.
local value = redis.call('GET', KEYS[1]) or ''
if value ~= ARGV[1] then
    return value
end
if ARGV[2] == '' then
    redis.call('DEL', KEYS[1])
elseif ARGV[3] == '' then
    redis.call('SET', KEYS[1], ARGV[2])
else
    redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
end
return ARGV[2]
