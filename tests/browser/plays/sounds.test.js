// What is heard, and how it is turned off.

import assert from "node:assert/strict";

import { play } from "../harness/play.js";
import { Player } from "../harness/player.js";

/** Runs in a page before its own scripts: counts every tone that begins. */
function countTones() {
  const counted = { tones: 0 };
  Object.assign(window, { counted });
  const { start } = OscillatorNode.prototype;
  OscillatorNode.prototype.start = function (...args) {
    counted.tones += 1;
    return start.apply(this, args);
  };
}

/** @param {Player} player */
const tones = ({ page }) => page.evaluate(() => /** @type {any} */ (window).counted.tones);

play("moves are heard, unless sounds are off", async (stage) => {
  const [anna, ben] = [new Player(await stage.window()), new Player(await stage.window())];
  await anna.page.addInitScript(countTones);
  await ben.join(await anna.create());
  await anna.mayMove();
  let before = await tones(anna);
  await anna.click("e2", "e4");
  await ben.type("e5");
  await anna.mayMove();
  assert.ok((await tones(anna)) > before, "nothing was heard");

  await anna.button("Turn sounds off").click();
  await anna.button("Turn sounds on").waitFor();
  before = await tones(anna);
  await anna.click("g1", "f3");
  await ben.type("Nc6");
  await anna.mayMove();
  assert.equal(await tones(anna), before);
  // It is kept, also for the next time.
  await anna.page.reload();
  await anna.button("Turn sounds on").click();
  await anna.button("Turn sounds off").waitFor();
  assert.ok((await tones(anna)) > 0, "nothing was heard when sounds were turned on");
});
