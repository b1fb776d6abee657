//! Encodes updates of a room. Each is encoded once per format, for all clients.

use axum::extract::ws::Utf8Bytes;
use chess::Color;

use super::message::{Chat, Close, Extra, Passage, Passer, Role, Side};
use super::view::{self, Past, note};
use crate::dialect::frame;
use crate::dialect::frames::{Frames, encoded};
use crate::dialect::notation::{AsText, SquareList};
use crate::relay::{RoomUpdate, Spectator, Transient, Update};
use crate::room::{ChatLine, Entry, Fact, Offer, Phase, Room, UserId};

/// The client that receives the frames.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recipient<'a> {
    pub(super) id: &'a UserId,
    /// The side that it plays after the update.
    pub(super) color: Option<Color>,
}

/// Marks frames that contain only what the Chessata document has.
struct AsDocumented;

/// Marks frames with all extensions.
struct WithExtras;

/// All frames of an update; `before` is the room before it.
pub(super) fn frames_of(before: &Room, update: &RoomUpdate, extras: bool) -> Frames {
    let encode = || {
        let mut frames = Vec::new();
        match &update.update {
            Update::Entry(entry) => add_frames(before, entry, &update.room, extras, &mut frames),
            Update::Transient(transient) => add_transient_frames(transient, &update.room, extras, &mut frames),
        }
        frames
    };
    if extras { encoded::<WithExtras>(update, encode) } else { encoded::<AsDocumented>(update, encode) }
}

/// The frames for one recipient. Nearly all updates have the same frames for all.
pub(super) fn for_recipient<'w>(
    frames: &'w Frames,
    update: &Update,
    recipient: Recipient<'_>,
) -> impl Iterator<Item = &'w Utf8Bytes> {
    let (skipped, kept) = match update {
        // One frame each for White, Black and spectators.
        Update::Entry(entry) if matches!(entry.fact, Fact::Began { .. }) => (0..3, Some(start_of(recipient.color))),
        // The welcome contains the recipient's own arrival.
        Update::Transient(Transient::Spectators { entered: came, .. }) => {
            let own = came.iter().position(|watcher| watcher.id == *recipient.id);
            (own.map_or(0..0, |own| own..own + 1), None)
        }
        _ => (0..0, None),
    };
    let is_for = move |index: &usize| kept == Some(*index) || !skipped.contains(index);
    frames.iter().enumerate().filter(move |(index, _)| is_for(index)).map(|(_, frame)| frame)
}

const STARTS: [Option<Color>; 3] = [Some(Color::White), Some(Color::Black), None];

fn start_of(color: Option<Color>) -> usize {
    STARTS.iter().position(|&start| start == color).unwrap_or_default()
}

