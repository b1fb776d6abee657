// Links to the laboratory, genomes by their hash, and small phones.

import assert from "node:assert/strict";

import { play } from "../harness/play.js";

/** Moves one square ahead. */
const STEPPER = "AHH HAC HAS HHH CHA CHA HHA SAS";

play("a link with an unknown genome or preset says so, and the laboratory works", async (env) => {
  env.failures.expect(/404/);
  const page = await env.window();
  for (const [query, message] of /** @type {const} */ ([
    ["genome=ffffff", "Nothing is stored under this hash."],
    ["preset=ffffff", "Nothing is stored under this hash."],
    ["promotions=ffffff,veza", "Nothing is stored under this hash."],
  ])) {
    await page.goto(`/lab?${query}`);
    await page.getByText("The piece on d4 has 8 moves.").waitFor();
    await page.getByText(message).waitFor();
    // The default preset is there, and pieces can be loaded.
    const form = page.getByRole("form", { name: "A game with your pieces" });
    assert.equal(await form.getByLabel("d: king").isChecked(), true, query);
    await page.getByLabel("Begin with a piece").selectOption({ label: "rook" });
    await page.getByText("The piece on d4 has 14 moves.").waitFor();
    await page.getByText(message).waitFor({ state: "hidden" });
  }
  const promotions = page.getByRole("group", { name: "A pawn can also become" });
  assert.equal(await promotions.getByLabel("rook").isChecked(), true);
});

play("the link of a preset has its kings and what pawns become, any stored genome among it", async (env) => {
  env.failures.expect(/404/);
  const friend = await env.window();
  await friend.goto("/lab");
  await friend.getByLabel(/^DNA:/).fill(STEPPER);
  await friend.getByText(/^Valid/).waitFor();
  await friend.getByRole("button", { name: "Save the genome" }).click();
  const saved = await friend.getByText(/^Saved as [0-9a-f]{6}\.$/).textContent();
  const hash = /[0-9a-f]{6}/.exec(saved ?? "")?.[0] ?? "";

  const page = await env.window({ permissions: ["clipboard-read", "clipboard-write"] });
  await page.goto("/lab");
  await page.getByText("The piece on d4 has 8 moves.").waitFor();
  const form = page.getByRole("form", { name: "A game with your pieces" });
  const promotions = form.getByRole("group", { name: "A pawn can also become" });
  const other = form.getByLabel("Another genome, by its hash");
  await other.fill("ffffff");
  await other.press("Enter");
  await form.getByText("Nothing is stored under this hash.").waitFor();
  await other.fill(hash.toUpperCase());
  await other.press("Enter");
  await promotions.getByLabel(hash).waitFor();
  assert.equal(await promotions.getByLabel(hash).isChecked(), true);
  assert.equal(await other.inputValue(), "");
  await form.getByLabel("d: king").uncheck();
  await form.getByLabel("a: king").check();
  await form.getByRole("button", { name: "Save the preset" }).click();
  await form.getByText(/^Saved as/).waitFor();
  await form.getByRole("button", { name: "Copy link" }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());

  const reader = await env.window();
  await reader.goto(link);
  await reader.getByText("The piece on d4 has 8 moves.").waitFor();
  const shown = reader.getByRole("form", { name: "A game with your pieces" });
  const kings = [];
  for (const file of "abcdefgh") if (await shown.getByLabel(`${file}: king`).isChecked()) kings.push(file);
  assert.deepEqual(kings, ["a"]);
  const chosen = shown.getByRole("group", { name: "A pawn can also become" });
  assert.equal(await chosen.getByLabel(hash).isChecked(), true);
  await shown.getByLabel("Your name").fill("Rita");
  const order = reader.waitForRequest((request) => request.url().endsWith("/games") && request.method() === "POST");
  await shown.getByRole("button", { name: "Create game" }).click();
  const { kings: ordered, promotions: named } = (await order).postDataJSON();
  assert.deepEqual([ordered, named], ["a", [hash]]);
});

for (const [name, viewport] of /** @type {const} */ ([
  ["upright", { width: 320, height: 568 }],
  ["on its side", { width: 568, height: 320 }],
])) {
  play(`the laboratory fits the smallest phone, ${name}`, async (env) => {
    const page = await env.window({ viewport, hasTouch: true, isMobile: true });
    await page.goto("/lab");
    await page.getByText("The piece on d4 has 8 moves.").waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, "it fits the width");
    const board = await page.getByRole("grid").boundingBox();
    assert.ok(board && board.x >= 0 && board.x + board.width <= viewport.width, "the whole board is seen");
    await page.getByRole("gridcell", { name: /^d5,/ }).tap();
    await page.getByText(/^The piece on d5 has 8 moves/).waitFor();
  });
}
