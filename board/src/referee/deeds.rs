use wire::link::Event;

/// What a referee has decided to do about something. The rest of the board carries it out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Tell whoever is at the other end of the link, and the journal.
    Say(Event),
    /// A new game has begun here, in place of the one before.
    Begin,
}

/// Some deeds, in order. One thing that happens never leads to more than this.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Deeds {
    deeds: [Option<Deed>; 6],
}

impl Deeds {
    pub(super) fn say(&mut self, event: Event) {
        self.push(Deed::Say(event));
    }

    pub(super) fn push(&mut self, deed: Deed) {
        if let Some(slot) = self.deeds.iter_mut().find(|slot| slot.is_none()) {
            *slot = Some(deed);
        }
    }

    /// Whether there is nothing to do.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.deeds.iter().all(Option::is_none)
    }
}

impl IntoIterator for Deeds {
    type Item = Deed;
    type IntoIter = core::iter::Flatten<core::array::IntoIter<Option<Deed>, 6>>;

    fn into_iter(self) -> Self::IntoIter {
        self.deeds.into_iter().flatten()
    }
}
