// What is around a game: spectators, chat, the second screen, the end.

import assert from "node:assert/strict";

import { play } from "../harness/play.js";
import { Player, playOut } from "../harness/player.js";
import { LANDSCAPE, PHONE } from "../harness/touch.js";


play("chat has an unread mark on a phone and can be turned off; the clocks are on a second screen; a spectator sees the result", async (env) => {
  const [anna, ben, sam] = [new Player(await env.window(PHONE)), new Player(await env.window()), new Player(await env.window())];
  const code = await anna.create({ clock: "5+3" });
  await ben.join(code);
  await anna.mayMove();

  await ben.page.getByLabel("Write a message").fill("Good luck!");
  await ben.button("Send").click();
  await anna.button("1 new message").waitFor();
  for (const name of ["Turn sounds off", "Use dark colours"]) await anna.button(name).tap({ trial: true });
  await anna.button("1 new message").tap();
  await anna.chat.getByText("Good luck!").waitFor();
  const line = await anna.chat.getByText("Good luck!").boundingBox();
  assert.ok(line && line.y > 0 && line.y < 844, "the mark leads to the message");
  await anna.button("1 new message").waitFor({ state: "hidden" });
  await anna.button("Turn chat off").click();
  await anna.page.getByLabel("Write a message").waitFor({ state: "hidden" });
  await anna.page.evaluate(() => scrollTo(0, 0));
  await ben.page.getByLabel("Write a message").fill("Hello?");
  await ben.button("Send").click();
  await ben.chat.getByText("Hello?").waitFor();

  await sam.page.goto(`/g/${code}?watch`);
  await sam.sees("White to move");
  const screen = await env.window({ viewport: { width: 390, height: 700 } });
  await screen.goto(`/g/${code}?clock`);
  await screen.getByText("White to move").waitFor();
  await anna.page.evaluate(() => scrollTo(0, 0));
  await playOut(anna, ben, "f3 e5 g4");
  assert.equal(await anna.button("1 new message").count(), 0, "a chat that is off marks nothing");
  await screen.getByText("2. g4").waitFor();
  const faces = await screen.getByRole("timer").all();
  assert.equal(faces.length, 2);
  for (const face of faces) {
    const box = await face.boundingBox();
    assert.ok(box && box.height > 60 && box.y + box.height <= 700, "the clocks are large and on the screen");
  }
  await screen.setViewportSize(LANDSCAPE.viewport);
  const [left, right] = await Promise.all(faces.map((face) => face.boundingBox()));
  assert.ok(left && right && left.y === right.y && left.x + left.width <= right.x, "on its side they are side by side");
  assert.ok(left.height > 60 && left.y >= 0 && left.x >= 0 && right.y + right.height <= 390 && right.x + right.width <= 844);
  await ben.type("Qh4");
  await anna.sees("You lost by checkmate.");
  await anna.spoken("You lost by checkmate.");
  assert.ok(!(await anna.page.locator("#spoken").textContent())?.includes("Your move"), "no side is to move after checkmate");
  await screen.getByText("Black won by checkmate.").waitFor();

  await sam.page.getByRole("group", { name: "Result" }).getByText("0 – 1").waitFor();
  const analysis = await sam.page.getByRole("link", { name: "Analyse on lichess" }).getAttribute("href");
  assert.equal(analysis, `https://lichess.org/analysis/pgn/${encodeURIComponent("f3 e5 g4 Qh4#")}`);
  await sam.button("Leave").click();
  await sam.sees(/Play chess/);
});
