-- The one message of a budget: a process says what it has and what it wants, and is answered how many leases it holds
-- from now on. All that pools share is decided here, at one instant, by one clock.
--
-- KEYS  1 state (hash)   born, clock, at, grace, lease, sum, bare, ticket, asked, asked_at, processes
--                        p:ID = "number leases limit bare", where bare is what it has without a lease
--       2 line (zset)    who waits for a lease, by ticket
--       3 ends (zset)    when whose leases end, by the clock
--       4 limits (hash)  which limits processes were given, and how many of them
-- ARGV  1 id   2 number of the message   3 have   4 want: 0, 1, or -1: it leaves   5 least: what it may always have
--       6 idle: what it could give up at once   7 limit   8 lease, ms   9 leased: the leases that it holds on, if they have not
--       ended by its own clock   10 born: the ledger that it knows, as the last answer named it; 0: none yet
--
-- Answers leases, asked to give up (more than idle: also of what comes back next), ms of grace left, limit, leases of all, place in line (0: none), processes, clock,
-- born; or -1: a later message of this process was there before. A process that holds leases on, and is answered
-- another born than it has named, has them as before: it says so again, at once.
local state, line, ends, limits = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local id = ARGV[1]
local number, have, want, least = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local idle, limit, lease, leased = tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9])
local named = tonumber(ARGV[10])

-- The clock is Redis's, but goes no further between two messages than a quarter of a lease, and never back: a leap of
-- the machine's time costs nobody its leases.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local kept = redis.call('HMGET', state,
    'born', 'clock', 'at', 'grace', 'lease', 'sum', 'bare', 'ticket', 'asked', 'asked_at', 'processes')
for i = 1, 11 do kept[i] = tonumber(kept[i]) or 0 end
local born, clock, at, grace, longest, sum, bare, ticket, asked, asked_at, processes = unpack(kept)
local record = redis.call('HGET', state, 'p:' .. id)
if record and tonumber(string.match(record, '%d+')) >= number then return { -1 } end
-- Each key is looked at before anything is written: one of another kind fails here, and stays as it is.
local members, given = redis.call('ZCARD', ends), redis.call('HLEN', limits), redis.call('ZCARD', line)
if at == 0 or members ~= processes or given == 0 and members > 0 then
    -- Nobody was here before, or what was is lost. Who has leases says so within one lease, and till then nothing is
    -- granted.
    redis.call('DEL', state, line, ends, limits)
    clock, at, grace, longest, sum, bare, ticket, asked, asked_at = 0, now, lease, 0, 0, 0, 0, 0, 0
    born = time[1] * 1000000 + time[2] -- which ledger it is
end
-- What is held on counts when this ledger is told: a message that was sent before it began, and comes late, says what
-- its process may have given up since, and there is no number any more to show that.
if named ~= born then leased = 0 end
longest = math.max(longest, lease)
if clock < grace then grace = math.max(grace, lease) end
clock = clock + math.min(math.max(now - at, 0), math.floor(longest / 4))

local function forget(other)
    local record = redis.call('HGET', state, 'p:' .. other)
    if not record then return false end
    local leases, its, without = string.match(record, '%d+ (%d+) (%d+) (%d+)')
    sum, bare = sum - leases, bare - without
    if redis.call('HINCRBY', limits, its, -1) <= 0 then redis.call('HDEL', limits, its) end
    redis.call('HDEL', state, 'p:' .. other)
    return true, tonumber(leases)
end

-- Whose leases have ended has none. A hundred at a time: the others wait for the next message.
for _, other in ipairs(redis.call('ZRANGEBYSCORE', ends, '-inf', clock, 'LIMIT', 0, 100)) do
    forget(other)
    redis.call('ZREM', line, other)
    redis.call('ZREM', ends, other)
end

local known, held = forget(id)

-- The smallest limit holds.
if want >= 0 then redis.call('HINCRBY', limits, limit, 1) end
local smallest = limit
for _, other in ipairs(redis.call('HKEYS', limits)) do smallest = math.min(smallest, tonumber(other)) end

local leases, place = 0, 0
if want < 0 then
    redis.call('ZREM', line, id)
    redis.call('ZREM', ends, id)
else
    local target = math.max(have + want, least)
    -- What it had and wants again it keeps; but not before those who have less than they may always have.
    local keeps = redis.call('ZCOUNT', line, '-inf', 0) > 0 and math.max(have, least) or target
    if known then leases = math.min(clock >= grace and keeps or math.max(have, leased), held) end
    -- What it has without a lease it has in any case: that comes first. While the ledger is new, only what was leased.
    leases = leases + math.max(math.min((clock >= grace and have or leased), smallest - sum) - leases, 0)
    -- Nothing is granted of what others have, with a lease or without.
    local room = math.max(smallest - sum - bare - leases, 0)
    local function stand(wanted, class)
        local score = tonumber(redis.call('ZSCORE', line, id) or false)
        if not score or (score < 0) ~= (class < 0) then
            ticket = ticket + 1
            redis.call('ZADD', line, class + ticket, id)
        end
        place = redis.call('ZRANK', line, id) + 1
        if clock >= grace and room >= place then
            local more = math.min(wanted - leases, room - place + 1)
            leases, room = leases + more, room - more
        end
    end
    -- Who has less than it may always have comes before all others, until it has that.
    if leases < least then stand(least, -2 ^ 52) end
    if leases >= least and leases < target then stand(target, 0) end
    if leases >= target then
        redis.call('ZREM', line, id)
        place = 0
    end
    local without = math.max(have - leases, 0)
    sum, bare = sum + leases, bare + without
    redis.call('HSET', state, 'p:' .. id, string.format('%d %d %d %d', number, leases, limit, without))
    redis.call('ZADD', ends, clock + lease, id)
end

-- Those in line for whom nothing is free need what others could give up, and so do those who are one too many. Each is
-- asked of one holder, and after a quarter of a lease of another. What is idle will do, but for those who have less than
-- they may always have.
local free, over = math.max(smallest - sum - bare, 0), math.max(sum + bare - smallest, 0)
local lacking = math.max(redis.call('ZCARD', line) - free, 0) + over
local urgent = math.max(redis.call('ZCOUNT', line, '-inf', 0) - free, 0)
if clock - asked_at >= math.floor(longest / 4) then asked, asked_at = 0, clock end
if known then asked = math.max(asked - math.max(held - leases, 0), 0) end
local ask = math.max(math.min(leases - least, math.max(idle, urgent - asked), lacking - asked), 0)
asked = asked + ask

redis.call('HSET', state, 'born', string.format('%.0f', born), 'clock', clock, 'at', now, 'grace', grace,
    'lease', longest, 'sum', sum, 'bare', bare, 'ticket', ticket, 'asked', asked, 'asked_at', asked_at,
    'processes', redis.call('ZCARD', ends))
-- A fleet that was away for a week begins anew.
for _, key in ipairs(KEYS) do redis.call('EXPIRE', key, 604800) end
return { leases, ask, math.max(grace - clock, 0), smallest, sum, place, redis.call('ZCARD', ends), clock, born }
