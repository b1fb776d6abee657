//! 64 WS2812 LEDs in a chain on the data output of an SPI.
//!
//! A WS2812 decodes bits by the length of a pulse: short is 0, long is 1. Four bits of the SPI make one pulse: `1000` or
//! `1110`. The lengths of both pulses and of the pauses after them must be within the limits of the data sheet, and there
//! are several data sheets. [`CLOCK_HZ`] is the range of SPI clocks that keeps to all of them.
//!
//! Colours are sent unchanged. The board core has already limited their current and corrected them; nothing here may make
//! an LED brighter.
//!
//! There are crates for this. They have their own colour types, and none sends a reset pause before a frame, which clears
//! noise from the time when the pin was not driven yet.

use core::ops::RangeInclusive;

use board::calibration::LightLayout;
use board::{Frame, Rgb};
use embedded_hal_async::spi::SpiBus;

use crate::hal::Leds;

/// SPI clocks that keep to the limits of every WS2812B.
///
/// The sheet of the first WS2812, without the B, wants a long pulse of at most 850 ns and a pause of at least 450 ns after it. These
/// clocks give it 923 and 308 ns at 3.25 MHz, which works in practice but is outside that sheet.
///
/// The older data sheets want at least 300 ns of pause after a long pulse, which is one bit of the SPI, and a long pulse of
/// at most 950 ns, which is three bits. The newer ones have wider limits there. Their limits for a short pulse (220 to
/// 380 ns) and the pause after it (580 to 1000 ns) are met by all clocks in between.
pub const CLOCK_HZ: RangeInclusive<u32> = 3_158_000..=3_333_000;

/// Zero bytes before each frame: the reset pause. At the fastest clock it lasts 288 µs; the data sheets want up to 280 µs.
const GAP: usize = 120;

/// Three colours of eight bits, each bit four bits of the SPI.
const BYTES_PER_LIGHT: usize = 3 * 8 * 4 / 8;

/// Zero bytes after each frame. Between frames, an SPI with a FIFO may repeat the last bits of that FIFO (four bytes) on its data
/// output; with zeros in it the wire stays low.
const TAIL: usize = 8;

/// Bytes of a frame on the SPI.
const BYTES: usize = GAP + 64 * BYTES_PER_LIGHT + TAIL;

/// The chain of LEDs.
pub struct Strip<S> {
    spi: S,
    bytes: [u8; BYTES],
}

impl<S: SpiBus> Strip<S> {
    /// The clock of the SPI must be within [`CLOCK_HZ`].
    pub const fn new(spi: S) -> Self {
        Self { spi, bytes: [0; BYTES] }
    }
}

impl<S: SpiBus> Leds for Strip<S> {
    async fn show(&mut self, frame: &Frame, layout: LightLayout) {
        encode(frame.colours(), layout, &mut self.bytes);
        // A transmit-only SPI does not report errors, and the LEDs do not answer.
        let _ = self.spi.write(&self.bytes).await;
        let _ = self.spi.flush().await;
    }
}

/// Encodes the colours of the squares a1 to h8, between zeros.
fn encode(colours: &[Rgb; 64], layout: LightLayout, bytes: &mut [u8; BYTES]) {
    let (gap, data) = bytes.split_at_mut(GAP);
    let (data, tail) = data.split_at_mut(64 * BYTES_PER_LIGHT);
    gap.fill(0);
    tail.fill(0);
    for (light, pulses) in data.as_chunks_mut::<BYTES_PER_LIGHT>().0.iter_mut().enumerate() {
        let Rgb { r, g, b } = colours[layout.square(light)];
        // WS2812 expect green, red, blue.
        for (part, pulses) in [g, r, b].into_iter().zip(pulses.as_chunks_mut::<4>().0) {
            *pulses = [6, 4, 2, 0].map(|shift| two_pulses(part >> shift));
        }
    }
}

/// The pulses of the two lowest bits, as a byte of the SPI.
const fn two_pulses(bits: u8) -> u8 {
    // A pulse is 1, the bit twice, 0.
    let between = [0b0000_0000, 0b0000_0110, 0b0110_0000, 0b0110_0110];
    0b1000_1000 | between[bits as usize % 4]
}

#[cfg(test)]
mod tests {
    use board::{LightSettings, Meaning, Scene};
    use chess::Bitboard;
    use embedded_hal_async::spi::ErrorType;

    use super::super::poll_once::poll_once;
    use super::*;

