//! What is told about what happens. It is put into words once, however many hear it.

use axum::extract::ws::Utf8Bytes;
use chess::Color;

use super::scene::{self, Past, note};
use super::writing::{Chat, Close, Extra, Passage, Passer, Role, Side, SquareList};
use crate::relay::{Happening, News, Tongue, Watcher, Whisper, Words};
use crate::room::{Entry, Fact, Line, Phase, Reason, Room, UserId};
use crate::tongue::frame;
use crate::tongue::notation::Shown;

/// Who hears it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hearer<'a> {
    pub(super) id: &'a UserId,
    /// Where they sit once it has happened.
    pub(super) color: Option<Color>,
}

/// All frames about something that has happened in a room that was like this before.
pub(super) fn words(before: &Room, happening: &Happening, extras: bool) -> Words {
    let tongue = if extras { Tongue::ChessataExtras } else { Tongue::Chessata };
    happening.said_in(tongue, || {
        let mut frames = Vec::new();
        match &happening.news {
            News::Entry(entry) => tell(before, entry, &happening.room, extras, &mut frames),
            News::Whisper(whisper) => tell_whisper(whisper, &happening.room, extras, &mut frames),
        }
        frames
    })
}

/// Those of the frames that are for somebody: few things are not the same for all.
pub(super) fn heard<'w>(words: &'w Words, news: &News, hearer: Hearer<'_>) -> impl Iterator<Item = &'w Utf8Bytes> {
    let (skipped, kept) = match news {
        // There are three ways to begin, and each hears one.
        News::Entry(entry) if matches!(entry.fact, Fact::Began { .. }) => (0..3, Some(start_of(hearer.color))),
        // Who comes has been greeted with it.
        News::Whisper(Whisper::Watching { came, .. }) => {
            let own = came.iter().position(|watcher| watcher.id == *hearer.id);
            (own.map_or(0..0, |own| own..own + 1), None)
        }
        _ => (0..0, None),
    };
    let is_for = move |index: &usize| kept == Some(*index) || !skipped.contains(index);
    words.iter().enumerate().filter(move |(index, _)| is_for(index)).map(|(_, frame)| frame)
}

const STARTS: [Option<Color>; 3] = [Some(Color::White), Some(Color::Black), None];

fn start_of(color: Option<Color>) -> usize {
    STARTS.iter().position(|&start| start == color).unwrap_or_default()
}

