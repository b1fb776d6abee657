use anyhow::{Result, ensure};
use serde_json::json;
use tests::panel_page::PanelPage;
use tests::parts;
use tests::qemu::{Qemu, SerialLine};
use tests::temp_dir::TempDir;

use crate::panel_client::PanelClient;

/// The page of the virtual board is also the panel of the firmware in QEMU: its lights answer touches on the page, and a power
/// cut in mid-game loses no move.
#[test]
fn panel_page_plays_on_the_emulated_firmware_across_a_power_cut() -> Result<()> {
    let Some(image) = parts::mps2_image() else { return Ok(()) };
    let folder = TempDir::new()?;
    let qmp = folder.path().join("qmp");
    let panel = PanelPage::start("emulated", &qmp)?;
    let journal = format!("journal={}", folder.path().join("journal").display());
    let qemu = Qemu::new(&image).line(SerialLine::Sensors, panel.switches).line(SerialLine::Lights, panel.lights);
    let _board = qemu.qmp(&qmp).argument(&journal).boot()?;

    let mut window = PanelClient::open(panel.address)?;
    ensure!(window.state["kind"] == "emulated" && window.state["plugs"] == true, "{}", window.state);
    let is_seen = |window: &PanelClient| {
        window.settled.count() as usize == 32 - window.pieces["hands"].as_array().map_or(0, Vec::len)
    };
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
