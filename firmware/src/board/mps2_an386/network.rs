//! The machine's Ethernet, as a network driver.
#![expect(unsafe_code, reason = "unmasking an interrupt is a promise that nobody relies on its mask")]

use core::task::Context;

use cortex_m::peripheral::NVIC;
use defmt::{error, unwrap};
use embassy_net_driver::{Capabilities, Driver, HardwareAddress, LinkState, RxToken, TxToken};
use embassy_sync::waitqueue::AtomicWaker;

use super::interrupts::Interrupt;
use super::registers::{
    Lan9118Registers, SYSTEM_CLOCK_HZ, TIMER_CTRL_ENABLE, TIMER1_CTRL, TIMER1_RELOAD, TIMER1_VALUE,
};
use crate::drivers::lan9118::{Lan9118, MAX_PACKET, acknowledge};

static WAKER: AtomicWaker = AtomicWaker::new();

/// The chip, its address, and room for one packet.
pub(crate) struct Lan9118Driver {
    chip: Lan9118<Lan9118Registers>,
    address: [u8; 6],
    buffer: [u8; MAX_PACKET],
}

impl Lan9118Driver {
    pub(super) fn start() -> Self {
        let started = Lan9118::start(Lan9118Registers);
        if started.is_err() {
            error!("the network chip does not wake up");
        }
        let mut chip = unwrap!(started.ok());
        let address = chip.address().unwrap_or_default();
        // Before its polarity was set, the chip seemed to interrupt.
        NVIC::unpend(Interrupt::Ethernet);
        // SAFETY: nothing of this image relies on this interrupt being masked.
        unsafe { NVIC::unmask(Interrupt::Ethernet) };
        Self { chip, address, buffer: [0; MAX_PACKET] }
    }
}

/// A packet has come, or the cable has been plugged in or out.
pub(super) fn on_interrupt() {
    acknowledge(&mut Lan9118Registers);
    WAKER.wake();
}

impl Driver for Lan9118Driver {
    type RxToken<'a> = Received<'a>;
    type TxToken<'a> = Room<'a>;

    fn receive(&mut self, cx: &mut Context<'_>) -> Option<(Received<'_>, Room<'_>)> {
        WAKER.register(cx.waker());
        // A packet is only taken where there is room for an answer to it.
        while self.chip.can_transmit() && self.chip.has_packet() {
            let len = self.chip.receive(&mut self.buffer);
            if len > 0 {
                return Some((Received(&mut self.buffer[..len]), Room(&mut self.chip)));
            }
        }
        None
    }

    fn transmit(&mut self, cx: &mut Context<'_>) -> Option<Room<'_>> {
        WAKER.register(cx.waker());
        let there_is_room = self.chip.can_transmit();
        if !there_is_room {
            // No interrupt tells when there is room again; the emulator sends at once, so it is a matter of asking.
            cx.waker().wake_by_ref();
        }
        there_is_room.then_some(Room(&mut self.chip))
    }

    fn link_state(&mut self, cx: &mut Context<'_>) -> LinkState {
        WAKER.register(cx.waker());
        if self.chip.is_link_up() { LinkState::Up } else { LinkState::Down }
    }

    fn capabilities(&self) -> Capabilities {
        let mut capabilities = Capabilities::default();
        capabilities.max_transmission_unit = 1514;
        capabilities.max_burst_size = Some(1);
        capabilities
    }

    fn hardware_address(&self) -> HardwareAddress {
        HardwareAddress::Ethernet(self.address)
    }
}

/// A packet that has come.
pub(crate) struct Received<'a>(&'a mut [u8]);

impl RxToken for Received<'_> {
    fn consume<R, F: FnOnce(&mut [u8]) -> R>(self, action: F) -> R {
        action(self.0)
    }
}

/// Room for a packet to go.
pub(crate) struct Room<'a>(&'a mut Lan9118<Lan9118Registers>);

impl TxToken for Room<'_> {
    fn consume<R, F: FnOnce(&mut [u8]) -> R>(self, len: usize, action: F) -> R {
        let mut packet = [0; MAX_PACKET];
        let packet = &mut packet[..len.min(MAX_PACKET)];
        let result = action(packet);
        self.0.transmit(packet);
        kick();
        result
    }
}

/// Lets a timer run out. Only then does the emulator's network look at what it was given; otherwise it would wait for
/// something else to happen, for up to a second.
fn kick() {
    TIMER1_CTRL.write(0);
    TIMER1_RELOAD.write(0);
    // The value comes before the start, or the emulator complains about a timer that has nothing to count.
    TIMER1_VALUE.write(SYSTEM_CLOCK_HZ / 100_000);
    TIMER1_CTRL.write(TIMER_CTRL_ENABLE);
}
