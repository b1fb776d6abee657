// Actions while the connection is lost.

import assert from "node:assert/strict";

import { violations } from "../harness/axe.js";
import { panelLines } from "../harness/layout.js";
import { play } from "../harness/play.js";
import { Player, playOut, twoPlayers } from "../harness/player.js";
import { RELAY_DOWN } from "../harness/failures.js";

const UNSENT = "Not sent: connection lost.";
const RECONNECTING = "Reconnecting …";

/** @param {import("../harness/play.js").Environment} env */
async function loseConnection(env, /** @type {import("../harness/player.js").Player[]} */ ...players) {
  env.failures.expect(...RELAY_DOWN);
  await env.relay.kill();
  for (const { page } of players) await page.getByRole("alert").getByText(RECONNECTING).waitFor();
}

/** @param {import("../harness/play.js").Environment} env */
async function reconnect(env, /** @type {import("../harness/player.js").Player[]} */ ...players) {
  await env.relay.restart();
  for (const { page } of players) {
    await page.getByRole("alert").getByText(RECONNECTING).waitFor({ state: "hidden" });
    await page.getByRole("main").getByText(UNSENT).first().waitFor({ state: "hidden" });
  }
}

play("a move without a connection is reported as not sent, whichever way it is made", async (env) => {
  const { anna, ben } = await twoPlayers(env);
  await playOut(anna, ben, "e4 e5");
  await anna.mayMove();
  await loseConnection(env, anna);

  await anna.typed.fill("Nf3");
  await anna.typed.press("Enter");
  const typed = anna.page.locator("form").filter({ has: anna.typed });
  await typed.getByText(UNSENT).waitFor();
  await anna.spoken(UNSENT);
  assert.equal(await anna.typed.inputValue(), "Nf3");
  assert.equal(await anna.typed.getAttribute("aria-invalid"), null);
  await reconnect(env, anna);
  // A typed move stays in its field.
  assert.equal(await anna.typed.inputValue(), "Nf3");
  await anna.mayMove();
  await loseConnection(env, anna);

  const notice = anna.page.locator(".head").getByText(UNSENT);
  await anna.click("g1", "f3");
  await notice.waitFor();
  await anna.spoken(UNSENT);
  await anna.seesOn("g1", "white knight");
  await reconnect(env, anna);
  await anna.mayMove();
  await loseConnection(env, anna);

  await anna.drag("g1", "f3");
  await notice.waitFor();
  await anna.seesOn("g1", "white knight");
  await reconnect(env, anna);
  await anna.mayMove();
  await loseConnection(env, anna);

  await anna.square("e1").focus();
  await anna.press("g1", "f3");
  await notice.waitFor();
  await anna.seesOn("g1", "white knight");
  await reconnect(env, anna, ben);

  await anna.typed.press("Enter");
  await ben.mayMove();
  await ben.seesOn("f3", "white knight");
});

play("nothing in the panel moves when the connection is lost, errors are shown, and it is back", async (env) => {
  const { anna, ben } = await twoPlayers(env);
  await playOut(anna, ben, "e4 e5");
  await anna.mayMove();
  const before = await panelLines(anna.page);
  await loseConnection(env, anna);
  assert.deepEqual(await panelLines(anna.page), before);
  assert.deepEqual(await violations(anna.page), []);
  await anna.page.getByLabel("Write a message").fill("Are you there?");
  await anna.button("Send").click();
  await anna.page.getByRole("region", { name: "Chat" }).getByText(UNSENT).waitFor();
  assert.deepEqual(await panelLines(anna.page), before);
  await anna.typed.fill("Nf3");
  await anna.typed.press("Enter");
  await anna.page.locator("form").filter({ has: anna.typed }).getByText(UNSENT).waitFor();
  assert.deepEqual(await panelLines(anna.page), before);
  await reconnect(env, anna);
  assert.deepEqual(await panelLines(anna.page), before);
});

play("a long error beside the field for typed moves moves nothing on a narrow phone", async (env) => {
  const [anna, ben] = [new Player(await env.window({ viewport: { width: 320, height: 640 } })), new Player(await env.window())];
  await ben.join(await anna.create());
  await anna.mayMove();
  const before = await panelLines(anna.page);
  await anna.type("e2e2");
  const wrong = anna.page.locator("form").filter({ has: anna.typed }).locator(".wrong");
  await wrong.getByText("Start and target square are the same.").waitFor();
  assert.ok((await wrong.boundingBox())?.height, "it is shown");
  assert.deepEqual(await panelLines(anna.page), before);
});

play("chat, offers and answers without a connection are reported as not sent", async (env) => {
  const { anna, ben } = await twoPlayers(env);
  await playOut(anna, ben, "e4 e5");
  await anna.mayMove();
  await ben.button("Offer draw").click();
  await anna.offer("draw").waitFor();
  await ben.button("Resign").click();
  const question = ben.page.getByRole("dialog", { name: "Resign this game?" });
  await question.waitFor();
  await loseConnection(env, anna, ben);

  // A question that was asked before the connection was lost.
  await question.getByRole("button", { name: "Resign" }).click();
  await ben.page.locator(".head").getByText(UNSENT).waitFor();
  await ben.spoken(UNSENT);

  const field = anna.page.getByLabel("Write a message");
  await field.fill("Are you there?");
  await anna.button("Send").click();
  await anna.page.getByRole("region", { name: "Chat" }).getByText(UNSENT).waitFor();
  await anna.spoken(UNSENT);
  assert.equal(await field.inputValue(), "Are you there?");

  for (const name of ["Takeback", "Offer draw", "Resign", "Leave"]) {
    assert.equal(await anna.button(name).isDisabled(), true, name);
  }
  assert.equal(await anna.offer("draw").isVisible(), false);
  await reconnect(env, anna, ben);

  await anna.offer("draw").waitFor();
  await anna.button("Send").click();
  await ben.chat.getByText("Are you there?").waitFor();
  assert.equal(await field.inputValue(), "");
  await ben.sees("Waiting for Anna");
  await anna.type("Nf3");
  await ben.mayMove();
});
