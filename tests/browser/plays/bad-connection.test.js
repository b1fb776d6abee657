// A connection that has gone silent: the page says that it is sending, notices, and sends the move again.

import assert from "node:assert/strict";

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

play("what a silent connection swallowed is reported, and can be done again: chat, resign, leave", async (env) => {
  const cable = await Cable.to(env.relay.url);
  try {
    const [anna, ben] = [new Player(await env.window({ baseURL: cable.url })), new Player(await env.window())];
    await ben.join(await anna.create({ clock: "10+5" }));
    await playOut(anna, ben, "e4 e5");
    await anna.mayMove();
    env.failures.expect(...RELAY_DOWN, /ERR_/, /failed request/);
    const notice = anna.page.locator(".head").getByText("Not sent: connection lost.");
    const lost = async (/** @type {() => Promise<void>} */ act) => {
      // The notice of the last time, which is shown for some seconds, says nothing about this one.
      await notice.waitFor({ state: "hidden" });
      cable.pull();
      await act();
      await notice.waitFor();
      cable.plug();
      await anna.page.getByRole("alert").getByText("Reconnecting …").waitFor({ state: "hidden" });
      await anna.mayMove();
    };
    const field = anna.page.getByLabel("Write a message");
    await lost(async () => {
      await field.fill("Hello Ben");
      await field.press("Enter");
    });
    assert.equal(await field.inputValue(), "Hello Ben");
    await field.press("Enter");
    await ben.chat.getByText("Hello Ben").waitFor();
    await anna.chat.getByText("Hello Ben").waitFor();
    assert.equal(await field.inputValue(), "");
    const confirm = async (/** @type {string} */ action) => {
      await anna.button(action).click();
      await anna.page.getByRole("dialog").getByRole("button", { name: action }).click();
    };
    await lost(() => confirm("Leave"));
    await lost(() => confirm("Resign"));
    await confirm("Resign");
    await ben.sees("You won by resignation.");
  } finally {
    await cable.discard();
  }
});
