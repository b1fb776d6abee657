// The link to a game says what it leads to before the visitor joins.

import assert from "node:assert/strict";

import { challenger } from "../harness/challenger.js";
import { play } from "../harness/play.js";
import { Player } from "../harness/player.js";
import { PHONE } from "../harness/touch.js";
import { VirtualBoard } from "../harness/virtual-board.js";

play("an invitation names the opponent, the colour and the clock", async (env) => {
  const anna = new Player(await env.window());
  const code = await anna.create({ name: "Anna", color: "White", clock: "5+3" });
  const ben = new Player(await env.window(PHONE));
  await ben.page.goto(`/g/${code}`);
  await ben.sees("Anna invites you to a game");
  await ben.page.getByText("You play black, 5+3.").waitFor();
  await ben.page.getByLabel("Your name").fill("Ben");
  await ben.button("Play").tap();
  await ben.sees("Waiting for Anna");
  await ben.page.getByRole("grid", { name: "Chessboard, Black below" }).waitFor();
});

play("a waiting game is joined by the first six characters of its code, and keeps its long address", async (env) => {
  const anna = new Player(await env.window());
  const code = await anna.create({ name: "Anna", color: "White", clock: "5+3" });
  const told = await anna.page.locator(".share .code").textContent();
  assert.equal(told, code.slice(0, 6));
  const ben = new Player(await env.window(PHONE));
  await ben.page.goto("/");
  await ben.page.getByLabel("Code or link").fill(told?.toLowerCase() ?? "");
  await ben.button("Join").tap();
  await ben.sees("Anna invites you to a game");
  assert.equal(new URL(ben.page.url()).pathname, `/g/${code}`);
  await ben.page.getByLabel("Your name").fill("Ben");
  await ben.button("Play").tap();
  await ben.sees("Waiting for Anna");
  // The short code ends with the invitation.
  const late = new Player(await env.window());
  env.failures.expect(new RegExp(`404.*${told}\\.table`));
  await late.page.goto(`/g/${told}`);
  await late.page.getByRole("alert").getByText("There is no game with this code.").waitFor();
});

play("the link of a board says whether it can be challenged, and leads to its game", async (env) => {
  const board = await VirtualBoard.open(env);
  const visitor = new Player(await env.window(PHONE));
  const link = (await board.page.locator("#challenge").getAttribute("href")) ?? "";
  await visitor.page.goto(link);
  await visitor.sees("Challenge the board virtual");

  // Two people play on the board.
  await board.move("e2", "e4");
  await board.reads("Black to move");
  await visitor.page.goto(link);
  await visitor.sees("The board virtual is in a game");
  assert.equal(await visitor.button("Play").count(), 0);
  // There is nothing to watch before the second ply.
  await visitor.page.getByText("A game is being played on this board. Come back later.").waitFor();
  assert.equal(await visitor.page.getByText("Watch").count(), 0);
  await board.move("e4", "e2");
  await board.reads("White to move");

  await challenger(env, { board });
  await board.move("e2", "e4");
  await visitor.page.goto(link);
  await visitor.sees("The board virtual is in a game");
  assert.equal(await visitor.button("Play").count(), 0);
  await visitor.button("Watch").tap();
  await visitor.page.getByText("You are watching").waitFor();
  await visitor.seesOn("e4", "white pawn");
});

play("the link of a withdrawn invitation says so, to a friend and to its maker", async (env) => {
  const anna = new Player(await env.window());
  const code = await anna.create({ name: "Anna", color: "White", clock: "5+3" });
  // A copy of the window has the token of the seat, too.
  const copy = new Player(await anna.page.context().newPage());
  await copy.page.goto("/");
  await copy.page.evaluate(([key, token]) => sessionStorage.setItem(key ?? "", token ?? ""), [
    `tabiya.seat.${code}`,
    await anna.page.evaluate((key) => sessionStorage.getItem(key), `tabiya.seat.${code}`),
  ]);
  await anna.button("Leave").click();
  await anna.sees(/Play chess/);
  const ben = new Player(await env.window(PHONE));
  await ben.page.goto(`/g/${code}`);
  await ben.sees("This invitation is no longer valid");
  assert.equal(await ben.page.getByRole("main").getByRole("button").count(), 0, "there is nothing to play or watch");
  await ben.page.getByRole("link", { name: "Back to the lobby" }).tap();
  await ben.sees(/Play chess/);
  env.failures.expect(/409/);
  await copy.page.goto(`/g/${code}`);
  await copy.page.getByRole("alert").getByText("This invitation has expired or was withdrawn.").waitFor();
  assert.equal(await copy.button("Try again").count(), 0, "it would never succeed");
});
