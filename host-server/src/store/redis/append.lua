-- Adds lines to a log, if it still has as many as the writer knows of.
-- KEYS: the log, the state. They are on one node.
-- ARGV: how many lines the writer knows of; in how many milliseconds it all goes, if the room is closed by this, or nothing;
--       the state, or nothing; the channel; who writes; and the lines.
-- Returns OK; or the lines that the writer does not know; or how many there are if that is fewer than the writer knows of.
local length = redis.call('XLEN', KEYS[1])
local known = tonumber(ARGV[1])
if length == 0 or length < known then
    return length
end
if length > known then
    local missing = redis.call('XRANGE', KEYS[1], string.format('%.0f-0', known + 1), '+')
    local lines = {}
    for i, entry in ipairs(missing) do
        lines[i] = entry[2][2]
    end
    return lines
end
for i = 6, #ARGV do
    length = length + 1
    redis.call('XADD', KEYS[1], string.format('%.0f-0', length), 'line', ARGV[i])
end
if ARGV[3] ~= '' then
    redis.call('SET', KEYS[2], ARGV[3], 'KEEPTTL')
end
if ARGV[2] ~= '' then
    redis.call('PEXPIRE', KEYS[1], ARGV[2])
    redis.call('PEXPIRE', KEYS[2], ARGV[2])
end
redis.call('PUBLISH', ARGV[4], string.format('%s+%.0f', ARGV[5], length))
return redis.status_reply('OK')
