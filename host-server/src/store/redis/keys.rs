use crate::room::{Code, RoomId};
use crate::store::Collection;

/// The names of keys and channels. The parent module documents each of them.
#[derive(Debug)]
pub(super) struct Keys {
    prefix: String,
}

impl Keys {
    pub(super) fn new(prefix: &str) -> Self {
        Self { prefix: prefix.to_owned() }
    }

    pub(super) fn log(&self, room: RoomId) -> String {
        format!("{}{{{room}}}:log", self.prefix)
    }

    pub(super) fn state(&self, room: RoomId) -> String {
        format!("{}{{{room}}}:state", self.prefix)
    }

    pub(super) fn signals(&self, room: RoomId) -> String {
        format!("{}{{{room}}}:signals", self.prefix)
    }

    /// The room of a channel.
    pub(super) fn room_of_signals(&self, channel: &str) -> Option<RoomId> {
        channel.strip_prefix(&self.prefix)?.strip_prefix('{')?.strip_suffix("}:signals")?.parse().ok()
    }

    pub(super) fn echo(&self, store: u64) -> String {
        format!("{}echo:{store:016x}", self.prefix)
    }

    pub(super) fn code(&self, code: &Code) -> String {
        format!("{}code:{code}", self.prefix)
    }

    pub(super) fn beats(&self) -> String {
        format!("{}{{relays}}:beats", self.prefix)
    }

    pub(super) fn leases(&self) -> String {
        format!("{}{{relays}}:leases", self.prefix)
    }

    pub(super) fn time(&self) -> String {
        format!("{}{{relays}}:time", self.prefix)
    }

    /// Written to find out whether replicas have everything before it.
    pub(super) fn replicated(&self) -> String {
        format!("{}{{relays}}:replicated", self.prefix)
    }

    pub(super) fn collection(&self, collection: Collection) -> String {
        let name = match collection {
            Collection::Boards => "boards",
            Collection::Sessions => "sessions",
            Collection::Genomes => "genomes",
            Collection::Presets => "presets",
            Collection::LiveChess => "livechess",
            Collection::Scripts => "scripts",
            Collection::BoardGames => "board-games",
            Collection::ShortCodes => "short-codes",
        };
        format!("{}{{{name}}}", self.prefix)
    }

    pub(super) fn version(&self, collection: Collection) -> String {
        self.collection(collection) + ":version"
    }
}
