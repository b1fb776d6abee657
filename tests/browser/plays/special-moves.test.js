// Castling, en passant and promotion, by every kind of input.

import assert from "node:assert/strict";

import { brokenOrCut, inAllLanguages } from "../harness/layout.js";
import { play } from "../harness/play.js";
import { Player, playOut, twoPlayers } from "../harness/player.js";

/** @typedef {(player: Player, from: string, to: string, san: string) => Promise<void>} Way */

/** @type {Record<string, Way>} */
const WAYS = {
  "by clicking": (player, from, to) => player.click(from, to),
  "by dragging": (player, from, to) => player.drag(from, to),
  "with the keyboard": async (player, from, to) => {
    await player.square("e4").focus();
    await player.press(from, to);
  },
  "by typing": (player, _from, _to, san) => player.type(san),
};

for (const [white, black] of /** @type {const} */ ([
  ["by clicking", "by dragging"],
  ["with the keyboard", "by typing"],
])) {
  play(`castling and en passant, White ${white} and Black ${black}`, async (env) => {
    const { anna, ben } = await twoPlayers(env);
    const go = async (/** @type {Player} */ player, /** @type {Way | undefined} */ way, /** @type {string[]} */ ...move) => {
      await player.mayMove();
      const [from = "", to = "", san = ""] = move;
      await way?.(player, from, to, san);
    };
    await playOut(anna, ben, "e4 Nf6 e5 d5");
    await go(anna, WAYS[white], "e5", "d6", "exd6");
    await ben.seesOn("d6", "white pawn");
    await ben.seesOn("d5", "empty");
    await playOut(ben, anna, "exd6 Nf3 Be7 Be2");
    await go(ben, WAYS[black], "e8", "g8", "0-0");
    await anna.seesOn("f8", "black rook");
    await anna.move("O-O, castles king side").waitFor();
    await go(anna, WAYS[white], "e1", "g1", "O-O");
    await ben.seesOn("g1", "white king");
    await ben.seesOn("f1", "white rook");
    await ben.seesOn("h1", "empty");
    await playOut(ben, anna, "c5 a3 c4 d4");
    await go(ben, WAYS[black], "c4", "d3", "cxd3");
    await anna.seesOn("d3", "black pawn");
    await anna.seesOn("d4", "empty");
    await anna.mayMove();
  });
}

play("pawns are promoted with the mouse and with the keyboard", async (env) => {
  const { anna, ben } = await twoPlayers(env);
  await playOut(anna, ben, "a4 h5 a5 h4 a6 h3 axb7 hxg2");
  await anna.mayMove();
  await anna.drag("b7", "a8");
  const dialog = anna.page.getByRole("dialog", { name: "Promote the pawn" });
  await dialog.waitFor();
  assert.deepEqual(await dialog.getByRole("button").allTextContents(), ["queen", "knight", "rook", "bishop"]);
  // Escape takes the move back.
  await anna.page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await anna.seesOn("b7", "white pawn");
  await anna.seesOn("a8", "black rook");
  await anna.click("b7", "a8");
  await dialog.getByRole("button", { name: "rook" }).click();
  await ben.seesOn("a8", "white rook");
  await ben.move("bxa8=R, pawn b takes a8, becomes a rook").waitFor();

  await ben.mayMove();
  await ben.square("g2").focus();
  await ben.press("g2", "h1");
  const choice = ben.page.getByRole("dialog", { name: "Promote the pawn" });
  await choice.waitFor();
  for (let step = 0; step < 3; step++) await ben.page.keyboard.press("ArrowRight");
  await ben.page.keyboard.press("Enter");
  await anna.seesOn("h1", "black bishop");
  await anna.mayMove();
});

play("a promotion can be chosen by its letter, or typed", async (env) => {
  const { anna, ben } = await twoPlayers(env);
  await playOut(anna, ben, "a4 h5 a5 h4 a6 h3 axb7 hxg2");
  await anna.mayMove();
  await anna.click("b7", "a8");
  await anna.page.getByRole("dialog", { name: "Promote the pawn" }).waitFor();
  await anna.page.keyboard.press("b");
  await ben.seesOn("a8", "white bishop");
  await ben.type("gxh1=Q");
  await anna.seesOn("h1", "black queen");
});

play("illegal moves are refused and change nothing", async (env) => {
  const { anna, ben } = await twoPlayers(env);
  for (const nonsense of ["e5", "Ke2", "hello", "e9"]) {
    await anna.type(nonsense);
    await anna.page.locator("[aria-invalid=true]").waitFor();
    await anna.typed.fill("");
  }
  // An illegally dropped piece returns to its square.
  await anna.drag("e2", "e5");
  await anna.seesOn("e2", "white pawn");
  await anna.click("b1", "d2");
  await anna.seesOn("b1", "white knight");
  await anna.page.keyboard.press("Escape");
  await playOut(anna, ben, "e4 e5");
  await anna.mayMove();
});

play("a pawn is promoted by touch", async (env) => {
  const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
  const [anna, ben] = [new Player(await env.window(phone)), new Player(await env.window())];
  await ben.join(await anna.create());
  await playOut(anna, ben, "a4 h5 a5 h4 a6 h3 axb7 hxg2");
  await anna.mayMove();
  await anna.tap("b7", "a8");
  const dialog = anna.page.getByRole("dialog", { name: "Promote the pawn" });
  for (const role of ["q", "n", "r", "b"]) {
    const label = dialog.locator(`[data-promotion=${role}] span`);
    assert.deepEqual(await brokenOrCut(label, await inAllLanguages(`role.${role}`)), []);
  }
  // The click of the tap that opened the dialog, on a choice that is now below the finger.
  await dialog.getByRole("button", { name: "queen" }).evaluate((choice) => {
    choice.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 }));
  });
  assert.equal(await dialog.isVisible(), true, "it chooses nothing");
  await dialog.getByRole("button", { name: "knight" }).tap();
  await ben.seesOn("a8", "white knight");
});