fn tell(before: &Room, entry: &Entry, room: &Room, extras: bool, frames: &mut Vec<Utf8Bytes>) {
    let at = entry.at;
    // Those who know more words hear it in them, and the others as a note.
    let mut say = |extra: Extra<'_>, words: &dyn Fn() -> String| {
        frames.push(if extras { frame(&extra) } else { note(words()) });
    };
    match &entry.fact {
        Fact::Opened { .. } => {}
        &Fact::Sat { color, .. } => frames.extend(scene::player_joins(room, color, extras)),
        &Fact::Came { color, .. } | &Fact::Went { color, .. } => {
            let is_here = |room: &Room| room.seat(color).is_some_and(crate::room::Seated::is_here);
            let here = is_here(room);
            if here != is_here(before) {
                if extras {
                    let grace_ms = (!here).then_some(room.terms().grace);
                    frames.push(frame(&Extra::Presence { color: Shown(color), here, grace_ms }));
                } else if room.phase() == Phase::Playing
                    && let Some(seated) = room.seat(color)
                {
                    let what = if here { "is back." } else { "has lost the connection." };
                    frames.push(note(format!("{} {what}", seated.player.name)));
                }
            }
        }
        &Fact::Left { color } => {
            // Who had been away for too long has left before the game ended, as the document has it.
            let is_told = before.phase() == Phase::Over
                && before.ending().is_some_and(|end| end.reason == Reason::Disconnect && end.winner == Some(!color));
            if !is_told {
                frames.extend(scene::player_leaves(before, color, extras));
            }
        }
        Fact::Counting { until } => {
            let ms = until.since(at);
            say(Extra::Countdown { ms }, &|| format!("The game begins in {} seconds.", ms.div_ceil(1_000)));
        }
        Fact::Halted => say(Extra::CountdownStopped, &|| "The game does not begin yet.".to_owned()),
        Fact::Began { .. } => {
            frames.extend(STARTS.map(|color| scene::start(room, color, extras)));
            scene::state(room, &Past::After(before), at, extras, frames);
        }
        Fact::Moved { .. } | Fact::TakenBack { .. } => {
            scene::state(room, &Past::After(before), at, extras, frames);
        }
        &Fact::DrawOffered { color } => {
            let offer = Extra::Offer { kind: "draw", color: Shown(color), plies: None };
            say(offer, &|| format!("{} offers a draw.", name(color)));
        }
        Fact::DrawDeclined => {
            say(Extra::OfferDeclined { kind: "draw" }, &|| "The draw is declined.".to_owned());
        }
        &Fact::TakebackAsked { color, plies } => {
            let offer = Extra::Offer { kind: "takeback", color: Shown(color), plies: Some(plies) };
            say(offer, &|| format!("{} asks to take back {plies} plies.", name(color)));
        }
        Fact::TakebackDeclined => {
            say(Extra::OfferDeclined { kind: "takeback" }, &|| "Nothing is taken back.".to_owned());
        }
        &Fact::RematchOffered { color } => {
            let offer = Extra::Offer { kind: "rematch", color: Shown(color), plies: None };
            say(offer, &|| format!("{} would like to play again.", name(color)));
        }
        Fact::RematchDeclined => {
            say(Extra::OfferDeclined { kind: "rematch" }, &|| "There is no other game.".to_owned());
        }
        &Fact::Hints { color, on } => {
            if extras {
                frames.push(frame(&Extra::Hints { color: Shown(color), on, agreed: room.hints() }));
            }
        }
        &Fact::Ended(ending) => {
            // The document tells of the leaver first, and then of the end.
            if let (Reason::Disconnect, Some(winner)) = (ending.reason, ending.winner) {
                frames.extend(scene::player_leaves(room, !winner, extras));
            }
            frames.push(scene::end(room, ending, at, extras));
        }
        Fact::Said { speaker, text } => {
            let line = Line { speaker: speaker.clone(), text: text.clone() };
            let mut chat = Chat::from(&line);
            if !extras {
                chat.extras = None;
            }
            frames.push(frame(&chat));
        }
        Fact::Closed => frames.push(frame(&Close { message: "Both players have left the match." })),
    }
}

const fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

fn tell_whisper(whisper: &Whisper, room: &Room, extras: bool, frames: &mut Vec<Utf8Bytes>) {
    match whisper {
        Whisper::Watching { came, went, count } => {
            frames.extend(came.iter().map(|watcher| watcher_joins(watcher, extras)));
            frames.extend(went.iter().map(|watcher| frame(&Passage::Leave(passer(watcher, extras)))));
            if extras {
                frames.push(frame(&Extra::Watching { count: *count }));
            }
        }
        Whisper::Wood { id, wood } => {
            if extras && let Some(color) = room.seat_of(id) {
                frames.push(frame(&Extra::Wood {
                    color: Shown(color),
                    occupied: SquareList(wood.occupied),
                    in_hand: SquareList(wood.in_hand),
                    astray: SquareList(wood.astray),
                }));
            }
        }
    }
}

/// That somebody has come to watch.
pub(super) fn watcher_joins(watcher: &Watcher, extras: bool) -> Utf8Bytes {
    frame(&Passage::Join(passer(watcher, extras)))
}

fn passer(watcher: &Watcher, extras: bool) -> Passer<'_> {
    let color = extras.then_some(Side(None));
    Passer { user_id: &watcher.id, username: &watcher.name, role: Role::Spectator, color }
}
