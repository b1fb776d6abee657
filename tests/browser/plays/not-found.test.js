// Addresses without a page.

import assert from "node:assert/strict";

import { violations } from "../harness/axe.js";
import { play } from "../harness/play.js";
import { Player } from "../harness/player.js";

play("an unknown address shows an error page with a link to the lobby", async (env) => {
  env.failures.expect(/404/);
  for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
    const player = new Player(await env.window({ colorScheme }));
    const answer = await player.page.goto("/nowhere/at/all");
    assert.equal(answer?.status(), 404);
    await player.sees("Page not found");
    assert.deepEqual(await violations(player.page), []);
    await player.page.getByRole("link", { name: "Back to the lobby", exact: true }).click();
    await player.sees(/Play chess/);
  }
});