fn add_frames(before: &Room, entry: &Entry, room: &Room, extras: bool, frames: &mut Vec<Utf8Bytes>) {
    let at = entry.at;
    // Clients without extensions get a note in English.
    let mut say = |extra: Extra<'_>, words: &dyn Fn() -> String| {
        frames.push(if extras { frame(&extra) } else { note(words()) });
    };
    match &entry.fact {
        // What the moves of a turn do to the reeds is for boards only.
        Fact::Opened { .. } | Fact::FootprintsAdded { .. } => {}
        &Fact::Sat { color, .. } => frames.extend(view::player_joins(room, color, extras)),
        &Fact::Connected { color, .. } | &Fact::Disconnected { color, .. } => {
            let is_here = |room: &Room| room.seat(color).is_some_and(crate::room::Seated::is_here);
            let here = is_here(room);
            if here != is_here(before) {
                if extras {
                    let grace_ms = room.absence_ends(color).map(|until| until.since(at));
                    frames.push(frame(&Extra::Presence { color: AsText(color), here, grace_ms }));
                } else if room.phase() == Phase::Playing
                    && let Some(seated) = room.seat(color)
                {
                    let what = if here { "is back." } else { "has lost the connection." };
                    frames.push(note(format!("{} {what}", seated.player.name)));
                }
            }
        }
        &Fact::Left { color } => {
            // As the document has it, the departure was sent before the end of the game.
            let is_told = before.phase() == Phase::Over && before.leaver() == Some(color);
            if !is_told {
                frames.extend(view::player_leaves(before, color, extras));
            }
        }
        Fact::CountdownStarted { until } => {
            let ms = until.since(at);
            say(Extra::Countdown { ms }, &|| format!("The game starts in {} seconds.", ms.div_ceil(1_000)));
        }
        Fact::CountdownStopped => say(Extra::CountdownStopped, &|| "The countdown was stopped.".to_owned()),
        Fact::Began { .. } => {
            frames.extend(STARTS.map(|color| view::start(room, color, at, extras)));
            view::state(room, &Past::After(before), at, extras, frames);
        }
        Fact::Moved { .. } | Fact::TakenBack { .. } => {
            view::state(room, &Past::After(before), at, extras, frames);
        }
        Fact::Corrected { .. } => {
            let color = room.game().to_move();
            say(Extra::Corrected { color: AsText(color) }, &|| format!("{} corrects the move.", name(color)));
            view::state(room, &Past::After(before), at, extras, frames);
        }
        &Fact::DrawOffered { color } => {
            let offer = Extra::Offer { kind: "draw", color: AsText(color), plies: None };
            say(offer, &|| format!("{} offers a draw.", name(color)));
        }
        Fact::DrawDeclined => {
            say(Extra::OfferDeclined { kind: "draw" }, &|| "Draw declined.".to_owned());
        }
        &Fact::TakebackAsked { color, plies } => {
            let offer = Extra::Offer { kind: "takeback", color: AsText(color), plies: Some(plies) };
            say(offer, &|| format!("{} asks for a takeback.", name(color)));
        }
        Fact::TakebackDeclined => {
            say(Extra::OfferDeclined { kind: "takeback" }, &|| "Takeback declined.".to_owned());
        }
        &Fact::RematchOffered { color } => {
            let offer = Extra::Offer { kind: "rematch", color: AsText(color), plies: None };
            say(offer, &|| format!("{} offers a rematch.", name(color)));
        }
        Fact::RematchDeclined => {
            say(Extra::OfferDeclined { kind: "rematch" }, &|| "Rematch declined.".to_owned());
        }
        &Fact::Withdrawn { offer } => {
            let (kind, what) = match offer {
                Offer::Draw => ("draw", "The draw offer was withdrawn."),
                Offer::Takeback => ("takeback", "The takeback request was withdrawn."),
                Offer::Rematch => ("rematch", "The rematch offer was withdrawn."),
            };
            say(Extra::OfferWithdrawn { kind }, &|| what.to_owned());
        }
        &Fact::Hints { color, on } => {
            if extras {
                frames.push(frame(&Extra::Hints { color: AsText(color), on, agreed: room.hints() }));
            }
        }
        Fact::Ended(ending) => {
            // The document sends the departure first, then the end.
            if let Some(leaver) = ending.leaver() {
                frames.extend(view::player_leaves(room, leaver, extras));
            }
            frames.push(view::end(room, ending.verdict, at, extras));
        }
        Fact::Said { speaker, text } => {
            let line = ChatLine { speaker: speaker.clone(), text: text.clone() };
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

fn add_transient_frames(transient: &Transient, room: &Room, extras: bool, frames: &mut Vec<Utf8Bytes>) {
    match transient {
        Transient::Spectators { entered: came, left: went, count } => {
            frames.extend(came.iter().map(|watcher| watcher_joins(watcher, extras)));
            frames.extend(went.iter().map(|watcher| frame(&Passage::Leave(passer(watcher, extras)))));
            if extras {
                frames.push(frame(&Extra::Watching { count: *count }));
            }
        }
        Transient::Occupancy { id, occupancy } => {
            if extras && let Some(color) = room.seat_of(id) {
                frames.push(frame(&Extra::Occupancy {
                    color: AsText(color),
                    occupied: SquareList(occupancy.occupied),
                    in_hand: SquareList(occupancy.in_hand),
                    astray: SquareList(occupancy.misplaced),
                }));
            }
        }
        // The document has no such message: its players choose the piece with the move.
        Transient::Promoting { .. } => {}
    }
}

/// The arrival of a spectator.
pub(super) fn watcher_joins(watcher: &Spectator, extras: bool) -> Utf8Bytes {
    frame(&Passage::Join(passer(watcher, extras)))
}

fn passer(watcher: &Spectator, extras: bool) -> Passer<'_> {
    let color = extras.then_some(Side(None));
    Passer { user_id: &watcher.id, username: &watcher.name, role: Role::Spectator, color }
}
