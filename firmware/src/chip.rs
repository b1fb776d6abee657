//! Clock tree and flash sectors of the chips, as numbers that are checked when the image is compiled.
//!
//! The images in `src/bin` translate these numbers to the types of embassy-stm32. They are plain numbers here, so that the
//! host tests them too.

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

    /// Panics if a frequency is outside its limits. Called in a `const`, it is a compile error.
    ///
    /// # Panics
    ///
    /// See above.
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

/// STM32F767ZI: 208 MHz of at most 216.
pub const F767_CLOCKS: ClockTree = ClockTree {
    input_hz: 2_000_000,
    multiplier: 208,
    system_divider: 2,
    rng_divider: 9,
    apb1_divider: 4,
    apb2_divider: 2,
    spi_divider: 16,
    limits: Limits { system_hz: 216_000_000, apb1_hz: 54_000_000, apb2_hz: 108_000_000 },
}
.checked();

/// STM32F767ZI in single-bank mode: the flash sectors of 2 MB.
pub const F767_FLASH: [Sectors; 3] = [
    Sectors { count: 4, len: 32 * 1024 },
    Sectors { count: 1, len: 128 * 1024 },
    Sectors { count: 7, len: 256 * 1024 },
];

/// STM32F429ZI: 104 MHz of at most 180.
pub const F429_CLOCKS: ClockTree = ClockTree {
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

/// STM32F429ZI: the flash sectors of both banks of 1 MB.
pub const F429_FLASH: [Sectors; 6] = [
    Sectors { count: 4, len: 16 * 1024 },
    Sectors { count: 1, len: 64 * 1024 },
    Sectors { count: 7, len: 128 * 1024 },
    Sectors { count: 4, len: 16 * 1024 },
    Sectors { count: 1, len: 64 * 1024 },
    Sectors { count: 7, len: 128 * 1024 },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_clock_sources_give_the_same_frequencies() {
        for clocks in [F767_CLOCKS, F429_CLOCKS] {
            assert_eq!(clocks.spi_hz(), 3_250_000);
            for source_hz in [EXTERNAL_HZ, INTERNAL_HZ] {
                assert_eq!(source_hz / clocks.input_divider(source_hz), clocks.input_hz);
            }
        }
        assert_eq!((F767_CLOCKS.system_hz(), F429_CLOCKS.system_hz()), (208_000_000, 104_000_000));
    }

    #[test]
    fn the_journal_has_whole_sectors_at_the_end_of_the_flash() {
        assert_eq!(
            JournalPlace::last_two_sectors(&F767_FLASH, 0x18_0000),
            JournalPlace { start: 0x18_0000, bank_len: 256 * 1024 }
        );
        assert_eq!(
            JournalPlace::last_two_sectors(&F429_FLASH, 0x18_0000),
            JournalPlace { start: 0x1c_0000, bank_len: 128 * 1024 }
        );
    }

    #[test]
    #[should_panic(expected = "the image overlaps the journal")]
    fn an_image_that_reaches_the_journal_is_rejected() {
        let _ = JournalPlace::last_two_sectors(&F767_FLASH, 0x18_0001);
    }

    #[test]
    #[should_panic(expected = "the APB1 clock is too high")]
    fn a_clock_above_its_limit_is_rejected() {
        let _ = ClockTree { apb1_divider: 2, ..F767_CLOCKS }.checked();
    }

    #[test]
    #[should_panic(expected = "the SPI clock does not suit WS2812")]
    fn a_clock_that_ws2812_do_not_accept_is_rejected() {
        let _ = ClockTree { multiplier: 200, ..F767_CLOCKS }.checked();
    }

    /// The linker keeps the image below the journal only if both places agree on where the image ends.
    #[test]
    fn the_images_end_where_the_table_of_boards_says() {
        let table = include_str!("../Cargo.toml");
        for (name, source) in
            [("nucleo", include_str!("bin/nucleo.rs")), ("nucleo-f429", include_str!("bin/nucleo-f429.rs"))]
        {
            let hex = |text: &str| u32::from_str_radix(&text.replace('_', ""), 16).expect("a hexadecimal number");
            let (_, end) = source.split_once("const IMAGE_END: u32 = 0x").expect("the end of the image");
            let (_, board) =
                table.split_once(&format!("\nname = \"{name}\"\nchip")).expect("the board is in the table");
            let (_, flash) = board.split_once("memory.flash = ").expect("the flash of the board");
            let (_, length) = flash.split_once("length = 0x").expect("the length of the flash");
            let end = hex(end.split(';').next().expect("a number"));
            assert_eq!(end, hex(length.split(' ').next().expect("a number")), "{name}");
        }
    }
}
