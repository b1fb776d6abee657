//! The state that the journal persists, and the stored form of the settings.

use rules::Play;
use wire::journal::SettingsRecord;
use wire::link::{Clocks, GameInfo};

use super::values::Values;
use crate::lights::LightSettings;
use crate::session::Session;
use crate::settings::{HandSettings, Orientation, Pace, Settings};

/// Borrowed view of the state that must survive a power cut, at the time of a poll.
#[derive(Clone, Copy, Debug)]
pub struct PersistentState<'a, const N: usize> {
    /// The game, with its verdict.
    pub play: &'a Play,
    /// What there is to know of the game beside its plies. Its verdict is ignored: the game has it.
    pub info: GameInfo,
    /// The clocks. They are stored with every change of the game, and not when they alone change: running clocks would
    /// wear out the flash.
    pub clocks: Option<Clocks>,
    /// The settings of the board.
    pub settings: &'a Settings,
    /// The values of the firmware.
    pub values: &'a Values,
    /// The session with the relay.
    pub session: &'a Session<N>,
}

impl<const N: usize> PersistentState<'_, N> {
    /// The information in its stored form, without the verdict.
    pub(super) const fn info(&self) -> GameInfo {
        GameInfo { verdict: None, ..self.info }
    }
}

/// Converts settings into their stored form. Times of more than 49 days are stored as 49 days.
pub(super) fn to_record(settings: &Settings) -> SettingsRecord {
    let Settings { debounce, orientation, hand, lights } = *settings;
    let ms = |time| u32::try_from(time).unwrap_or(u32::MAX);
    SettingsRecord {
        debounce,
        black_near: orientation == Orientation::BlackNear,
        rest_ms: ms(hand.rest),
        rook_rest_ms: ms(hand.rook_rest),
        kings_rest_ms: ms(hand.kings_rest),
        restart_rest_ms: ms(hand.restart_rest),
        swap_ms: ms(hand.swap),
        brightness: lights.brightness,
        budget_milliamps: lights.budget_milliamps,
        light_squares: lights.light_squares,
        dark_squares: lights.dark_squares,
    }
}

pub(super) fn from_record(record: &SettingsRecord) -> Settings {
    Settings {
        debounce: record.debounce,
        orientation: if record.black_near { Orientation::BlackNear } else { Orientation::WhiteNear },
        hand: HandSettings {
            // It is a value of the profile.
            pace: Pace::Normal,
            rest: record.rest_ms.into(),
            rook_rest: record.rook_rest_ms.into(),
            kings_rest: record.kings_rest_ms.into(),
            restart_rest: record.restart_rest_ms.into(),
            swap: record.swap_ms.into(),
        },
        lights: LightSettings {
            brightness: record.brightness,
            budget_milliamps: record.budget_milliamps,
            light_squares: record.light_squares,
            dark_squares: record.dark_squares,
        },
    }
}
