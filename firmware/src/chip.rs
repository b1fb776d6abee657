//! Clock tree and flash sectors of a chip, as numbers that are checked when the image is compiled.
//!
//! The images in `src/bin` have the numbers of their chips. They are plain numbers and not types of embassy-stm32, so that the
//! host tests the checks.

use crate::drivers::ws2812;

/// Frequency of the external clock, which the debug probe of a Nucleo provides, in Hz.
pub const EXTERNAL_HZ: u32 = 8_000_000;

/// Frequency of the internal oscillator (HSI), in Hz. At room temperature it is exact to 1 %.
pub const INTERNAL_HZ: u32 = 16_000_000;

/// The PLL, the bus prescalers and the prescaler of the SPI of the lights.
#[derive(Clone, Copy, Debug)]
pub struct ClockTree {
    /// PLL input frequency in Hz, for both clock sources. [`ClockTree::input_divider`] is the divider.
    pub input_hz: u32,
    /// PLL multiplier.
    pub multiplier: u32,
    /// Divider from the PLL to the processor.
    pub system_divider: u32,
    /// Divider from the PLL to the random number generator.
    pub rng_divider: u32,
    /// Divider from the processor to APB1.
    pub apb1_divider: u32,
    /// Divider from the processor to APB2.
    pub apb2_divider: u32,
    /// Divider from APB1 to the SPI of the lights.
    pub spi_divider: u32,
    /// Limits of the chip.
    pub limits: Limits,
}

/// The highest frequencies of a chip, in Hz.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "each is the limit of that clock in the data sheet")]
pub struct Limits {
    pub system_hz: u32,
    pub apb1_hz: u32,
    pub apb2_hz: u32,
}

/// Frequency range of the PLL's oscillator, in Hz.
const VCO_HZ: core::ops::RangeInclusive<u32> = 100_000_000..=432_000_000;

/// Frequency range of the PLL's input, in Hz.
const PLL_INPUT_HZ: core::ops::RangeInclusive<u32> = 950_000..=2_100_000;

/// The highest clock of the random number generator, in Hz.
const RNG_HZ: u32 = 48_000_000;

impl ClockTree {
    /// The PLL's input divider for a clock source of this frequency.
    #[must_use]
    pub const fn input_divider(&self, source_hz: u32) -> u32 {
        source_hz / self.input_hz
    }

    /// Frequency of the PLL's oscillator in Hz.
    #[must_use]
    pub const fn vco_hz(&self) -> u32 {
        self.input_hz * self.multiplier
    }

    /// Frequency of the processor in Hz.
    #[must_use]
    pub const fn system_hz(&self) -> u32 {
        self.vco_hz() / self.system_divider
    }

    /// Frequency of the SPI of the lights in Hz.
    #[must_use]
    pub const fn spi_hz(&self) -> u32 {
        self.system_hz() / self.apb1_divider / self.spi_divider
    }

    /// Returns the clock tree if every frequency is within its limits.
    ///
    /// # Panics
    ///
    /// If a frequency is outside its limits. Called in a `const`, it is a compile error.
    #[must_use]
    pub const fn checked(self) -> Self {
        assert!(
            EXTERNAL_HZ.is_multiple_of(self.input_hz),
            "the external clock is not divided to the PLL input exactly"
        );
        assert!(
            INTERNAL_HZ.is_multiple_of(self.input_hz),
            "the internal clock is not divided to the PLL input exactly"
        );
        assert!(within(self.input_hz, &PLL_INPUT_HZ), "the PLL input is out of range");
        assert!(within(self.vco_hz(), &VCO_HZ), "the PLL oscillator is out of range");
        assert!(self.system_hz() <= self.limits.system_hz, "the processor clock is too high");
        assert!(self.system_hz() / self.apb1_divider <= self.limits.apb1_hz, "the APB1 clock is too high");
        assert!(self.system_hz() / self.apb2_divider <= self.limits.apb2_hz, "the APB2 clock is too high");
        let rng_hz = self.vco_hz() / self.rng_divider;
        assert!(rng_hz <= RNG_HZ && rng_hz > self.system_hz() / 16, "the RNG clock is out of range");
        assert!(within(self.spi_hz(), &ws2812::CLOCK_HZ), "the SPI clock does not suit WS2812");
        assert!(
            self.system_hz().is_multiple_of(self.apb1_divider * self.spi_divider),
            "the SPI clock is not a whole number"
        );
        self
    }
}

const fn within(value: u32, range: &core::ops::RangeInclusive<u32>) -> bool {
    *range.start() <= value && value <= *range.end()
}

