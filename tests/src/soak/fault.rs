/// The site that a fault concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Two relays on one Redis.
    Shared,
    /// A relay with an embedded store.
    Embedded,
}

macro_rules! faults {
    ($($fault:ident $place:ident $name:literal,)*) => {
        /// What can fail.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Fault { $($fault,)* }

        impl Fault {
            pub(super) const ALL: [Self; [$($name),*].len()] = [$(Self::$fault,)*];

            /// What happens, in words.
            pub(super) const fn name(self) -> &'static str {
                match self { $(Self::$fault => $name,)* }
            }

            pub(super) const fn place(self) -> Place {
                match self { $(Self::$fault => Place::$place,)* }
            }
        }
    };
}

faults!(
    RelayKilled Shared "kill -9 of a relay",
    BothRelaysKilled Shared "kill -9 of both relays",
    RelaySuspended Shared "SIGSTOP of a relay",
    RelayTerminated Shared "SIGTERM of a relay",
    RedisKilled Shared "kill -9 of Redis",
    RedisSuspended Shared "SIGSTOP of Redis",
    Failover Shared "failover to the replica",
    DiskOfRedisFull Shared "full disk of Redis",
    MemoryOfRedisFull Shared "full memory of Redis",
    ScriptsFlushed Shared "SCRIPT FLUSH",
    SubscriptionsCut Shared "subscriptions cut",
    StoreConnectionsCut Shared "connections to Redis cut",
    StoreAnswersHeld Shared "answers of Redis held",
    StoreConnectionsHeld Shared "connections to Redis held",
    ClockAhead Shared "clock of Redis jumps ahead",
    ClockBack Shared "clock of Redis jumps back",
    ClientConnectionsCut Shared "connections of clients cut",
    ClientConnectionsSlow Shared "connections of clients slow",
    ClientConnectionsHeld Shared "connections of clients held",
    EmbeddedKilled Embedded "kill -9 of the embedded relay",
    EmbeddedSuspended Embedded "SIGSTOP of the embedded relay",
    EmbeddedTerminated Embedded "SIGTERM of the embedded relay",
    EmbeddedDiskFull Embedded "full disk of the embedded relay",
);
