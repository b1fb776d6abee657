// Clocks.

import assert from "node:assert/strict";

import { play } from "../harness/play.js";
import { Player } from "../harness/player.js";

play("a player with little time left is warned", async (env) => {
  const [anna, ben] = [new Player(await env.window()), new Player(await env.window())];
  // The increment is large enough to be visible, and a slow machine has some seconds before the warning.
  await ben.join(await anna.create({ time: { minutes: "0.45", seconds: "600" } }));
  const clock = (/** @type {Player} */ player, /** @type {string} */ name) => player.page.getByRole("group", { name }).getByRole("timer");
  await clock(anna, "White: Anna").getByText("0:27").waitFor();
  await anna.type("e4");
  await clock(ben, "White: Anna").getByText(/^10:2\d$/).waitFor();
  // Ben's clock runs now.
  await ben.spoken("Twenty seconds left.");
  await ben.type("e5");
  await clock(anna, "Black: Ben").getByText(/^10:[012]\d$/).waitFor();
});

play("animation frames are requested only while a clock runs", async (env) => {
  const [anna, ben] = [new Player(await env.window()), new Player(await env.window())];
  await anna.page.addInitScript(() => {
    const native = window.requestAnimationFrame;
    const requests = { count: 0 };
    Object.assign(window, {
      requests,
      native,
      requestAnimationFrame: (/** @type {FrameRequestCallback} */ callback) => {
        requests.count += 1;
        return native(callback);
      },
    });
  });
  /** The requests of the page while the browser draws ten frames. */
  const requests = () =>
    anna.page.evaluate(async () => {
      const { requests, native } = /** @type {any} */ (window);
      const before = requests.count;
      for (let frame = 0; frame < 10; frame += 1) await new Promise((resolve) => native(resolve));
      return requests.count - before;
    });
  await ben.join(await anna.create({ clock: "10+5" }));
  await anna.mayMove();
  // Clocks stand still until the first move.
  assert.equal(await requests(), 0);
  await anna.type("e4");
  await ben.mayMove();
  assert.ok((await requests()) >= 9);
  await ben.type("e5");
  await anna.mayMove();
  await anna.button("Resign").click();
  await anna.page.getByRole("dialog").getByRole("button", { name: "Resign" }).click();
  await anna.sees("You lost by resignation.");
  assert.equal(await requests(), 0);
});

for (const [screen, viewport] of Object.entries({
  "a desktop": { width: 1280, height: 800 },
  "a phone": { width: 390, height: 844 },
  "a phone in landscape": { width: 844, height: 390 },
})) {
  play(`a player's name is beside the clock on ${screen}`, async (env) => {
    const [anna, ben] = [new Player(await env.window({ viewport })), new Player(await env.window())];
    await ben.join(await anna.create({ clock: "10+5" }));
    await anna.mayMove();
    for (const label of ["White: Anna", "Black: Ben"]) {
      const strip = anna.page.getByRole("group", { name: label });
      const [name, clock] = await Promise.all([strip.locator(".name").boundingBox(), strip.getByRole("timer").boundingBox()]);
      assert.ok(name && clock);
      const offset = name.y + name.height / 2 - (clock.y + clock.height / 2);
      assert.ok(Math.abs(offset) <= 3, `${label}: the middle of the name is ${offset} pixels below that of the clock`);
    }
  });
}
