// Sounds.

import assert from "node:assert/strict";

import { play } from "../harness/play.js";
import { Player } from "../harness/player.js";

/** Runs in a page before its own scripts: counts the tones that start. */
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

play("moves play a sound unless sounds are off", async (env) => {
  const [anna, ben] = [new Player(await env.window()), new Player(await env.window())];
  await anna.page.addInitScript(countTones);
  await ben.join(await anna.create());
  await anna.mayMove();
  let before = await tones(anna);
  await anna.click("e2", "e4");
  await ben.type("e5");
  await anna.mayMove();
  assert.ok((await tones(anna)) > before, "no tone was played");

  await anna.button("Turn sounds off").click();
  await anna.button("Turn sounds on").waitFor();
  before = await tones(anna);
  await anna.click("g1", "f3");
  await ben.type("Nc6");
  await anna.mayMove();
  assert.equal(await tones(anna), before);
  // The choice is stored.
  await anna.page.reload();
  await anna.button("Turn sounds on").click();
  await anna.button("Turn sounds off").waitFor();
  assert.ok((await tones(anna)) > 0, "no tone was played when sounds were turned on");
});
