-- Appends entries to a log, if it ends with the entry that the writer knows as its last (compare-and-append).
-- KEYS: the log, the state. They are on one node.
-- ARGV: number of entries that the writer knows; write id of the last of them; expiry in milliseconds if the entries close the
--       room, or empty; the state, or empty; the channel, or empty; id of the writing store; write id of the new entries; the entries.
-- Returns OK; or the entries that the writer does not know; or the status DIVERGED if the log has another history; or 0 if there
-- is no log.
-- Not the number of entries: the chat of a closed room is deleted.
local newest = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if not newest then
    return 0
end
local length = tonumber(string.match(newest[1], '^(%d+)'))
local known = tonumber(ARGV[1])
if known > 0 then
    local last = newest
    if length ~= known then
        local id = string.format('%.0f-0', known)
        last = redis.call('XRANGE', KEYS[1], id, id)[1]
    end
    -- Quotes within JSON strings are escaped, so this matches the field of the entry itself.
    if not last or string.match(last[2][2], '"write_id":(%d+)') ~= ARGV[2] then
        return redis.status_reply('DIVERGED')
    end
end
if length > known then
    local missing = redis.call('XRANGE', KEYS[1], string.format('%.0f-0', known + 1), '+')
    local lines = {}
    for i, entry in ipairs(missing) do
        lines[i] = entry[2][2]
    end
    return lines
end
for i = 8, #ARGV do
    length = length + 1
    redis.call('XADD', KEYS[1], string.format('%.0f-0', length), 'line', ARGV[i])
end
if ARGV[4] ~= '' then
    redis.call('SET', KEYS[2], ARGV[4], 'KEEPTTL')
end
if ARGV[3] ~= '' then
    redis.call('PEXPIRE', KEYS[1], ARGV[3])
    redis.call('PEXPIRE', KEYS[2], ARGV[3])
end
if ARGV[5] ~= '' then
    redis.call('PUBLISH', ARGV[5], string.format('%s+%.0f:%s', ARGV[6], length, ARGV[7]))
end
return redis.status_reply('OK')
