//! 64 WS2812 lights on one wire, which is the output of an SPI.
//!
//! A WS2812 reads bits by how long the wire is up: a short pulse is a 0, a long one a 1. Four bits of the SPI make one of
//! those: `1000` or `1110`. The clock must be such that all four times are within what the data sheets allow, and there are
//! several of those; [`CLOCK_HZ`] is the range that suits them all, so the board can be built with whatever can be bought.
//!
//! The colours of a frame are sent as they are. They keep to the budget of the power supply already, and nothing here may
//! make a light brighter; correcting a colour is the brain's business as well.
//!
//! There are crates for this. They bring colour types of their own, and none of them starts with the pause that ends
//! whatever the lights believed to hear before, which is what a board wants whose first bits are noise.

use core::ops::RangeInclusive;

use board::{Frame, Rgb};
use embedded_hal_async::spi::SpiBus;

use crate::parts::Lamps;

/// The clocks that suit every WS2812 and WS2812B.
///
/// The older sheets want a pause of at least 300 ns after a long pulse, which is one bit of the SPI, and a long pulse of at
/// most 950 ns, which is three. The newer ones allow more in these two places, and for a short pulse (220 to 380 ns) and
/// the pause after it (580 to 1000 ns) everything in between will do.
pub const CLOCK_HZ: RangeInclusive<u32> = 3_158_000..=3_333_000;

/// Zeros that come before each frame. At the fastest clock they last for 288 µs, and 280 µs of silence are what the most
/// patient of these lights takes for the end of a frame.
const GAP: usize = 120;

/// Three colours of eight bits, each bit four bits of the SPI.
const BYTES_PER_LIGHT: usize = 3 * 8 * 4 / 8;

/// Everything that is sent for one frame.
const BYTES: usize = GAP + 64 * BYTES_PER_LIGHT;

/// In which order the lights are wired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chain {
    /// From a1 to h1, back to a2, to h2, and so on: each row begins on the same side, as rows cut from a strip do.
    Straight,
    /// From a1 to h1, up to h2, back to a2, up to a3, and so on: the shortest wires.
    Serpentine,
}

impl Chain {
    /// The square above the light with this number in the chain.
    const fn square(self, light: usize) -> usize {
        match self {
            Self::Serpentine if light / 8 % 2 == 1 => light ^ 7,
            Self::Straight | Self::Serpentine => light,
        }
    }
}

/// The lights of a board.
pub struct Strip<S> {
    spi: S,
    chain: Chain,
    bytes: [u8; BYTES],
}

impl<S: SpiBus> Strip<S> {
    /// On the output of an SPI whose clock is within [`CLOCK_HZ`].
    pub const fn new(spi: S, chain: Chain) -> Self {
        Self { spi, chain, bytes: [0; BYTES] }
    }
}

impl<S: SpiBus> Lamps for Strip<S> {
    async fn show(&mut self, frame: &Frame) {
        encode(frame.colours(), self.chain, &mut self.bytes);
        // The lights never answer, and a bus that only sends has nothing to complain of.
        let _ = self.spi.write(&self.bytes).await;
        let _ = self.spi.flush().await;
    }
}

/// The bytes that make the lights show these colours, of the squares from a1 to h8.
///
/// The last bit of them is a 0, so the wire stays down until the next frame.
fn encode(colours: &[Rgb; 64], chain: Chain, bytes: &mut [u8; BYTES]) {
    let (gap, data) = bytes.split_at_mut(GAP);
    gap.fill(0);
    for (light, pulses) in data.as_chunks_mut::<BYTES_PER_LIGHT>().0.iter_mut().enumerate() {
        let Rgb { r, g, b } = colours[chain.square(light)];
        // The lights want green first.
        for (part, pulses) in [g, r, b].into_iter().zip(pulses.as_chunks_mut::<4>().0) {
            *pulses = [6, 4, 2, 0].map(|shift| two_pulses(part >> shift));
        }
    }
}

