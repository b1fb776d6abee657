//! A game out of the log of its room.

use crate::room::{Entry, Fact, Room, Time};

/// A game that was begun in a room, as it is or as it ended.
#[derive(Clone, Debug)]
pub(super) struct Played {
    /// The room when the game ended, with its players still in their seats; or as it is, if the game goes on.
    pub(super) room: Room,
    /// Which of the games in the room it is, from 1.
    pub(super) number: u32,
    /// When it began, by the calendar: seconds since 1970.
    pub(super) began_on: u64,
}

/// Finds a game in a log: this one, or the last. There is none if it was not begun.
pub(super) fn find(log: &[Entry], number: Option<u32>) -> Option<Played> {
    let (first, rest) = log.split_first()?;
    let mut room = Room::from_log(std::slice::from_ref(first))?;
    let mut begun: Option<(u32, u64)> = None;
    // Who leaves, comes or says something after the end is not part of the game.
    let mut ended: Option<Room> = None;
    for entry in rest {
        room.apply(entry);
        match entry.fact {
            Fact::Began { .. } if begun.is_some_and(|(found, _)| Some(found) == number) => break,
            Fact::Began { .. } => {
                begun = Some((room.games(), date(&room, first.at, entry.at)));
                ended = None;
            }
            Fact::Ended(_) if ended.is_none() => ended = Some(room.clone()),
            _ => {}
        }
    }
    let (found, began_on) = begun.filter(|&(found, _)| number.is_none_or(|number| number == found))?;
    Some(Played { room: ended.unwrap_or(room), number: found, began_on })
}

/// The store's time does not count while nobody could play, so this may be early. It is the day that matters.
fn date(room: &Room, opened: Time, at: Time) -> u64 {
    room.opened_on().saturating_add(at.since(opened) / 1_000)
}

#[cfg(test)]
mod tests {
    use chess::Color;

    use super::*;
    use crate::room::{Command, Ending, Player, Reason, RelayId, RoomId, Terms, TokenHash, Wish};

    /// A log that is written by a room itself.
    struct Writer {
        log: Vec<Entry>,
        room: Room,
    }

    impl Writer {
        fn new() -> Self {
            let code = "abc".parse().unwrap();
            let opened = Fact::Opened { room: RoomId(1), code, terms: Terms::default(), on: 86_400 };
            let log = vec![Entry { at: Time(500), pen: 1, from: None, fact: opened }];
            let room = Room::from_log(&log).unwrap();
            let mut writer = Self { log, room };
            for (name, color) in [("Ana", Color::White), ("Bo", Color::Black)] {
                let id = format!("{name:_<12}").parse().unwrap();
                let player = Player { id, name: name.parse().unwrap(), token: TokenHash::of(name) };
                writer.then(&Command::Sit { player, wish: Wish::First, dice: 0 });
                writer.then(&Command::Come { color, relay: RelayId(1) });
            }
            writer
        }

        fn then(&mut self, command: &Command) {
            let now = self.room.last_at().after(1_000);
            let draft = self.room.attempt(command, None, now, now, 1);
            assert_eq!(draft.refused, None, "{command:?}");
            self.room = std::sync::Arc::unwrap_or_clone(draft.after);
            self.log.extend(draft.entries);
        }

        fn play(&mut self, moves: &str) {
            for mv in moves.split_whitespace() {
                let color = self.room.game().position().turn();
                self.then(&Command::Move { color, mv: mv.parse().unwrap(), ply: None });
            }
        }
    }

    fn found(writer: &Writer, number: Option<u32>) -> Option<(u32, String, Option<Ending>)> {
        let played = find(&writer.log, number)?;
        let moves: Vec<String> = played.room.game().moves().iter().map(ToString::to_string).collect();
        Some((played.number, moves.join(" "), played.room.ending()))
    }

    #[test]
    fn a_log_without_a_game_has_none() {
        assert!(find(&[], None).is_none());
        assert!(find(&Writer::new().log[..2], None).is_none());
    }

    #[test]
    fn each_game_of_a_room_is_found() {
        let mut writer = Writer::new();
        assert_eq!(found(&writer, None), Some((1, String::new(), None)));
        writer.play("e2e4 e7e5");
        assert_eq!(found(&writer, Some(1)), Some((1, "e2e4 e7e5".to_owned(), None)));
        writer.then(&Command::Resign(Color::Black));
        let first =
            (1, "e2e4 e7e5".to_owned(), Some(Ending { reason: Reason::Resignation, winner: Some(Color::White) }));
        assert_eq!(found(&writer, None), Some(first.clone()));
        writer.then(&Command::OfferRematch { color: Color::White, dice: 7 });
        writer.then(&Command::OfferRematch { color: Color::Black, dice: 7 });
        writer.play("d2d4");
        assert_eq!(found(&writer, None), Some((2, "d2d4".to_owned(), None)));
        assert_eq!(found(&writer, Some(1)), Some(first));
        assert_eq!(found(&writer, Some(3)), None);
        assert_eq!(found(&writer, Some(0)), None);
    }

    /// Colours change with a rematch, and each game has the names that it was played with.
    #[test]
    fn names_are_those_of_the_game() {
        let mut writer = Writer::new();
        writer.then(&Command::Abort(Color::White));
        writer.then(&Command::OfferRematch { color: Color::White, dice: 7 });
        writer.then(&Command::OfferRematch { color: Color::Black, dice: 7 });
        writer.then(&Command::Leave(Color::White));
        writer.then(&Command::Leave(Color::Black));
        let white =
            |number| find(&writer.log, number).unwrap().room.seat(Color::White).unwrap().player.name.to_string();
        assert_eq!((white(Some(1)), white(Some(2)), white(None)), ("Ana".into(), "Bo".into(), "Bo".into()));
        assert_eq!(find(&writer.log, None).unwrap().began_on, 86_407);
    }

    #[test]
    fn what_is_taken_back_was_not_played() {
        let mut writer = Writer::new();
        writer.play("e2e4 e7e5 g1f3");
        writer.then(&Command::AskTakeback { color: Color::White, plies: 3 });
        writer.then(&Command::AllowTakeback { color: Color::Black, plies: 3 });
        writer.play("d2d4");
        assert_eq!(found(&writer, None), Some((1, "d2d4".to_owned(), None)));
    }
}
