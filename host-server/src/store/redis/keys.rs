use crate::room::{Code, RoomId};
use crate::store::Drawer;

/// What everything is called. The module above says what each of them is.
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

    /// The room that a channel is about.
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

    pub(super) fn drawer(&self, drawer: Drawer) -> String {
        let name = match drawer {
            Drawer::Boards => "boards",
            Drawer::Sessions => "sessions",
        };
        format!("{}{{{name}}}", self.prefix)
    }

    pub(super) fn version(&self, drawer: Drawer) -> String {
        self.drawer(drawer) + ":version"
    }
}