    /// Decodes the pulses as a chain of LEDs does.
    fn decode(bytes: &[u8]) -> Vec<Rgb> {
        let wire: Vec<bool> = bytes.iter().flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1 == 1)).collect();
        let quiet = wire.iter().take_while(|up| !**up).count();
        let bits: Vec<u8> = wire[quiet..wire.len() - 8 * TAIL]
            .chunks(4)
            .map(|pulse| match pulse {
                [true, false, false, false] => 0,
                [true, true, true, false] => 1,
                _ => panic!("{pulse:?} is no pulse"),
            })
            .collect();
        let parts: Vec<u8> = bits.chunks(8).map(|bits| bits.iter().fold(0, |byte, bit| byte << 1 | bit)).collect();
        parts.chunks(3).map(|part| Rgb { g: part[0], r: part[1], b: part[2] }).collect()
    }

    fn colours() -> [Rgb; 64] {
        core::array::from_fn(|square| {
            let square = square as u8;
            Rgb { r: square, g: 255 - square, b: square.wrapping_mul(37) }
        })
    }

    #[test]
    fn every_led_gets_the_colour_of_its_square() {
        let mut bytes = [0xff; BYTES];
        encode(&colours(), LightLayout::BY_POSITION, &mut bytes);
        assert_eq!(decode(&bytes), colours());

        encode(&colours(), LightLayout::DEFAULT, &mut bytes);
        let lights = decode(&bytes);
        for (rank, row) in lights.chunks(8).enumerate() {
            let mut row = row.to_vec();
            if rank % 2 == 1 {
                row.reverse();
            }
            assert_eq!(row, colours()[8 * rank..][..8]);
        }
    }

    #[test]
    fn every_value_is_encoded_exactly() {
        let mut bytes = [0; BYTES];
        for value in 0..=255 {
            for colour in [Rgb { r: value, g: 0, b: 0 }, Rgb { r: 0, g: value, b: 0 }, Rgb { r: 1, g: 2, b: value }] {
                encode(&[colour; 64], LightLayout::BY_POSITION, &mut bytes);
                assert_eq!(decode(&bytes), [colour; 64]);
            }
        }
    }

    #[test]
    fn a_frame_begins_with_a_reset_pause_and_ends_low() {
        let mut bytes = [0xff; BYTES];
        encode(&[Rgb { r: 255, g: 255, b: 255 }; 64], LightLayout::BY_POSITION, &mut bytes);
        let quiet = bytes.iter().take_while(|byte| **byte == 0).count();
        let nanoseconds = quiet as u64 * 8 * 1_000_000_000 / u64::from(*CLOCK_HZ.end());
        assert!(nanoseconds >= 280_000, "{nanoseconds} ns");
        assert_eq!(bytes[BYTES - TAIL..], [0; TAIL]);
    }

    /// Nanoseconds of a short and of a long pulse and of the pauses after them: WS2812B as first printed, and as of V5.
    const SHEETS: [[RangeInclusive<u64>; 4]; 2] =
        [[250..=550, 700..=1000, 650..=950, 300..=600], [220..=380, 580..=1000, 580..=1000, 220..=420]];

    #[test]
    fn all_clocks_of_the_range_keep_to_all_data_sheets() {
        for hz in CLOCK_HZ.step_by(1_000) {
            for [short, after_short, long, after_long] in SHEETS {
                let within = |bits: u64, range: &RangeInclusive<u64>| {
                    let [least, most] = [range.start(), range.end()].map(|nanoseconds| nanoseconds * u64::from(hz));
                    (least..=most).contains(&(bits * 1_000_000_000))
                };
                assert!(within(1, &short) && within(3, &after_short), "a 0 at {hz} Hz");
                assert!(within(3, &long) && within(1, &after_long), "a 1 at {hz} Hz");
            }
        }
    }

    #[test]
    fn the_current_keeps_to_the_budget() {
        struct FakeSpi(Vec<u8>);
        impl ErrorType for FakeSpi {
            type Error = core::convert::Infallible;
        }
        impl SpiBus for FakeSpi {
            async fn read(&mut self, _: &mut [u8]) -> Result<(), Self::Error> {
                panic!("the LEDs are never read")
            }
            async fn write(&mut self, bytes: &[u8]) -> Result<(), Self::Error> {
                self.0.extend(bytes);
                Ok(())
            }
            async fn transfer(&mut self, _: &mut [u8], _: &[u8]) -> Result<(), Self::Error> {
                panic!("the LEDs are never read")
            }
            async fn transfer_in_place(&mut self, _: &mut [u8]) -> Result<(), Self::Error> {
                panic!("the LEDs are never read")
            }
            async fn flush(&mut self) -> Result<(), Self::Error> {
                Ok(())
            }
        }

        let scene = Scene::EMPTY.with(Meaning::Draw, Bitboard(!0));
        let frame = scene.frame(0, LightSettings { brightness: 255, ..LightSettings::default() });
        let mut strip = Strip::new(FakeSpi(Vec::new()));
        poll_once(strip.show(&frame, LightLayout::BY_POSITION));
        let shown = decode(&strip.spi.0);
        assert_eq!(shown, *frame.colours());
        let steps: u32 = shown.iter().flat_map(|colour| colour.channels()).map(u32::from).sum();
        assert!(64 + steps * 20 / 255 <= u32::from(LightSettings::default().budget_milliamps));
        assert!(steps > 0);
    }
}
