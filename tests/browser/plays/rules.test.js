// A user writes rules: uploads a script, sees its start position or its error, and plays by it.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";

import { play } from "../harness/play.js";
import { Player } from "../harness/player.js";

const SCRIPT = new URL("../../scripts/castling.py", import.meta.url);

play("a script is uploaded, corrected, tried and played on a phone and a desktop", async (env) => {
  const phone = await env.window({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await phone.goto("/");
  await phone.getByRole("link", { name: "Play by your own rules" }).click();
  await phone.getByRole("heading", { name: "Your own rules" }).waitFor();

  const text = await readFile(SCRIPT, "utf8");
  const wrong = text.replace("def get_starting_state():", "def get_starting_state(:");
  const line = wrong.split("\n").findIndex((one) => one.includes("get_starting_state(:")) + 1;
  const script = phone.getByRole("textbox", { name: "Script" });
  const upload = async (/** @type {string} */ content) => {
    await phone.getByLabel("Upload a file").setInputFiles({ name: "castling.py", mimeType: "text/x-python", buffer: Buffer.from(content) });
    // The page reads the file asynchronously.
    while ((await script.inputValue()) !== content);
  };
  await upload(wrong);
  await phone.getByRole("button", { name: "Try" }).tap();
  await phone.getByText(`line ${line}: syntax error`).waitFor();
  const selected = await script.evaluate((field) =>
    field instanceof HTMLTextAreaElement ? field.value.slice(field.selectionStart, field.selectionEnd) : "",
  );
  assert.equal(selected, "def get_starting_state(:");

  // The mark is removed with the first change, and comes again when a game is created by the wrong script.
  const isMarked = async () => (await script.getAttribute("aria-invalid")) === "true";
  assert.ok(await isMarked());
  await script.press("End");
  await script.press("Space");
  assert.ok(!(await isMarked()));
  await phone.getByLabel("Your name").fill("Anna");
  // The relay refuses to store it.
  env.failures.expect(/422.*\/scripts/);
  await phone.getByRole("button", { name: "Create game" }).tap();
  while (!(await isMarked()));
  await phone.getByText(`▶ ${line}`).waitFor();

  await upload(text);
  await phone.getByRole("button", { name: "Try" }).tap();
  await phone.getByText("The start position. White has 15 possible moves.").waitFor();
  assert.equal(await phone.locator(".start-board [data-piece]").count(), 4);
  // Nothing is wider than the phone.
  assert.ok(await phone.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));

  await phone.getByLabel("Your name").fill("Anna");
  await phone.getByLabel("You play").selectOption("white");
  await phone.getByRole("button", { name: "Create game" }).tap();
  await phone.waitForURL(/\/g\//);
  const code = new URL(phone.url()).pathname.split("/").at(-1) ?? "";
  const [anna, ben] = [new Player(phone), new Player(await env.window())];
  await ben.join(code, "Ben");
  await anna.sees("Your move");

  // The possible moves of the king, with castling.
  await anna.square("e1").click();
  await anna.seesOn("g1", "can go here");
  await anna.seesOn("d2", "can go here");
  await anna.square("g1").click();
  await ben.seesOn("g1", "white king");
  await ben.seesOn("f1", "white rook");
  await ben.mayMove();
  await ben.drag("a7", "a6");
  await anna.seesOn("a6", "black pawn");
});
