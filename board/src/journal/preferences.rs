use wire::journal::Preferences;

use crate::lights::LightSettings;
use crate::settings::{HandSettings, Orientation, Settings};

/// The settings as they are kept. A time of more than 49 days is kept as 49 days.
pub(super) fn of_settings(settings: &Settings) -> Preferences {
    let Settings { debounce, orientation, hand, lights } = *settings;
    let milliseconds = |time| u32::try_from(time).unwrap_or(u32::MAX);
    Preferences {
        debounce,
        turned: orientation == Orientation::BlackNear,
        rest_ms: milliseconds(hand.rest),
        rook_rest_ms: milliseconds(hand.rook_rest),
        kings_rest_ms: milliseconds(hand.kings_rest),
        restart_rest_ms: milliseconds(hand.restart_rest),
        swap_ms: milliseconds(hand.swap),
        brightness: lights.brightness,
        budget_milliamps: lights.budget_milliamps,
        light_squares: lights.light_squares,
        dark_squares: lights.dark_squares,
    }
}

/// The settings that were kept.
pub(super) fn to_settings(preferences: &Preferences) -> Settings {
    Settings {
        debounce: preferences.debounce,
        orientation: if preferences.turned { Orientation::BlackNear } else { Orientation::WhiteNear },
        hand: HandSettings {
            rest: preferences.rest_ms.into(),
            rook_rest: preferences.rook_rest_ms.into(),
            kings_rest: preferences.kings_rest_ms.into(),
            restart_rest: preferences.restart_rest_ms.into(),
            swap: preferences.swap_ms.into(),
        },
        lights: LightSettings {
            brightness: preferences.brightness,
            budget_milliamps: preferences.budget_milliamps,
            light_squares: preferences.light_squares,
            dark_squares: preferences.dark_squares,
        },
    }
}
