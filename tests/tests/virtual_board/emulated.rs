use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::json;
use tests::parts;
use tests::qemu::{Qemu, SerialLine};
use tests::redis::Folder;

use crate::window::Window;

/// `tabiya panel`, and where its three ends are: the switches, the lights and the page.
struct Panel {
    process: Child,
    ports: [u16; 3],
}

impl Panel {
    fn start(qmp: &Path) -> Result<Option<Self>> {
        let Some(program) = parts::tabiya() else { return Ok(None) };
        let mut command = Command::new(program);
        command.args(["panel", "--listen", "127.0.0.1:0", "--qmp"]).arg(qmp);
        let mut process = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let mut lines = BufReader::new(process.stdout.take().context("it has no output")?).lines();
        let mut ports = [0; 3];
        for port in &mut ports {
            let line = lines.next().context("the panel says too little")??;
            let number = line.trim_end_matches("/board").rsplit(':').next();
            *port = number.with_context(|| format!("no port in {line:?}"))?.parse()?;
        }
        Ok(Some(Self { process, ports }))
    }
}

impl Drop for Panel {
    fn drop(&mut self) {
        // Nobody is left to tell.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The same page is the panel of the firmware in the emulator: what hands do there, its lights answer, and a power cut in
/// mid-game loses nothing.
#[test]
fn the_firmware_in_the_emulator_has_the_same_panel() -> Result<()> {
    let Some(image) = parts::mps2_image() else { return Ok(()) };
    let folder = Folder::new()?;
    let qmp = folder.path().join("qmp");
    let Some(panel) = Panel::start(&qmp)? else { return Ok(()) };
    let [switches, lights, page] = panel.ports;
    let journal = format!("journal={}", folder.path().join("journal").display());
    let qemu = Qemu::new(&image).line(SerialLine::Sensors, switches).line(SerialLine::Lights, lights);
    let _board = qemu.qmp(&qmp).order(&journal).boot()?;

    let mut window = Window::open(([127, 0, 0, 1], page).into())?;
    ensure!(window.state["kind"] == "emulated" && window.state["plugs"] == true, "{}", window.state);
    let is_seen =
        |window: &Window| window.settled.count() as usize == 32 - window.wood["hands"].as_array().map_or(0, Vec::len);
    window.until("the board awake", is_seen)?;
    window.lift("g1")?;
    window.until_lit(&["g1", "f3", "h3"])?;
    window.until("the lift believed", is_seen)?;
    window.put("f3")?;
    window.until("the knight believed", |window| window.at("f3") == 'N' && is_seen(window))?;
    window.lift("b8")?;
    window.until_lit(&["a6", "c6"])?;
    window.put("b8")?;

    window.touch(&json!({ "type": "power", "plugged": false }))?;
    window.until("darkness", |window| window.state["power"] == false && window.lights == [[0; 3]; 64])?;
    window.touch(&json!({ "type": "power", "plugged": true }))?;
    window.until("the board awake again", is_seen)?;
    // It is still Black's turn.
    window.lift("g8")?;
    window.until_lit(&["f6", "h6"])?;
    ensure!(window.errors.is_empty(), "{:?}", window.errors);
    Ok(())
}
