// Time that runs out.

import { play } from "../harness/play.js";
import { Player } from "../harness/player.js";

play("who has little time left is told so", async (stage) => {
  const [anna, ben] = [new Player(await stage.window()), new Player(await stage.window())];
  // What is added is enough to see that it is added, and before the warning there are a few seconds for a slow machine.
  await ben.join(await anna.create({ time: { minutes: "0.45", seconds: "600" } }));
  const clock = (/** @type {Player} */ player, /** @type {string} */ name) => player.page.getByRole("group", { name }).getByRole("timer");
  await clock(anna, "White: Anna").getByText("0:27").waitFor();
  await anna.type("e4");
  await clock(ben, "White: Anna").getByText(/^10:2\d$/).waitFor();
  // Ben's runs now, and nobody has told him yet.
  await ben.spoken("Twenty seconds left.");
  await ben.type("e5");
  await clock(anna, "Black: Ben").getByText(/^10:[012]\d$/).waitFor();
});
