//! Network driver for the LAN9118 of the machine.
#![expect(unsafe_code, reason = "unmasking an interrupt can break a critical section that relies on its mask")]

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

/// The chip, its MAC address, and a buffer for one received packet.
pub(crate) struct Lan9118Driver {
    chip: Lan9118<Lan9118Registers>,
    address: [u8; 6],
    buffer: [u8; MAX_PACKET],
}

impl Lan9118Driver {
    pub(super) fn start() -> Self {
        let started = Lan9118::start(Lan9118Registers);
        if started.is_err() {
            error!("the LAN9118 does not respond after reset");
        }
        let mut chip = unwrap!(started.ok());
        let address = chip.address().unwrap_or_default();
        // Until its polarity was set, the interrupt line had the wrong level.
        NVIC::unpend(Interrupt::Ethernet);
        // SAFETY: nothing of this image relies on this interrupt being masked.
        unsafe { NVIC::unmask(Interrupt::Ethernet) };
        Self { chip, address, buffer: [0; MAX_PACKET] }
    }
}

/// A packet was received, or the link went up or down.
pub(super) fn on_interrupt() {
    acknowledge(&mut Lan9118Registers);
    WAKER.wake();
}

impl Driver for Lan9118Driver {
    type RxToken<'a> = ReceivedPacket<'a>;
    type TxToken<'a> = TransmitSlot<'a>;

    fn receive(&mut self, cx: &mut Context<'_>) -> Option<(ReceivedPacket<'_>, TransmitSlot<'_>)> {
        WAKER.register(cx.waker());
        // The driver trait wants a transmit token for the answer with each packet.
        while self.chip.can_transmit() && self.chip.has_packet() {
            let len = self.chip.receive(&mut self.buffer);
            if len > 0 {
                return Some((ReceivedPacket(&mut self.buffer[..len]), TransmitSlot(&mut self.chip)));
            }
        }
        None
    }

    fn transmit(&mut self, cx: &mut Context<'_>) -> Option<TransmitSlot<'_>> {
        WAKER.register(cx.waker());
        let has_room = self.chip.can_transmit();
        if !has_room {
            // No interrupt reports free space. QEMU sends immediately, so polling again succeeds.
            cx.waker().wake_by_ref();
        }
        has_room.then_some(TransmitSlot(&mut self.chip))
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

pub(crate) struct ReceivedPacket<'a>(&'a mut [u8]);

impl RxToken for ReceivedPacket<'_> {
    fn consume<R, F: FnOnce(&mut [u8]) -> R>(self, action: F) -> R {
        action(self.0)
    }
}

pub(crate) struct TransmitSlot<'a>(&'a mut Lan9118<Lan9118Registers>);

impl TxToken for TransmitSlot<'_> {
    fn consume<R, F: FnOnce(&mut [u8]) -> R>(self, len: usize, action: F) -> R {
        let mut packet = [0; MAX_PACKET];
        let packet = &mut packet[..len.min(MAX_PACKET)];
        let result = action(packet);
        self.0.transmit(packet);
        wake_event_loop();
        result
    }
}

/// Starts a timer of 10 µs. QEMU flushes its network queue only in its event loop, which an expiring timer enters; without
/// it a packet would wait for the next event, for up to a second.
fn wake_event_loop() {
    TIMER1_CTRL.write(0);
    TIMER1_RELOAD.write(0);
    // The value is set first: QEMU warns about a timer that starts with zero.
    TIMER1_VALUE.write(SYSTEM_CLOCK_HZ / 100_000);
    TIMER1_CTRL.write(TIMER_CTRL_ENABLE);
}
