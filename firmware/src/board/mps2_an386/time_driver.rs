//! Time driver for embassy: a counter at 1 MHz, and a timer that fires when the next task is due.
#![expect(unsafe_code, reason = "unmasking an interrupt can break a critical section that relies on its mask")]

use core::cell::RefCell;
use core::task::Waker;

use cortex_m::peripheral::NVIC;
use critical_section::Mutex;
use embassy_time_driver::{Driver, TICK_HZ};
use embassy_time_queue_utils::Queue;

use super::interrupts::Interrupt;
use super::registers::{
    FPGAIO_COUNTER, FPGAIO_PRESCALE, SYSTEM_CLOCK_HZ, TIMER_CTRL_ENABLE, TIMER_CTRL_INTERRUPT, TIMER0_CTRL,
    TIMER0_INTCLEAR, TIMER0_RELOAD, TIMER0_VALUE,
};

const CLOCKS_PER_TICK: u32 = SYSTEM_CLOCK_HZ / TICK_HZ as u32;
const _: () =
    assert!(CLOCKS_PER_TICK as u64 * TICK_HZ == SYSTEM_CLOCK_HZ as u64, "the tick rate must divide the clock");

/// The longest timer setting: a minute. It must fit the timer, and be shorter than the period of the counter, because the
/// counter is read whenever the timer fires and no overflow may be missed.
const LONGEST_ALARM: u32 = 60 * TICK_HZ as u32;
const _: () = assert!(LONGEST_ALARM.checked_mul(CLOCKS_PER_TICK).is_some(), "the longest alarm must fit the timer");

/// Extends the 32-bit counter, which wraps every 71 minutes, to 64 bits.
struct Clock {
    last: u64,
}

impl Clock {
    fn now(&mut self) -> u64 {
        let since_last = FPGAIO_COUNTER.read().wrapping_sub(self.last as u32);
        self.last += u64::from(since_last);
        self.last
    }
}

struct State {
    clock: Clock,
    queue: Queue,
}

impl State {
    /// Wakes every task that is due, and sets the timer for the next one.
    fn wake_and_rearm(&mut self) {
        let now = self.clock.now();
        let next = self.queue.next_expiration(now);
        let ticks = next.saturating_sub(now).clamp(1, LONGEST_ALARM.into()) as u32;
        // Stopped first, so that it does not fire between the old value and the new one.
        TIMER0_CTRL.write(0);
        TIMER0_INTCLEAR.write(1);
        TIMER0_VALUE.write(ticks * CLOCKS_PER_TICK);
        TIMER0_CTRL.write(TIMER_CTRL_ENABLE | TIMER_CTRL_INTERRUPT);
    }
}

struct TimeDriver {
    state: Mutex<RefCell<State>>,
}

impl TimeDriver {
    fn with_state<R>(&self, action: impl FnOnce(&mut State) -> R) -> R {
        critical_section::with(|cs| action(&mut self.state.borrow_ref_mut(cs)))
    }
}

impl Driver for TimeDriver {
    fn now(&self) -> u64 {
        self.with_state(|state| state.clock.now())
    }

    fn schedule_wake(&self, at: u64, waker: &Waker) {
        self.with_state(|state| {
            if state.queue.schedule_wake(at, waker) {
                state.wake_and_rearm();
            }
        });
    }
}

embassy_time_driver::time_driver_impl!(static DRIVER: TimeDriver = TimeDriver {
    state: Mutex::new(RefCell::new(State { clock: Clock { last: 0 }, queue: Queue::new() })),
});

/// Starts the counter and the timer.
pub(super) fn init() {
    FPGAIO_PRESCALE.write(CLOCKS_PER_TICK - 1);
    TIMER0_RELOAD.write(0);
    on_alarm();
    // SAFETY: nothing of this image relies on this interrupt being masked.
    unsafe { NVIC::unmask(Interrupt::Timer0) };
}

/// The timer has fired: a task is due, or a minute has passed.
pub(super) fn on_alarm() {
    DRIVER.with_state(State::wake_and_rearm);
}
