// Phones on their side, fingers at the edge of the board, and the keyboard's square.

import assert from "node:assert/strict";

import { brokenOrCut, inAllLanguages, isWholeInWindow } from "../harness/layout.js";
import { play } from "../harness/play.js";
import { Player, playOut, twoPlayers } from "../harness/player.js";
import { repeatUntil } from "../harness/repeat.js";
import { LANDSCAPE, Touch } from "../harness/touch.js";
import { VirtualBoard } from "../harness/virtual-board.js";

play("a phone on its side shows the whole board, and a pawn is promoted by finger", async (env) => {
  const [anna, ben] = [new Player(await env.window(LANDSCAPE)), new Player(await env.window())];
  await ben.join(await anna.create({ clock: "5+3" }));
  await anna.mayMove();
  const board = await isWholeInWindow(anna.page, anna.board);
  assert.ok(board.width > 240, "the board is large enough to play");
  await isWholeInWindow(anna.page, anna.page.getByRole("timer").last());
  // Names, and what their players do, are whole.
  const [offline] = await inAllLanguages("player.offline_for");
  for (const color of ["white", "black"]) {
    const strip = anna.page.locator(`[data-player=${color}]`);
    assert.deepEqual(await brokenOrCut(strip.locator(".name"), ["Bartholomäus"]), []);
    assert.deepEqual(await brokenOrCut(strip.locator(".note"), [offline?.replace("{who}", "board offline").replace("{count}", "300") ?? ""]), []);
  }
  await anna.tap("a2", "a4");
  await playOut(ben, anna, "h5 a5 h4 a6 h3 axb7 hxg2");
  await anna.mayMove();
  // The field for typed moves is further down.
  await anna.page.evaluate(() => scrollTo(0, 0));
  const finger = await Touch.on(anna.page);
  await finger.down(0, await anna.middle("b7"));
  await finger.move(0, await anna.middle("a8"));
  // The piece is raised above the finger, over the edge of the board, and nothing cuts it off there.
  const held = anna.page.locator(".piece.held");
  const box = await held.boundingBox();
  assert.ok(box && box.y < board.y, "the piece is above the finger");
  const isCut = await held.evaluate((piece) => {
    for (let at = piece.parentElement; at && !at.classList.contains("board-box"); at = at.parentElement) {
      if (getComputedStyle(at).overflow !== "visible") return true;
    }
    return false;
  });
  assert.equal(isCut, false);
  await finger.up(0);
  const dialog = anna.page.getByRole("dialog", { name: "Promote the pawn" });
  await isWholeInWindow(anna.page, dialog);
  // Chromium drops a tap that follows the end of a drag within milliseconds.
  await repeatUntil(() => dialog.getByRole("button", { name: "queen" }).tap(), dialog, "hidden");
  await ben.seesOn("a8", "white queen");
  const virtual = await VirtualBoard.open(env, LANDSCAPE);
  await virtual.page.locator("#frame").scrollIntoViewIfNeeded();
  await isWholeInWindow(virtual.page, virtual.board);
});

for (const viewport of [{ width: 915, height: 412 }, { width: 932, height: 430 }, { width: 956, height: 440 }]) {
  play(`on a phone of ${viewport.width} x ${viewport.height} on its side the board is as high as the window allows`, async (env) => {
    const [anna, ben] = [new Player(await env.window({ ...LANDSCAPE, viewport })), new Player(await env.window())];
    await ben.join(await anna.create({ clock: "5+3" }));
    await anna.mayMove();
    const { page } = anna;
    const board = await isWholeInWindow(page, anna.board);
    assert.ok(board.height > viewport.height * 0.75, `the board is ${board.height} px high`);
    for (const timer of await page.getByRole("timer").all()) {
      const box = await isWholeInWindow(page, timer);
      assert.ok(box.x > board.x + board.width, "the clocks are beside it");
    }
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, "it fits the width");
    await anna.type("e4");
    await ben.type("e5");
    await ben.button("Offer draw").click();
    await page.evaluate(() => scrollTo(0, 0));
    await isWholeInWindow(page, anna.offer("draw"));
  });
}

play("the keyboard's square shows its piece", async (env) => {
  const { anna } = await twoPlayers(env);
  await anna.square("e2").focus();
  await anna.page.keyboard.press("ArrowDown");
  assert.equal(await anna.focused(), "e1");
  const square = await anna.square("e1").boundingBox();
  assert.ok(square);
  const withPiece = await anna.page.screenshot({ clip: square, animations: "disabled" });
  await anna.page.locator(".piece").evaluateAll((pieces) => pieces.forEach((piece) => piece.setAttribute("hidden", "")));
  const without = await anna.page.screenshot({ clip: square, animations: "disabled" });
  assert.ok(!withPiece.equals(without), "the king is visible on the focused square");
});
