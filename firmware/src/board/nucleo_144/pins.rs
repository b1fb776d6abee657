//! The pin assignment of the Nucleo-144. The firmware takes its pins from this list, and tests compare it with the table and
//! the drawing in docs/hardware.md.
//!
//! For each pin: the name of the chip's pin, the label on the board, the connector, and the pin number in it (ST UM1974,
//! PCB MB1137). The ranks are on one connector, and so are the files; none of them is used by the Nucleo itself. The output
//! for the lights is an SPI data pin next to 5 V and ground.

/// Calls a macro with its arguments and then all pins.
macro_rules! with_pins {
    ($macro:ident $(, $given:tt)*) => {
        $macro! { $($given)*
            ranks {
                PD7 "D51" "CN9" 2,
                PD6 "D52" "CN9" 4,
                PD5 "D53" "CN9" 6,
                PD4 "D54" "CN9" 8,
                PD3 "D55" "CN9" 10,
                PE4 "D57" "CN9" 16,
                PE5 "D58" "CN9" 18,
                PE6 "D59" "CN9" 20,
            }
            files {
                PF13 "D7" "CN10" 2,
                PE9 "D6" "CN10" 4,
                PE11 "D5" "CN10" 6,
                PF14 "D4" "CN10" 8,
                PE13 "D3" "CN10" 10,
                PF15 "D2" "CN10" 12,
                PE8 "D42" "CN10" 18,
                PE7 "D41" "CN10" 20,
            }
            lights { PC12 "D47" "CN8" 10, }
        }
    };
}

#[cfg(target_os = "none")]
pub(super) use with_pins;

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    /// Pins that the Nucleo uses itself: network, serial port of the probe, probe, clocks, LEDs and button, USB socket.
    const TAKEN: [&str; 33] = [
        "PA1", "PA2", "PA7", "PB13", "PC1", "PC4", "PC5", "PG11", "PG13",
        "PG2", // network, with the receive error
        "PD8", "PD9", // serial port
        "PA13", "PA14", "PB3", "PA15", "PB4", // debugger
        "PH0", "PH1", "PC14", "PC15", // clocks
        "PB0", "PB7", "PB14", "PC13", // lights and button
        "PA8", "PA9", "PA10", "PA11", "PA12", "PG6", "PG7", // USB
        "PE2", // on two connectors at once
    ];

    struct Pin {
        chip: &'static str,
        printed: &'static str,
        connector: &'static str,
        number: u32,
    }

    macro_rules! list {
        ($($group:ident { $($chip:ident $printed:literal $connector:literal $number:literal,)* })*) => {
            [$($(Pin {
                chip: stringify!($chip),
                printed: $printed,
                connector: $connector,
                number: $number,
            },)*)*]
        };
    }

    const PINS: [Pin; 17] = with_pins!(list);

    fn role(index: usize) -> String {
        match index {
            rank @ 0..8 => format!("rank {}", rank + 1),
            file @ 8..16 => format!("file {}", char::from(b'a' + file as u8 - 8)),
            _ => "lights".to_owned(),
        }
    }

    #[test]
    fn no_pin_has_two_roles_or_is_used_by_the_nucleo() {
        let chips: HashSet<_> = PINS.iter().map(|pin| pin.chip).collect();
        let places: HashSet<_> = PINS.iter().map(|pin| (pin.connector, pin.number)).collect();
        let printed: HashSet<_> = PINS.iter().map(|pin| pin.printed).collect();
        assert_eq!((chips.len(), places.len(), printed.len()), (17, 17, 17));
        assert!(TAKEN.iter().all(|taken| !chips.contains(taken)));
    }

    #[test]
    fn the_document_has_the_same_table() {
        let document = include_str!("../../../../docs/hardware.md");
        let rows: Vec<&str> = document
            .lines()
            .filter(|line| ["| rank ", "| file ", "| lights | "].iter().any(|start| line.starts_with(start)))
            .collect();
        let expected: Vec<String> = PINS
            .iter()
            .enumerate()
            .map(|(index, pin)| {
                format!("| {} | {} | {} pin {} | {} |", role(index), pin.printed, pin.connector, pin.number, pin.chip)
            })
            .collect();
        assert_eq!(rows, expected);
    }

    #[test]
    fn the_drawing_shows_the_same_pins() {
        let drawing = include_str!("../../../../docs/hardware/schematic.svg");
        for (index, pin) in PINS.iter().enumerate() {
            let label = format!(">{} {}<", pin.printed, pin.chip);
            assert_eq!(drawing.matches(&label).count(), 1, "{} is {label}", role(index));
        }
    }

    /// It draws some lights, and says how many it leaves out.
    #[test]
    fn the_drawing_has_a_light_for_every_square() {
        let drawing = include_str!("../../../../docs/hardware/schematic.svg");
        let more = drawing.split_once(">… ").and_then(|(_, rest)| rest.split_once(" more …<"));
        let (more, _) = more.expect("it says how many lights it leaves out");
        assert_eq!(drawing.matches(">WS2812B<").count() + more.parse::<usize>().expect("a number"), 64);
    }

    /// The drawing has the even pins of a connector in one column, 15 units apart, below pin 2.
    #[test]
    fn the_drawing_of_the_nucleo_has_a_line_from_every_hole() {
        let drawing = include_str!("../../../../docs/hardware/nucleo.svg");
        for (index, pin) in PINS.iter().enumerate() {
            let (x, first) = match pin.connector {
                "CN8" => (365, 140),
                "CN9" => (365, 300),
                "CN10" => (570, 330),
                other => panic!("{other} is not drawn"),
            };
            let hole = format!(r#"points="{x},{} "#, first + 15 * (pin.number / 2 - 1));
            let label = format!(">{} {}, {} pin {}<", pin.printed, role(index), pin.connector, pin.number);
            let lines: Vec<&str> = drawing.lines().filter(|line| line.contains(&label)).collect();
            assert!(matches!(lines[..], [line] if line.contains(&hole)), "{label} at {hole}: {lines:?}");
        }
    }
}
