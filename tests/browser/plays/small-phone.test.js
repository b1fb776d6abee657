// A small phone, upright and on its side: what a player needs first is in the window, and nothing is misaligned.

import assert from "node:assert/strict";

import { boxOf, inAllLanguages, isWholeInWindow, lineWidths } from "../harness/layout.js";
import { play } from "../harness/play.js";
import { Player, playOut } from "../harness/player.js";
import { SMALL_LANDSCAPE, SMALL_PHONE } from "../harness/touch.js";
import { VirtualBoard } from "../harness/virtual-board.js";

play("the virtual board on a small phone on its side shows the board, what it says and its tray without scrolling", async (env) => {
  const { page, board, tray } = await VirtualBoard.open(env, SMALL_LANDSCAPE);
  const frame = await isWholeInWindow(page, page.locator("#frame"));
  await isWholeInWindow(page, board);
  assert.ok(frame.width >= 280, `the board is large enough to play, not ${frame.width} px`);
  for (const beside of [page.locator(".board-column .status"), tray]) {
    const box = await isWholeInWindow(page, beside);
    assert.ok(box.x >= frame.x + frame.width, "it is beside the board");
  }
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, "it fits the width");
});

play("an invitation without a QR code has its code below the link", async (env) => {
  // The relay of a test has no address in the network, so a QR code would lead nowhere.
  const anna = new Player(await env.window(SMALL_PHONE));
  await anna.create({ clock: "5+3" });
  await anna.page.getByText("The link works on this computer only.").waitFor();
  await anna.page.locator(".share .qr").waitFor({ state: "hidden" });
  const [title, code] = [await boxOf(anna.page.locator(".share h2")), await boxOf(anna.page.locator(".share .code"))];
  assert.ok(Math.abs(title.x - code.x) < 1, `the title begins at ${title.x}, the code at ${code.x}`);
});

play("on a small phone on its side, captured pieces keep a distance from the headline", async (env) => {
  const [anna, ben] = [new Player(await env.window(SMALL_LANDSCAPE)), new Player(await env.window())];
  await ben.join(await anna.create({ clock: "5+3" }));
  await playOut(anna, ben, "e4 d5 exd5 Qxd5");
  await anna.mayMove();
  const captured = await boxOf(anna.page.locator(".strip").last().locator(".captured > span"));
  const headline = await boxOf(anna.page.locator(".head .status"));
  const distance = headline.y - (captured.y + captured.height);
  assert.ok(distance >= 6, `the distance is ${distance} px`);
  // All buttons are still in the window, without scrolling.
  await anna.page.evaluate(() => scrollTo(0, 0));
  for (const button of await anna.page.locator(".actions button:visible").all()) await isWholeInWindow(anna.page, button);
});

play("the first screen of the lobby on a small phone shows a running game, and its introduction is broken evenly", async (env) => {
  const [anna, ben] = [new Player(await env.window(SMALL_PHONE)), new Player(await env.window())];
  await ben.join(await anna.create({ clock: "5+3", color: "White" }), "Ben");
  await anna.mayMove();
  const { page } = anna;
  await page.goto("/");
  const yours = page.getByRole("region", { name: "Your games" });
  await yours.getByText("Your move").waitFor();
  await isWholeInWindow(page, yours);
  const lead = page.locator(".lead");
  const texts = await inAllLanguages("lobby.lead");
  for (const width of [320, 360, 390, 740, 844]) {
    await page.setViewportSize({ width, height: 740 });
    for (const [at, lines] of (await lineWidths(lead, texts)).entries()) {
      assert.ok((lines.at(-1) ?? 0) > Math.max(...lines) / 2, `${width} px: "${texts[at]}" has lines of ${lines.map(Math.round)} px`);
    }
  }
  // In a wide window the games are beside the form, above the other cards.
  await page.setViewportSize({ width: 1280, height: 800 });
  const [form, games, computer] = [await boxOf(page.locator(".create")), await boxOf(yours), await boxOf(page.locator(".stack"))];
  assert.equal(games.y, form.y);
  assert.ok(games.x > form.x + form.width && computer.x === games.x);
  const gap = computer.y - games.y - games.height;
  assert.ok(gap >= 8 && gap <= 32, `the cards are ${gap} px apart`);
});
