// The laboratory of GMO chess on a phone: DNA is written, tried on a board, saved, shared and played with.

import assert from "node:assert/strict";

import { violations } from "../harness/axe.js";
import { play } from "../harness/play.js";
import { Player } from "../harness/player.js";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** A rook that captures no own pieces. */
const ROOK = "AHH HSH HAA HHH CHA CHA HHA SAS AAA AAA AAA";

/** Copies itself to a neighbouring square. */
const COPIER = "AHH HAA HSS HHH CHA AHA HHA SAS AAA AAA AAA";

play("a genome is written, tried, saved, shared and played on a phone", async (env) => {
  const page = await env.window(PHONE);
  await page.goto("/");
  await page.getByRole("link", { name: "GMO chess: build your own pieces" }).tap();
  const dna = page.getByLabel(/^DNA:/);
  const board = page.getByRole("grid");
  const square = (/** @type {string} */ name) => board.getByRole("gridcell", { name: new RegExp(`^${name},`) });
  const tool = (/** @type {string} */ name) => page.getByRole("radio", { name, exact: true }).tap();
  await page.getByText("The piece on d4 has 8 moves.").waitFor();

  // An error is explained and underlined while the DNA is written.
  await dna.fill("AHH HSH HAA CHA CHH");
  await page.getByText("Character 17: CHH is neither HHH nor two of S, A, C around an H.").waitFor();
  assert.equal(await page.locator(".dna-paper .fault").textContent(), "CHH");
  assert.equal(await dna.getAttribute("aria-invalid"), "true");
  await page.getByText("The piece on d4 has 0 moves.").waitFor();

  // Codons have the colours of their meanings, and the moves follow the text.
  await dna.fill(ROOK);
  await page.getByText("The piece on d4 has 14 moves.").waitFor();
  const colored = async (/** @type {string} */ meaning) => page.locator(`.dna-paper [data-meaning="${meaning}"]`).allTextContents();
  assert.deepEqual(await colored("effect"), ["HHH", "CHA", "CHA"]);
  assert.deepEqual(await colored("debuff"), ["HAA"]);
  assert.deepEqual(await colored("step"), ["SAS"]);
  await square("d8").and(page.getByLabel(/can go here/)).waitFor();

  // Other pieces block it, and can be captured.
  await tool("puts a black piece");
  await square("d6").tap();
  await page.getByText("The piece on d4 has 12 moves.").waitFor();
  await square("d6").and(page.getByLabel(/can be taken/)).waitFor();
  await tool("selects and moves");
  await square("d6").tap();
  await page.getByText("The piece on d6 has 14 moves.").waitFor();
  await square("d4").and(page.getByLabel(/empty/)).waitFor();

  // There are no turns, and a move has all its effects.
  await dna.fill(COPIER);
  await page.getByText("The piece on d6 has 4 moves.").waitFor();
  await square("d7").tap();
  await page.getByText("The piece on d7 has 3 moves.").waitFor();
  await square("d6").and(page.getByLabel(/piece with the DNA above/)).waitFor();
  await tool("makes a king, or none");
  await square("d6").tap();
  await square("d6").and(page.getByLabel(/white king/)).waitFor();
  await tool("erases");
  await square("d6").tap();
  await square("d6").and(page.getByLabel(/empty/)).waitFor();
  assert.deepEqual(await violations(page), []);

  // It is saved under its hash, and its link shows it.
  await page.getByRole("button", { name: "Save the genome" }).tap();
  const saved = await page.getByText(/^Saved as [0-9a-f]{6}\.$/).textContent();
  const hash = /[0-9a-f]{6}/.exec(saved ?? "")?.[0] ?? "";
  const friend = await env.window();
  await friend.goto(`/lab?genome=${hash}`);
  await friend.getByText(`Valid. Its hash is ${hash}.`).waitFor();
  assert.equal(await friend.getByLabel(/^DNA:/).inputValue(), COPIER);

  // A back row with it is played against another player.
  const form = page.getByRole("form", { name: "A game with your pieces" });
  await form.getByLabel("a", { exact: true }).selectOption(hash);
  await form.getByLabel("h", { exact: true }).selectOption(hash);
  await form.getByLabel("Your name").fill("Anna");
  await form.getByLabel("You play").selectOption("White");
  // A pawn can become a piece that is not in the back row. One that is in it is there anyway.
  const promotions = form.getByRole("group", { name: "A pawn can also become" });
  await promotions.getByLabel(hash).check();
  await promotions.getByLabel("rook").check();
  const rook = await promotions.getByLabel("rook").getAttribute("value");
  const order = page.waitForRequest((request) => request.url().endsWith("/games") && request.method() === "POST");
  await form.getByRole("button", { name: "Create game" }).tap();
  assert.deepEqual((await order).postDataJSON().promotions, [rook]);
  const anna = new Player(page);
  await anna.sees("Waiting for an opponent");
  const ben = new Player(friend);
  await ben.join(anna.code());
  await anna.sees("Your move");
  await anna.seesOn("d1", "white king");
  await anna.tap("b1", "c3");
  await ben.mayMove();
  await ben.click("h7", "h6");
  await anna.mayMove();
  await anna.tap("a1", "b1");
  // The piece is on both squares.
  await ben.seesOn("b1", "last move");
  const on = async (/** @type {string} */ name) => (await ben.square(name).getAttribute("data-piece")) ?? "";
  assert.notEqual(await on("a1"), "");
  assert.equal(await on("a1"), await on("b1"));
});

play("a freeze is shown over the board", async (env) => {
  const answer = await fetch(new URL("/games", env.relay.url), { method: "POST", body: JSON.stringify({ rules: "genome" }) });
  const { code } = /** @type {{ code: string }} */ (await answer.json());
  const [anna, ben] = [new Player(await env.window()), new Player(await env.window())];
  await anna.join(code, "Anna");
  await ben.join(code, "Ben");
  await anna.sees("Your move");
  await anna.click("f2", "f3");
  await ben.mayMove();
  await ben.click("f7", "f6");
  await anna.mayMove();
  // The queen freezes.
  await anna.click("e1", "g3");
  const frozen = ben.page.getByRole("timer", { name: "The game is frozen" });
  await frozen.waitFor();
  assert.match((await frozen.textContent()) ?? "", /^Frozen: [1-5]$/);
  await frozen.waitFor({ state: "hidden" });
  await ben.click("a7", "a6");
  await anna.seesOn("a6", "black pawn");
});

for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
  play(`the laboratory is accessible, ${colorScheme}`, async (env) => {
    const page = await env.window({ colorScheme });
    await page.goto("/lab");
    await page.getByText("The piece on d4 has 8 moves.").waitFor();
    assert.deepEqual(await violations(page), []);
    await page.getByLabel(/^DNA:/).fill("AHX");
    await page.getByText(/^Character 3/).waitFor();
    assert.deepEqual(await violations(page), []);
  });
}