/// A run of equal flash sectors.
#[derive(Clone, Copy, Debug)]
pub struct Sectors {
    /// Number of sectors.
    pub count: u32,
    /// Size of each in bytes.
    pub len: u32,
}

/// Where the journal is in the flash: two banks of one sector each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JournalPlace {
    /// Offset of the first bank in the flash, in bytes.
    pub start: u32,
    /// Size of each of the two banks, in bytes.
    pub bank_len: u32,
}

impl JournalPlace {
    /// The last two sectors of a flash.
    ///
    /// # Panics
    ///
    /// If the last run has fewer than two sectors, or if the image, which may have `image_end` bytes, would overlap them.
    /// Called in a `const`, it is a compile error.
    #[must_use]
    pub const fn last_two_sectors(flash: &[Sectors], image_end: u32) -> Self {
        let mut end = 0;
        let mut run = 0;
        while run < flash.len() {
            end += flash[run].count * flash[run].len;
            run += 1;
        }
        let last = flash[flash.len() - 1];
        assert!(last.count >= 2, "the last two sectors have different sizes");
        let start = end - 2 * last.len;
        assert!(image_end <= start, "the image overlaps the journal");
        Self { start, bank_len: last.len }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// A clock tree within the limits of its chip.
    const CLOCKS: ClockTree = ClockTree {
        input_hz: 2_000_000,
        multiplier: 104,
        system_divider: 2,
        rng_divider: 5,
        apb1_divider: 4,
        apb2_divider: 2,
        spi_divider: 8,
        limits: Limits { system_hz: 180_000_000, apb1_hz: 45_000_000, apb2_hz: 90_000_000 },
    }
    .checked();

    const FLASH: [Sectors; 2] = [Sectors { count: 4, len: 32 * 1024 }, Sectors { count: 7, len: 256 * 1024 }];
    const FLASH_LEN: u32 = (4 * 32 + 7 * 256) * 1024;

    #[test]
    fn both_clock_sources_give_the_same_frequencies() {
        for source_hz in [EXTERNAL_HZ, INTERNAL_HZ] {
            assert_eq!(source_hz / CLOCKS.input_divider(source_hz), CLOCKS.input_hz);
        }
        assert_eq!((CLOCKS.system_hz(), CLOCKS.spi_hz()), (104_000_000, 3_250_000));
    }

    #[test]
    fn the_journal_has_whole_sectors_at_the_end_of_the_flash() {
        let start = FLASH_LEN - 2 * 256 * 1024;
        assert_eq!(JournalPlace::last_two_sectors(&FLASH, start), JournalPlace { start, bank_len: 256 * 1024 });
    }

    #[test]
    #[should_panic(expected = "the image overlaps the journal")]
    fn an_image_that_reaches_the_journal_is_rejected() {
        let _ = JournalPlace::last_two_sectors(&FLASH, FLASH_LEN - 2 * 256 * 1024 + 1);
    }

    #[test]
    #[should_panic(expected = "the APB1 clock is too high")]
    fn a_clock_above_its_limit_is_rejected() {
        let _ = ClockTree { apb1_divider: 2, ..CLOCKS }.checked();
    }

    #[test]
    #[should_panic(expected = "the SPI clock does not suit WS2812")]
    fn a_clock_that_ws2812_do_not_accept_is_rejected() {
        let _ = ClockTree { multiplier: 100, ..CLOCKS }.checked();
    }

    /// The linker keeps the image below the journal only if both places agree on where the image ends.
    #[test]
    fn the_images_end_where_the_table_of_boards_says() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let read = |path: &str| std::fs::read_to_string(folder.join(path)).expect("the file can be read");
        let hex = |text: &str| u32::from_str_radix(&text.replace('_', ""), 16).expect("a hexadecimal number");
        let table = read("Cargo.toml");
        let mut chips = 0;
        for board in table.split("[[package.metadata.boards]]\nname = \"").skip(1) {
            let (name, board) = board.split_once('"').expect("the name of the board");
            // An emulated board has a machine in place of a chip, and its journal is a file.
            if !board.starts_with("\nchip = ") {
                continue;
            }
            chips += 1;
            let (_, flash) = board.split_once("memory.flash = ").expect("the flash of the board");
            let (_, length) = flash.split_once("length = 0x").expect("the length of the flash");
            let source = read(&format!("src/bin/{name}.rs"));
            let (_, end) = source.split_once("const IMAGE_END: u32 = 0x").expect("the end of the image");
            let end = hex(end.split(';').next().expect("a number"));
            assert_eq!(end, hex(length.split(' ').next().expect("a number")), "{name}");
        }
        assert!(chips >= 2, "the table has {chips} boards with a chip");
    }
}
