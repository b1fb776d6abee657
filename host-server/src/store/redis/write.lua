-- Writes a record, if it still has the version that the writer knows.
-- KEYS: the records, the last version that any of them got.
-- ARGV: the name; the version that it has, 0 for none; a number that this writer has drawn for this; and the bytes.
-- Returns the new version, also if the same is asked twice because the first answer was lost; or nothing.
local record = redis.call('HGET', KEYS[1], ARGV[1])
local version, writer = '0', ''
if record then
    version, writer = string.match(record, '^(%d+):(%x+):')
    if not version then
        return redis.error_reply('WRONGTYPE this is not a record')
    end
end
if writer == ARGV[3] then
    return tonumber(version)
end
if version ~= ARGV[2] then
    return false
end
local new = redis.call('INCR', KEYS[2])
redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f:%s:', new, ARGV[3]) .. ARGV[4])
return new
