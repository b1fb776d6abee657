// A connection that has gone silent: the page says that it is sending, notices, and sends the move again.

import { Cable } from "../harness/cable.js";
import { RELAY_DOWN } from "../harness/failures.js";
import { play } from "../harness/play.js";
import { Player, playOut } from "../harness/player.js";

for (const way of /** @type {const} */ (["click", "type"])) {
  play(`a move that a silent connection swallowed is sent again: ${way}`, async (env) => {
    const cable = await Cable.to(env.relay.url);
    try {
      const [anna, ben] = [new Player(await env.window({ baseURL: cable.url })), new Player(await env.window())];
      await ben.join(await anna.create({ clock: "10+5" }));
      await playOut(anna, ben, "e4 e5");
      await anna.mayMove();
      env.failures.expect(...RELAY_DOWN, /ERR_/, /failed request/);
      cable.pull();
      if (way === "click") await anna.click("g1", "f3");
      else await anna.type("Nf3");
      await anna.page.getByText("Sending your move …").waitFor();
      await anna.page.getByRole("alert").getByText("Reconnecting …").waitFor();
      cable.plug();
      // The move arrives without another click.
      await ben.seesOn("f3", "white knight");
      await ben.mayMove();
      await anna.sees("Waiting for Ben");
      await anna.page.getByText("Sending your move …").waitFor({ state: "hidden" });
      await ben.type("Nc6");
      await anna.mayMove();
    } finally {
      await cable.discard();
    }
  });
}
