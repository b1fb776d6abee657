//! Rooms and their codes.
//!
//! A code and its room may be on different nodes of a Cluster, so they cannot change atomically. Opening a room has three steps,
//! and a crash after each is recoverable:
//!
//! 1. claim the code with an expiry of seconds: after a crash, the code becomes free by itself;
//! 2. write the lease and the log: after a crash, another relay adopts the empty room and closes it;
//! 3. confirm the claim, if it has not expired: from now on the code opens the room.
//!
//! Closing a room marks the log (which then expires), frees the code, and releases the lease. After a crash in between, a relay
//! that wants the code finds the room closed, and a relay that adopts the room completes the steps.

use std::time::{Duration, Instant};

use redis::{Cmd, Value};
use tokio::time::sleep;

use super::Redis;
use super::error::corrupt;
use super::script::{self, Call};
use crate::room::{Code, Entry, Fact, RoomId};
use crate::store::{Appended, Batch, Created, Head, StoreError, StoredLog, is_chat};

/// Expiry of a claim. Confirming it takes three round trips.
const CLAIM: Duration = Duration::from_secs(5);

/// How long to wait for another relay's claim to be confirmed or to expire, and the polling interval.
const CLAIM_PATIENCE: Duration = Duration::from_secs(2);
const CLAIM_POLL: Duration = Duration::from_millis(20);

/// Number of entries per read, so that a long log does not block Redis.
const PAGE: usize = 1000;

/// The state of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holder {
    None,
    Claimed(RoomId),
    Open(RoomId),
    Free(RoomId),
}

impl Redis {
    pub(super) async fn create_room(&self, room: RoomId, code: &Code, log: &[Entry]) -> Result<Created, StoreError> {
        let lines = encode(log)?;
        let open = script::OPEN.on(&[&self.keys.log(room)]).with(&lines);
        match self.claim(room, code).await? {
            Some(other) if other != room => return Ok(Created::Taken(other)),
            // An earlier try has opened it.
            Some(_) => return self.replication.run::<()>(&open).await.map(|()| Created::Done),
            None => {}
        }
        self.take_lease(room).await?;
        self.replication.run::<()>(&open).await?;
        let (key, confirm) = self.swap_call(code, Holder::Claimed(room), Holder::Open(room), None);
        let holder: String = self.replication.run(&confirm).await?;
        match Holder::parse(&key, &holder)? {
            Holder::Open(holder) if holder == room => Ok(Created::Done),
            // The claim has expired before it was confirmed, so no client knows the room.
            holder => {
                let _: () = self.connection.ask(redis::cmd("DEL").arg(self.keys.log(room))).await?;
                self.drop_lease(room).await?;
                match holder {
                    Holder::Claimed(other) | Holder::Open(other) => Ok(Created::Taken(other)),
                    Holder::None | Holder::Free(_) => {
                        Err(StoreError::Unavailable("opening the room took too long".to_owned()))
                    }
                }
            }
        }
    }

    /// Claims a code, or returns the room that has it.
    async fn claim(&self, room: RoomId, code: &Code) -> Result<Option<RoomId>, StoreError> {
        let began = Instant::now();
        let mut expected = Holder::None;
        loop {
            let holder = self.swap(code, expected, Holder::Claimed(room), Some(CLAIM)).await?;
            match holder {
                Holder::Claimed(holder) if holder == room => return Ok(None),
                Holder::Claimed(other) => {
                    // The claim will be confirmed or expire soon.
                    if began.elapsed() > CLAIM_PATIENCE {
                        return Ok(Some(other));
                    }
                    sleep(CLAIM_POLL).await;
                    expected = Holder::None;
                }
                Holder::Open(other) if other == room || self.is_open(other).await? => return Ok(Some(other)),
                // The code can be claimed, unless another relay is first.
                Holder::Open(_) | Holder::Free(_) | Holder::None => expected = holder,
            }
        }
    }

    pub(super) async fn find_room(&self, code: &Code) -> Result<Option<RoomId>, StoreError> {
        let key = self.keys.code(code);
        let value: Option<String> = self.connection.ask(redis::cmd("GET").arg(&key)).await?;
        Ok(match Holder::parse(&key, &value.unwrap_or_default())? {
            Holder::None | Holder::Claimed(_) => None,
            Holder::Open(room) | Holder::Free(room) => Some(room),
        })
    }

    /// Whether a room exists and is open. The log of a closed room expires.
    pub(super) async fn is_open(&self, room: RoomId) -> Result<bool, StoreError> {
        let left: i64 = self.connection.ask(redis::cmd("PTTL").arg(self.keys.log(room))).await?;
        Ok(left == -1)
    }

