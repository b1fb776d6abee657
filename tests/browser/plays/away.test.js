// What is done while the relay is away.

import assert from "node:assert/strict";

import { play } from "../harness/play.js";
import { playOut, twoPlayers } from "../harness/player.js";
import { RELAY_AWAY } from "../harness/troubles.js";

const UNSENT = "Not sent: the relay is away.";

/** @param {import("../harness/play.js").Stage} stage */
async function goAway(stage, /** @type {import("../harness/player.js").Player[]} */ ...players) {
  stage.troubles.expect(...RELAY_AWAY);
  await stage.relay.kill();
  for (const { page } of players) await page.getByRole("alert").getByText("your seat is kept").waitFor();
}

/** @param {import("../harness/play.js").Stage} stage */
async function comeBack(stage, /** @type {import("../harness/player.js").Player[]} */ ...players) {
  await stage.relay.restart();
  for (const { page } of players) {
    await page.getByRole("alert").getByText("your seat is kept").waitFor({ state: "hidden" });
    await page.getByRole("main").getByText(UNSENT).first().waitFor({ state: "hidden" });
  }
}

play("a move that is made while the relay is away is said not to be sent, however it is made", async (stage) => {
  const { anna, ben } = await twoPlayers(stage);
  await playOut(anna, ben, "e4 e5");
  await anna.mayMove();
  await goAway(stage, anna);

  await anna.typed.fill("Nf3");
  await anna.typed.press("Enter");
  const typed = anna.page.locator("form").filter({ has: anna.typed });
  await typed.getByText(UNSENT).waitFor();
  await anna.spoken(UNSENT);
  assert.equal(await anna.typed.inputValue(), "Nf3");
  assert.equal(await anna.typed.getAttribute("aria-invalid"), null);
  await comeBack(stage, anna);
  // It waits where it was written, and nobody has to write it again.
  assert.equal(await anna.typed.inputValue(), "Nf3");
  await anna.mayMove();
  await goAway(stage, anna);

  const notice = anna.page.locator(".head").getByText(UNSENT);
  await anna.click("g1", "f3");
  await notice.waitFor();
  await anna.spoken(UNSENT);
  await anna.seesOn("g1", "white knight");
  await comeBack(stage, anna);
  await anna.mayMove();
  await goAway(stage, anna);

  await anna.drag("g1", "f3");
  await notice.waitFor();
  await anna.seesOn("g1", "white knight");
  await comeBack(stage, anna);
  await anna.mayMove();
  await goAway(stage, anna);

  await anna.square("e1").focus();
  await anna.press("g1", "f3");
  await notice.waitFor();
  await anna.seesOn("g1", "white knight");
  await comeBack(stage, anna, ben);

  await anna.typed.press("Enter");
  await ben.mayMove();
  await ben.seesOn("f3", "white knight");
});

play("what is said, offered and answered while the relay is away is not lost without a word", async (stage) => {
  const { anna, ben } = await twoPlayers(stage);
  await playOut(anna, ben, "e4 e5");
  await anna.mayMove();
  await ben.button("Offer draw").click();
  await anna.offer("draw").waitFor();
  await ben.button("Resign").click();
  const question = ben.page.getByRole("dialog", { name: "Resign this game?" });
  await question.waitFor();
  await goAway(stage, anna, ben);

  // Who was asked before, and answers now.
  await question.getByRole("button", { name: "Resign" }).click();
  await ben.page.locator(".head").getByText(UNSENT).waitFor();
  await ben.spoken(UNSENT);

  const field = anna.page.getByLabel("Say something");
  await field.fill("Are you there?");
  await anna.button("Send").click();
  await anna.page.getByRole("region", { name: "Chat" }).getByText(UNSENT).waitFor();
  await anna.spoken(UNSENT);
  assert.equal(await field.inputValue(), "Are you there?");

  for (const name of ["Take back", "Offer draw", "Resign", "Leave"]) {
    assert.equal(await anna.button(name).isDisabled(), true, name);
  }
  assert.equal(await anna.offer("draw").isVisible(), false);
  await comeBack(stage, anna, ben);

  await anna.offer("draw").waitFor();
  await anna.button("Send").click();
  await ben.chat.getByText("Are you there?").waitFor();
  assert.equal(await field.inputValue(), "");
  await ben.sees("Waiting for Anna");
  await anna.type("Nf3");
  await ben.mayMove();
});
