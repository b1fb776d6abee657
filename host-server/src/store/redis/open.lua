-- Begins a log. Idempotent: a second call with the same arguments changes nothing.
-- KEYS: the log.
-- ARGV: the lines.
if redis.call('XLEN', KEYS[1]) == 0 then
    for i = 1, #ARGV do
        redis.call('XADD', KEYS[1], string.format('%.0f-0', i), 'line', ARGV[i])
    end
end
return redis.status_reply('OK')
