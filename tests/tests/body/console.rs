use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use tests::parts;
use tests::qemu::{Qemu, SerialLine};

use crate::relay::{KEY, Relay, digits};
use crate::world::Folder;

/// Ends what hangs. It says nothing about speed.
const PATIENCE: Duration = Duration::from_mins(1);

/// Somebody with a cable.
struct Terminal {
    cable: TcpStream,
    screen: String,
}

impl Terminal {
    /// Waits until the board is at the other end.
    fn attach(listener: &TcpListener) -> Result<Self> {
        let (cable, _) = listener.accept()?;
        cable.set_read_timeout(Some(Duration::from_millis(200)))?;
        Ok(Self { cable, screen: String::new() })
    }

    fn type_in(&mut self, line: &str) -> Result<()> {
        Ok(write!(self.cable, "{line}\r")?)
    }

    /// Reads on until this is on the screen, and clears it.
    fn wait_for(&mut self, text: &str) -> Result<String> {
        let deadline = Instant::now() + PATIENCE;
        while !self.screen.contains(text) {
            let mut bytes = [0; 256];
            match self.cable.read(&mut bytes) {
                Ok(0) => bail!("the cable is cut; on the screen is {:?}", self.screen),
                Ok(count) => self.screen += &String::from_utf8_lossy(&bytes[..count]),
                Err(_) if Instant::now() < deadline => {}
                Err(_) => bail!("{text:?} never came; on the screen is {:?}", self.screen),
            }
        }
        Ok(std::mem::take(&mut self.screen))
    }
}

#[test]
fn a_board_is_set_up_over_its_cable() -> Result<()> {
    let Some(image) = parts::mps2_image() else {
        return Ok(());
    };
    let (folder, mut relay) = (Folder::new()?, Relay::new()?);
    let listener = TcpListener::bind(("127.0.0.1", 0))?;
    let qemu = Qemu::new(&image).network().order(&folder.journal());
    let mut board = qemu.line(SerialLine::Console, listener.local_addr()?.port()).boot()?;
    let mut terminal = Terminal::attach(&listener)?;
    board.wait_for_start("the network is up")?;

    terminal.type_in("hepl")?;
    terminal.wait_for("there is no such command; `help` lists them")?;
    terminal.type_in("help")?;
    terminal.wait_for("reboot")?;
    terminal.type_in(&relay.order()?.replace("relay=", "set relay "))?;
    terminal.wait_for("done")?;
    let digits = digits(KEY);
    terminal.type_in(&format!("set key {digits}"))?;
    let shown = terminal.wait_for("done")?;
    assert!(shown.contains("set key ****"), "{shown}");
    relay.wait("the board", Relay::is_online)?;
    terminal.type_in("set name kitchen")?;
    terminal.wait_for("done")?;
    terminal.type_in("show")?;
    let shown = terminal.wait_for("plies")?;
    assert!(shown.contains("name kitchen\r\n") && shown.contains("link up\r\n"), "{shown}");
    assert!(!shown.contains(&digits[..8]), "{shown}");
    terminal.type_in("selftest")?;
    terminal.wait_for("journal good")?;
    terminal.type_in("stats")?;
    terminal.wait_for("last end: none that was told")?;

    // What was set is still there when the board starts again.
    terminal.type_in("reboot")?;
    board.wait_for_start("the journal is whole")?;
    terminal.type_in("show")?;
    let shown = terminal.wait_for("plies")?;
    assert!(shown.contains("name kitchen\r\n"), "{shown}");
    Ok(())
}
