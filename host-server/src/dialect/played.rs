//! Finds a game in the log of its room.

use crate::room::{Entry, Fact, Phase, Room, Time};

/// A game in a room, in progress or finished.
#[derive(Clone, Debug)]
pub(super) struct Played {
    /// The room when the game ended, with its players still seated; or the current room.
    pub(super) room: Room,
    /// The number of the game in the room, from 1.
    pub(super) number: u32,
    /// When it began, in seconds since 1970.
    pub(super) began_on: u64,
    /// How many games were begun in the room.
    pub(super) games: u32,
    /// The room now, if it is open.
    pub(super) open: Option<Box<Room>>,
}

/// Finds a game by its number, or the last one.
pub(super) fn find(log: &[Entry], number: Option<u32>) -> Option<Played> {
    let (first, rest) = log.split_first()?;
    let mut room = Room::from_log(std::slice::from_ref(first))?;
    let mut begun: Option<(u32, u64)> = None;
    // Entries after the end are not part of the game.
    let mut ended: Option<Room> = None;
    for entry in rest {
        room.apply(entry);
        match entry.fact {
            Fact::Began { .. } if begun.is_none_or(|(found, _)| Some(found) != number) => {
                begun = Some((room.games(), date(&room, first.at, entry.at)));
                ended = None;
            }
            Fact::Ended(_) if ended.is_none() => ended = Some(room.clone()),
            _ => {}
        }
    }
    let (found, began_on) = begun.filter(|&(found, _)| number.is_none_or(|number| number == found))?;
    let games = room.games();
    let open = (room.phase() != Phase::Closed).then(|| Box::new(room.clone()));
    Some(Played { room: ended.unwrap_or(room), number: found, began_on, games, open })
}

/// The store's time excludes downtime, so this may be early. PGN needs only the day.
fn date(room: &Room, opened: Time, at: Time) -> u64 {
    room.opened_on().saturating_add(at.since(opened) / 1_000)
}

#[cfg(test)]
mod tests {
    use chess::Color;
    use rules::{Verdict, Why};

    use super::*;
    use crate::room::{
        Ability, Act, Command, Participant, Player, RelayId, RoomId, SideChoice, Stamp, Terms, TokenHash, UserId,
    };

    /// Writes a log by attempts on a room.
    struct Writer {
        log: Vec<Entry>,
        room: Room,
    }

    impl Writer {
        fn new() -> Self {
            let code = "abc".parse().unwrap();
            let opened = Fact::Opened { room: RoomId(1), code, terms: Terms::default(), on: 86_400 };
            let log = vec![Entry { at: Time(500), write_id: 1, from: None, fact: opened }];
            let room = Room::from_log(&log).unwrap();
            let mut writer = Self { log, room };
            for name in ["Ana", "Bo"] {
                let id: UserId = format!("{name:_<12}").parse().unwrap();
                let player = Player {
                    id: id.clone(),
                    name: name.parse().unwrap(),
                    token: TokenHash::of(name),
                    ability: Ability::Documented,
                };
                writer.then(&Command::Sit { player, side: SideChoice::First });
                writer.then(&Command::Connect { user: id, relay: RelayId(1) });
            }
            writer
        }

        fn then(&mut self, command: &Command) {
            let now = self.room.last_at().after(1_000);
            let draft = self.room.attempt(command, Stamp { received: now, now, write_id: 1 });
            assert_eq!(draft.refused, None, "{command:?}");
            self.room = std::sync::Arc::unwrap_or_clone(draft.after);
            self.log.extend(draft.entries);
        }

        fn act(&mut self, color: Color, act: Act) {
            let Player { id, name, .. } = self.room.seat(color).unwrap().player.clone();
            let (by, game) = (Participant { id, name }, self.room.current_game());
            self.then(&Command::Act { by, act, game, event: None });
        }

        fn play(&mut self, moves: &str) {
            for mv in moves.split_whitespace() {
                let color = self.room.game().to_move();
                self.act(color, Act::Move { ply: mv.parse().unwrap(), number: None });
            }
        }
    }

    fn found(writer: &Writer, number: Option<u32>) -> Option<(u32, String, Option<Verdict>)> {
        let played = find(&writer.log, number)?;
        let moves: Vec<String> = played.room.game().plies_from(0).map(|ply| ply.to_string()).collect();
        Some((played.number, moves.join(" "), played.room.verdict()))
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
        writer.act(Color::Black, Act::Resign);
        let first = (1, "e2e4 e7e5".to_owned(), Some(Verdict::Won { winner: Color::White, why: Why::Resignation }));
        assert_eq!(found(&writer, None), Some(first.clone()));
        writer.act(Color::White, Act::OfferRematch);
        writer.act(Color::Black, Act::OfferRematch);
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
        writer.act(Color::White, Act::Abort);
        writer.act(Color::White, Act::OfferRematch);
        writer.act(Color::Black, Act::OfferRematch);
        writer.act(Color::White, Act::Leave);
        writer.act(Color::Black, Act::Leave);
        let white =
            |number| find(&writer.log, number).unwrap().room.seat(Color::White).unwrap().player.name.to_string();
        assert_eq!((white(Some(1)), white(Some(2)), white(None)), ("Ana".into(), "Bo".into(), "Bo".into()));
        assert_eq!(find(&writer.log, None).unwrap().began_on, 86_407);
    }

    #[test]
    fn moves_taken_back_are_left_out() {
        let mut writer = Writer::new();
        writer.play("e2e4 e7e5 g1f3");
        writer.act(Color::White, Act::AskTakeback { plies: 3 });
        writer.act(Color::Black, Act::AcceptTakeback { plies: 3 });
        writer.play("d2d4");
        assert_eq!(found(&writer, None), Some((1, "d2d4".to_owned(), None)));
    }
}