    pub(super) async fn load_log(&self, room: RoomId, after: u64) -> Result<Vec<Entry>, StoreError> {
        let key = self.keys.log(room);
        let lines = self.numbered_lines(room, after).await?;
        let log = lines.iter().map(|(_, line)| decode(&key, line)).collect::<Result<Vec<_>, _>>()?;
        // A closed room does not change any more, so its games can be read without replicas.
        if !matches!(log.last(), Some(Entry { fact: Fact::Closed, .. })) {
            self.confirm(room, lines.last()).await?;
        }
        Ok(log)
    }

    /// The whole log of a room, not decoded.
    pub(super) async fn read_encoded(&self, room: RoomId) -> Result<StoredLog, StoreError> {
        let key = self.keys.log(room);
        let lines = self.numbered_lines(room, 0).await?;
        let is_closed = lines
            .last()
            .is_some_and(|(_, line)| decode(&key, line).is_ok_and(|entry| matches!(entry.fact, Fact::Closed)));
        if !is_closed {
            self.confirm(room, lines.last()).await?;
        }
        Ok(StoredLog::new(key, lines.into_iter().map(|(_, line)| line).collect()))
    }

    /// Waits until the replicas that the settings ask for have a log up to this line, which was read from it.
    ///
    /// After a failover since then another server answers, so the line is read again from the server that waits for its replicas. An append
    /// names the entry before it: two logs with the same line in the same place are equal up to it.
    async fn confirm(&self, room: RoomId, last: Option<&(u64, Vec<u8>)>) -> Result<(), StoreError> {
        let Some((number, _)) = last.filter(|_| !self.replication.is_off()) else {
            return self.replication.wait().await;
        };
        let key = self.keys.log(room);
        let range = range(&key, number.saturating_sub(1), 1);
        let there = numbered(&key, self.replication.ask(&range).await?)?;
        if there.first() == last {
            Ok(())
        } else {
            Err(StoreError::Unclear(format!("{key} has another entry {number} than a moment ago")))
        }
    }

    /// Tells other relays of the end of a log, if that was not part of the append. If it fails, the append is repeated, finds its
    /// entries, and announces them again.
    async fn announce(&self, room: RoomId, head: Head) -> Result<(), StoreError> {
        if self.replication.is_off() {
            return Ok(());
        }
        self.signals.announce(room, head).await.map_err(|error| StoreError::Unclear(error.to_string()))
    }

    /// All lines of a log after the first `after`, with their numbers.
    async fn numbered_lines(&self, room: RoomId, after: u64) -> Result<Vec<(u64, Vec<u8>)>, StoreError> {
        let mut log = Vec::new();
        let mut after = after;
        loop {
            let page = self.numbered_page(room, after, PAGE).await?;
            let is_last = page.len() < PAGE;
            after = page.last().map_or(after, |&(number, _)| number);
            log.extend(page);
            if is_last {
                return Ok(log);
            }
        }
    }

    /// Deletes the chat from the log of a closed room.
    async fn drop_chat(&self, room: RoomId) -> Result<(), StoreError> {
        let log = self.numbered_lines(room, 0).await?;
        let chat = log.iter().filter(|(_, line)| is_chat(line));
        let ids: Vec<String> = chat.map(|(number, _)| format!("{number}-0")).collect();
        for ids in ids.chunks(PAGE) {
            let _: u64 = self.connection.ask(redis::cmd("XDEL").arg(self.keys.log(room)).arg(ids)).await?;
        }
        Ok(())
    }

    /// Completes the closing of a room: deletes its chat, frees its code, and drops its lease. The lease is last, so that another
    /// relay repeats the other steps if this one dies.
    pub(super) async fn finish_closing(&self, room: RoomId, code: Option<&Code>) -> Result<(), StoreError> {
        if let Some(code) = code {
            self.free_code(room, code).await?;
        }
        self.drop_chat(room).await?;
        self.drop_lease(room).await
    }

    /// At most `count` entries of a log after the first `after`.
    pub(super) async fn load_page(&self, room: RoomId, after: u64, most: usize) -> Result<Vec<Entry>, StoreError> {
        let key = self.keys.log(room);
        self.numbered_page(room, after, most).await?.into_iter().map(|(_, line)| decode(&key, &line)).collect()
    }

    async fn numbered_page(&self, room: RoomId, after: u64, most: usize) -> Result<Vec<(u64, Vec<u8>)>, StoreError> {
        let key = self.keys.log(room);
        numbered(&key, self.connection.ask(&range(&key, after, most)).await?)
    }

