// Time that runs out.

import { play } from "../harness/play.js";
import { Player } from "../harness/player.js";

play("who has little time left is told so", async (stage) => {
  const [anna, ben] = [new Player(await stage.window()), new Player(await stage.window())];
  await anna.page.goto("/");
  const form = anna.page.getByRole("form", { name: "New game" });
  await form.getByLabel("Your name").fill("Anna");
  await form.getByRole("radio", { name: "White" }).check();
  await form.getByRole("radio", { name: "Other …" }).check();
  await form.getByLabel("Minutes each").fill("0.4");
  // What is added is enough to see that it is added.
  await form.getByLabel("Seconds added a move").fill("600");
  await form.getByRole("button", { name: "Create game" }).click();
  await anna.sees("Waiting for an opponent");
  await ben.join(anna.code());
  const clock = (/** @type {Player} */ player, /** @type {string} */ name) => player.page.getByRole("group", { name }).getByRole("timer");
  await clock(anna, "White: Anna").getByText("0:24").waitFor();
  await anna.type("e4");
  await clock(ben, "White: Anna").getByText(/^10:2\d$/).waitFor();
  // Ben's runs now, and nobody has told him yet.
  await ben.spoken("Twenty seconds left.");
  await ben.type("e5");
  await clock(anna, "Black: Ben").getByText(/^10:[012]\d$/).waitFor();
});