/// The pulses of the two lowest bits.
const fn two_pulses(bits: u8) -> u8 {
    // Each pulse begins with a 1 and ends with a 0; what is between is the bit.
    let between = [0b0000_0000, 0b0000_0110, 0b0110_0000, 0b0110_0110];
    0b1000_1000 | between[bits as usize % 4]
}

#[cfg(test)]
mod tests {
    use board::{LightSettings, Meaning, Scene};
    use chess::Bitboard;
    use embedded_hal_async::spi::ErrorType;

    use super::super::finished::finished;
    use super::*;

    /// What a chain of lights makes of the wire, told by the lengths of its pulses in bits of the SPI.
    fn decode(bytes: &[u8]) -> Vec<Rgb> {
        let wire: Vec<bool> = bytes.iter().flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1 == 1)).collect();
        let quiet = wire.iter().take_while(|up| !**up).count();
        let bits: Vec<u8> = wire[quiet..]
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
    fn every_light_gets_the_colour_of_the_square_above_it() {
        let mut bytes = [0xff; BYTES];
        encode(&colours(), Chain::Straight, &mut bytes);
        assert_eq!(decode(&bytes), colours());

        encode(&colours(), Chain::Serpentine, &mut bytes);
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
    fn every_value_comes_through_unchanged() {
        let mut bytes = [0; BYTES];
        for value in 0..=255 {
            for colour in [Rgb { r: value, g: 0, b: 0 }, Rgb { r: 0, g: value, b: 0 }, Rgb { r: 1, g: 2, b: value }] {
                encode(&[colour; 64], Chain::Straight, &mut bytes);
                assert_eq!(decode(&bytes), [colour; 64]);
            }
        }
    }

    #[test]
    fn a_frame_begins_with_a_pause_that_every_light_understands_and_ends_with_the_wire_down() {
        let mut bytes = [0xff; BYTES];
        encode(&[Rgb { r: 255, g: 255, b: 255 }; 64], Chain::Straight, &mut bytes);
        let quiet = bytes.iter().take_while(|byte| **byte == 0).count();
        let nanoseconds = quiet as u64 * 8 * 1_000_000_000 / u64::from(*CLOCK_HZ.end());
        assert!(nanoseconds >= 280_000, "{nanoseconds} ns");
        assert_eq!(bytes[BYTES - 1] & 1, 0);
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
    fn the_wire_carries_what_the_budget_was_reckoned_for() {
        struct FakeSpi(Vec<u8>);
        impl ErrorType for FakeSpi {
            type Error = core::convert::Infallible;
        }
        impl SpiBus for FakeSpi {
            async fn read(&mut self, _: &mut [u8]) -> Result<(), Self::Error> {
                panic!("lights never answer")
            }
            async fn write(&mut self, bytes: &[u8]) -> Result<(), Self::Error> {
                self.0.extend(bytes);
                Ok(())
            }
            async fn transfer(&mut self, _: &mut [u8], _: &[u8]) -> Result<(), Self::Error> {
                panic!("lights never answer")
            }
            async fn transfer_in_place(&mut self, _: &mut [u8]) -> Result<(), Self::Error> {
                panic!("lights never answer")
            }
            async fn flush(&mut self) -> Result<(), Self::Error> {
                Ok(())
            }
        }

        let scene = Scene::EMPTY.with(Meaning::Draw, Bitboard(!0));
        let frame = scene.frame(0, LightSettings { brightness: 255, ..LightSettings::default() });
        let mut strip = Strip::new(FakeSpi(Vec::new()), Chain::Straight);
        finished(strip.show(&frame));
        let shown = decode(&strip.spi.0);
        assert_eq!(shown, *frame.colours());
        let steps: u32 = shown.iter().flat_map(|colour| colour.channels()).map(u32::from).sum();
        assert!(64 + steps * 20 / 255 <= u32::from(LightSettings::default().budget_milliamps));
        assert!(steps > 0);
    }
}
