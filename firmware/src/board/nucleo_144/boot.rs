//! The first steps after a reset, before embassy-stm32 is initialised: status LED, watchdog, reset cause, external clock.
//!
//! The watchdog comes first, so that it ends every later step that would wait for ever: for a clock, for the Ethernet PHY, or
//! for the random number generator.
#![expect(unsafe_code, reason = "the watchdog is started before embassy-stm32 hands out the peripherals")]

use cortex_m::peripheral::DWT;
use embassy_stm32::pac::gpio::vals::Moder;
use embassy_stm32::pac::{GPIOB, RCC};
use embassy_stm32::peripherals::IWDG;
use embassy_stm32::time::Hertz;
use embassy_stm32::{Config, rcc};

use super::Watchdog;
use crate::chip::{ClockTree, EXTERNAL_HZ, INTERNAL_HZ};
use crate::reset_cause::ResetCause;

/// The longest wait for the external clock, in seconds. Without a USB cable the debug probe starts late: its clock comes about
/// two seconds after power-up.
const EXTERNAL_CLOCK_TIMEOUT_S: u32 = 5;

/// Pin of port B with the green LED of the Nucleo (LD1).
const LED_PIN: usize = 0;

/// The clock source of the PLL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockSource {
    /// The debug probe feeds its 8 MHz to the chip.
    External,
    /// The internal oscillator, because the external clock did not come.
    Internal,
}

impl ClockSource {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::External => "external, 8 MHz",
            Self::Internal => "internal oscillator, because the external clock is missing",
        }
    }
}

/// The results of the first steps.
pub struct Boot {
    pub(super) watchdog: Watchdog,
    pub(super) reset_cause: ResetCause,
    /// The clock source that the image configures.
    pub clock_source: ClockSource,
}

/// Runs the first steps. It must be called once, before `embassy_stm32::init`.
///
/// The LED is lit until the tasks run and blink it.
#[must_use]
pub fn boot(core: &mut cortex_m::Peripherals) -> Boot {
    RCC.ahb1enr().modify(|w| w.set_gpioben(true));
    GPIOB.bsrr().write(|w| w.set_bs(LED_PIN, true));
    GPIOB.moder().modify(|w| w.set_moder(LED_PIN, Moder::OUTPUT));

    // SAFETY: nothing else uses the watchdog; `start` leaves `Peripherals::IWDG` alone.
    let watchdog = Watchdog::start(unsafe { IWDG::steal() });
    let reset_cause = ResetCause::from_rcc_csr(RCC.csr().read().0);
    RCC.csr().modify(|w| w.set_rmvf(true));
    RCC.csr().modify(|w| w.set_rmvf(false));

    core.DCB.enable_trace();
    DWT::unlock();
    core.DWT.enable_cycle_counter();
    Boot { watchdog, reset_cause, clock_source: wait_for_external_clock() }
}

/// Switches the external clock on, and waits for it.
fn wait_for_external_clock() -> ClockSource {
    let start = DWT::cycle_count();
    RCC.cr().modify(|w| w.set_hsebyp(true));
    RCC.cr().modify(|w| w.set_hseon(true));
    // The processor runs on the internal oscillator after a reset.
    while DWT::cycle_count().wrapping_sub(start) < EXTERNAL_CLOCK_TIMEOUT_S * INTERNAL_HZ {
        if RCC.cr().read().hserdy() {
            return ClockSource::External;
        }
    }
    RCC.cr().modify(|w| w.set_hseon(false));
    ClockSource::Internal
}

/// The configuration of the clocks for embassy-stm32. Both clock sources give the same frequencies.
#[must_use]
pub fn clock_config(clocks: &ClockTree, source: ClockSource) -> Config {
    let mut config = Config::default();
    let source_hz = match source {
        ClockSource::External => {
            config.rcc.hse = Some(rcc::Hse { freq: Hertz(EXTERNAL_HZ), mode: rcc::HseMode::Bypass });
            config.rcc.pll_src = rcc::PllSource::HSE;
            EXTERNAL_HZ
        }
        ClockSource::Internal => {
            config.rcc.pll_src = rcc::PllSource::HSI;
            INTERNAL_HZ
        }
    };
    config.rcc.pll = Some(rcc::Pll {
        prediv: rcc::PllPreDiv::from_bits(clocks.input_divider(source_hz) as u8),
        mul: rcc::PllMul::from_bits(clocks.multiplier as u16),
        // The register counts in steps of two, from two.
        divp: Some(rcc::PllPDiv::from_bits((clocks.system_divider / 2 - 1) as u8)),
        divq: Some(rcc::PllQDiv::from_bits(clocks.rng_divider as u8)),
        divr: None,
    });
    config.rcc.sys = rcc::Sysclk::PLL1_P;
    config.rcc.apb1_pre = apb_prescaler(clocks.apb1_divider);
    config.rcc.apb2_pre = apb_prescaler(clocks.apb2_divider);
    config
}

/// The register value of a bus divider: 0 for 1, and from 4 on the powers of two.
const fn apb_prescaler(divider: u32) -> rcc::APBPrescaler {
    rcc::APBPrescaler::from_bits(if divider == 1 { 0 } else { 3 + divider.ilog2() as u8 })
}