    pub(super) async fn append_to_log(&self, room: RoomId, batch: Batch) -> Result<Appended, StoreError> {
        let key = self.keys.log(room);
        let head = batch.after.after(&batch.entries);
        // With replicas to wait for, other relays are signalled afterwards: their clients must not see what a failover may lose.
        let channel = if self.replication.is_off() { self.keys.signals(room) } else { String::new() };
        let call = script::APPEND
            .on(&[&key, &self.keys.state(room)])
            .with(batch.after.version)
            .with(batch.after.write_id)
            .with(batch.frees.as_ref().map_or(String::new(), |_| milliseconds(self.keep).to_string()))
            .with(batch.state.unwrap_or_default())
            .with(channel)
            .with(self.signals.name())
            .with(head.write_id)
            .with(encode(&batch.entries)?);
        // Without enough replicas the entry is in the log of the primary all the same. The next attempt finds it there, and waits
        // again. Entries of other relays that a conflict returns may be as new.
        let answer: Value = self.replication.run(&call).await?;
        match answer {
            Value::Okay => self.announce(room, head).await?,
            Value::SimpleString(status) if status == "DIVERGED" => return Ok(Appended::Diverged),
            Value::Array(missing) => {
                let line = |line: &Value| match line {
                    Value::BulkString(line) => decode(&key, line),
                    _ => Err(corrupt(&key, "an entry is not UTF-8")),
                };
                let missing = missing.iter().map(line).collect::<Result<Vec<_>, _>>()?;
                self.announce(room, batch.after.after(&missing)).await?;
                return Ok(Appended::Conflict(missing));
            }
            Value::Int(0) => return Err(corrupt(&key, "the room does not exist")),
            other => return Err(corrupt(&key, format_args!("unexpected answer to an append: {other:?}"))),
        }
        if let Some(code) = &batch.frees
            && let Err(error) = self.finish_closing(room, Some(code)).await
        {
            // The room is closed all the same; a later relay completes this.
            tracing::warn!(%room, %error, "releasing code, chat and lease of a closed room failed");
        }
        Ok(Appended::Done)
    }

    /// Frees a code if it belongs to this room.
    pub(super) async fn free_code(&self, room: RoomId, code: &Code) -> Result<(), StoreError> {
        self.swap(code, Holder::Open(room), Holder::Free(room), Some(self.keep)).await.map(|_| ())
    }

    /// Compare-and-swap of the state of a code. Returns its state afterwards.
    async fn swap(&self, code: &Code, old: Holder, new: Holder, lasts: Option<Duration>) -> Result<Holder, StoreError> {
        let (key, call) = self.swap_call(code, old, new, lasts);
        let holder: String = call.run(&self.connection).await?;
        Holder::parse(&key, &holder)
    }

    /// The key of a code, and the call that swaps its state.
    fn swap_call(&self, code: &Code, old: Holder, new: Holder, lasts: Option<Duration>) -> (String, Call) {
        let key = self.keys.code(code);
        let call = script::SWAP
            .on(&[&key])
            .with(old.to_string())
            .with(new.to_string())
            .with(lasts.map_or(String::new(), |lasts| milliseconds(lasts).to_string()));
        (key, call)
    }
}

impl std::fmt::Display for Holder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::None => Ok(()),
            Self::Claimed(room) => write!(f, "claimed {room}"),
            Self::Open(room) => write!(f, "open {room}"),
            Self::Free(room) => write!(f, "free {room}"),
        }
    }
}

impl Holder {
    fn parse(key: &str, text: &str) -> Result<Self, StoreError> {
        if text.is_empty() {
            return Ok(Self::None);
        }
        let holder = text.split_once(' ').and_then(|(word, room)| {
            let room = room.parse().ok()?;
            match word {
                "claimed" => Some(Self::Claimed(room)),
                "open" => Some(Self::Open(room)),
                "free" => Some(Self::Free(room)),
                _ => None,
            }
        });
        holder.ok_or_else(|| corrupt(key, format_args!("{text:?} is no room")))
    }
}

fn encode(entries: &[Entry]) -> Result<Vec<Vec<u8>>, StoreError> {
    let line = |entry| serde_json::to_vec(entry).map_err(|error| corrupt("new entry", error));
    entries.iter().map(line).collect()
}

fn decode(key: &str, line: &[u8]) -> Result<Entry, StoreError> {
    serde_json::from_slice(line).map_err(|error| corrupt(key, error))
}

/// An item of a stream: an id, and a list of field names and values.
type Item = (String, Vec<Vec<u8>>);

/// The command that reads at most `most` lines of a log after the first `after`.
fn range(key: &str, after: u64, most: usize) -> Cmd {
    let first = format!("{}-0", after.saturating_add(1));
    let mut range = redis::cmd("XRANGE");
    range.arg(key).arg(first).arg("+").arg("COUNT").arg(most);
    range
}

/// The lines of its answer, with their numbers.
fn numbered(key: &str, page: Vec<Item>) -> Result<Vec<(u64, Vec<u8>)>, StoreError> {
    page.into_iter()
        .map(|(id, mut fields)| {
            match (fields.len(), fields.pop(), id.split('-').next().and_then(|number| number.parse().ok())) {
                (2, Some(line), Some(number)) => Ok((number, line)),
                _ => Err(corrupt(key, format_args!("entry {id} has an unknown form"))),
            }
        })
        .collect()
}

/// An expiry of at least one: zero would delete the key at once.
fn milliseconds(duration: Duration) -> u64 {
    // Redis adds it to the current time, which must not overflow.
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX).clamp(1, 1 << 53)
}
