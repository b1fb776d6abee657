//! Rooms and their codes.
//!
//! A code and the room behind it are on different nodes of a Cluster, so nothing can change both at once. Every step below
//! leaves something that the next one who comes by can make sense of:
//!
//! 1. the code is claimed, for a few seconds only: if we die now, it is free again by itself;
//! 2. the lease and the log are written: if we die now, a relay adopts the room, finds nobody in it, and closes it;
//! 3. the claim is made good, if it is still ours: from now on the code opens the room.
//!
//! When a room is closed, first the log says so (and begins to run out), then the code is set free, then the lease is given
//! up. If we die in between, whoever wants the code looks at the room and sees that it is closed, and whoever adopts the room
//! does the rest.

use std::time::{Duration, Instant};

use redis::Value;
use tokio::time::sleep;

use super::error::corrupt;
use super::{Redis, script};
use crate::room::{Code, Entry, RoomId};
use crate::store::{Appended, Batch, Created, StoreError};

/// How long a claim lasts. Making it good takes three short ways to Redis and back.
const CLAIM: Duration = Duration::from_secs(5);

/// How long to wait for somebody else's claim to be made good, or not, and how often to look.
const CLAIM_PATIENCE: Duration = Duration::from_secs(2);
const CLAIM_POLL: Duration = Duration::from_millis(20);

/// So many lines are read at once, so that a long log does not keep others waiting.
const PAGE: usize = 1000;

/// What a code is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holder {
    Nobody,
    Claimed(RoomId),
    Open(RoomId),
    Free(RoomId),
}

impl Redis {
    pub(super) async fn create_room(&self, room: RoomId, code: &Code, log: &[Entry]) -> Result<Created, StoreError> {
        let lines = encode(log)?;
        if let Some(other) = self.claim(room, code).await? {
            return if other == room { Ok(Created::Done) } else { Ok(Created::Taken(other)) };
        }
        self.take_lease(room).await?;
        script::OPEN.on(&[&self.keys.log(room)]).with(&lines).run::<()>(&self.connection).await?;
        match self.swap(code, Holder::Claimed(room), Holder::Open(room), None).await? {
            Holder::Open(holder) if holder == room => Ok(Created::Done),
            // We were so slow that the claim has run out, and nobody has ever heard of our room.
            holder => {
                let _: () = self.connection.ask(redis::cmd("DEL").arg(self.keys.log(room))).await?;
                self.drop_lease(room).await?;
                match holder {
                    Holder::Claimed(other) | Holder::Open(other) => Ok(Created::Taken(other)),
                    Holder::Nobody | Holder::Free(_) => {
                        Err(StoreError::Unavailable("it takes too long to open a room".to_owned()))
                    }
                }
            }
        }
    }

    /// Claims a code, or says who has it.
    async fn claim(&self, room: RoomId, code: &Code) -> Result<Option<RoomId>, StoreError> {
        let began = Instant::now();
        let mut expected = Holder::Nobody;
        loop {
            let holder = self.swap(code, expected, Holder::Claimed(room), Some(CLAIM)).await?;
            match holder {
                Holder::Claimed(holder) if holder == room => return Ok(None),
                Holder::Claimed(other) => {
                    // In a moment it opens that room, or it never will.
                    if began.elapsed() > CLAIM_PATIENCE {
                        return Ok(Some(other));
                    }
                    sleep(CLAIM_POLL).await;
                    expected = Holder::Nobody;
                }
                Holder::Open(other) if other == room || self.is_open(other).await? => return Ok(Some(other)),
                // Nobody needs it any more, unless somebody is quicker.
                Holder::Open(_) | Holder::Free(_) | Holder::Nobody => expected = holder,
            }
        }
    }

    pub(super) async fn find_room(&self, code: &Code) -> Result<Option<RoomId>, StoreError> {
        let key = self.keys.code(code);
        let value: Option<String> = self.connection.ask(redis::cmd("GET").arg(&key)).await?;
        Ok(match Holder::parse(&key, &value.unwrap_or_default())? {
            Holder::Nobody | Holder::Claimed(_) => None,
            Holder::Open(room) | Holder::Free(room) => Some(room),
        })
    }

    /// Whether a room is there and not closed. The log of one that is closed runs out some time.
    pub(super) async fn is_open(&self, room: RoomId) -> Result<bool, StoreError> {
        let left: i64 = self.connection.ask(redis::cmd("PTTL").arg(self.keys.log(room))).await?;
        Ok(left == -1)
    }

    pub(super) async fn load_log(&self, room: RoomId, after: u64) -> Result<Vec<Entry>, StoreError> {
        let mut log = Vec::new();
        let mut after = after;
        loop {
            let page = self.page(room, after, PAGE).await?;
            let is_last = page.len() < PAGE;
            after = after.saturating_add(page.len() as u64);
            log.extend(page);
            if is_last {
                return Ok(log);
            }
        }
    }

    /// At most so many lines of a log, after the first so many.
    pub(super) async fn page(&self, room: RoomId, after: u64, most: usize) -> Result<Vec<Entry>, StoreError> {
        let key = self.keys.log(room);
        let first = format!("{}-0", after.saturating_add(1));
        let mut range = redis::cmd("XRANGE");
        range.arg(&key).arg(first).arg("+").arg("COUNT").arg(most);
        // An id, and the fields with their names.
        let page: Vec<(String, Vec<Vec<u8>>)> = self.connection.ask(&range).await?;
        page.iter()
            .map(|(id, fields)| match fields.as_slice() {
                [_, line] => decode(&key, line),
                _ => Err(corrupt(&key, format_args!("the line {id} is not ours"))),
            })
            .collect()
    }

    pub(super) async fn append_to_log(&self, room: RoomId, batch: Batch) -> Result<Appended, StoreError> {
        let key = self.keys.log(room);
        let answer: Value = script::APPEND
            .on(&[&key, &self.keys.state(room)])
            .with(batch.after)
            .with(batch.frees.as_ref().map_or(String::new(), |_| milliseconds(self.keep).to_string()))
            .with(batch.state.unwrap_or_default())
            .with(self.keys.signals(room))
            .with(self.signals.name())
            .with(encode(&batch.entries)?)
            .run(&self.connection)
            .await?;
        match answer {
            Value::Okay => {}
            Value::Array(missing) => {
                let line = |line: &Value| match line {
                    Value::BulkString(line) => decode(&key, line),
                    _ => Err(corrupt(&key, "a line is not text")),
                };
                return Ok(Appended::Behind(missing.iter().map(line).collect::<Result<_, _>>()?));
            }
            Value::Int(0) => return Err(corrupt(&key, "there is no such room")),
            Value::Int(length) => {
                let known = batch.after;
                return Err(corrupt(&key, format_args!("it has {length} lines, and should have {known}")));
            }
            other => return Err(corrupt(&key, format_args!("adding to it was answered with {other:?}"))),
        }
        if let Some(code) = &batch.frees {
            let (freed, dropped) = tokio::join!(self.free_code(room, code), self.drop_lease(room));
            if let Err(error) = freed.and(dropped) {
                // It is closed all the same, and whoever comes by does this.
                tracing::warn!(%room, %error, "a closed room could not be tidied away");
            }
        }
        Ok(Appended::Done)
    }

    /// Sets a code free, if it is this room's.
    pub(super) async fn free_code(&self, room: RoomId, code: &Code) -> Result<(), StoreError> {
        self.swap(code, Holder::Open(room), Holder::Free(room), Some(self.keep)).await.map(|_| ())
    }

    /// Changes what a code is good for, if it is what we think. Returns what it is now.
    async fn swap(&self, code: &Code, old: Holder, new: Holder, lasts: Option<Duration>) -> Result<Holder, StoreError> {
        let key = self.keys.code(code);
        let holder: String = script::SWAP
            .on(&[&key])
            .with(old.to_string())
            .with(new.to_string())
            .with(lasts.map_or(String::new(), |lasts| milliseconds(lasts).to_string()))
            .run(&self.connection)
            .await?;
        Holder::parse(&key, &holder)
    }
}

impl std::fmt::Display for Holder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Nobody => Ok(()),
            Self::Claimed(room) => write!(f, "claimed {room}"),
            Self::Open(room) => write!(f, "open {room}"),
            Self::Free(room) => write!(f, "free {room}"),
        }
    }
}

impl Holder {
    fn parse(key: &str, text: &str) -> Result<Self, StoreError> {
        if text.is_empty() {
            return Ok(Self::Nobody);
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
    let line = |entry| serde_json::to_vec(entry).map_err(|error| corrupt("a line that is new", error));
    entries.iter().map(line).collect()
}

fn decode(key: &str, line: &[u8]) -> Result<Entry, StoreError> {
    serde_json::from_slice(line).map_err(|error| corrupt(key, error))
}

/// At least one: none would be at once, before anybody has seen it.
fn milliseconds(duration: Duration) -> u64 {
    // Redis adds it to its own time, which must not overflow.
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX).clamp(1, 1 << 53)
}
