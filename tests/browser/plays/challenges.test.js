// Challenges of the virtual board, which its player accepts or declines with a king.

import assert from "node:assert/strict";

import { violations } from "../harness/axe.js";
import { challenge } from "../harness/challenger.js";
import { play } from "../harness/play.js";
import { orderGame } from "../harness/order.js";
import { Player } from "../harness/player.js";
import { PHONE } from "../harness/touch.js";
import { VirtualBoard } from "../harness/virtual-board.js";

play("a challenge has a clock and a colour, and the board accepts it with the king of the offered side", async (env) => {
  const board = await VirtualBoard.open(env);
  const ben = await challenge(env, { color: "White", clock: "5+3" });
  await board.reads(/^Ben challenges you, 5\+3: you would play Black\./);
  await board.shows({ e1: "yellow", e8: "yellow", a8: "white", h7: "white" });

  // A piece that is only straightened is no answer.
  await board.touch("d8");
  await board.reads(/^Ben challenges you/);
  await board.lift("e8");
  await board.reads("Put the king back on e8 to accept the challenge.");
  await board.drop("e8");
  await ben.mayMove();
  await ben.page.getByText("5+3").first().waitFor();
  await ben.click("e2", "e4");
  await board.reads("from e2 to e4");
});

play("a declined challenge is announced, and the challenger can go back to the lobby", async (env) => {
  const board = await VirtualBoard.open(env);
  const ben = await challenge(env, { color: "Black", clock: "No clock" });
  await board.reads(/you would play White\./);
  await board.move("d2", "d4");
  await board.reads("Black to move");
  await ben.page.getByRole("region", { name: "Challenge" }).getByText("virtual has declined the challenge.").waitFor();
  assert.deepEqual(await violations(ben.page), []);
  await ben.page.getByRole("link", { name: "Back to the lobby" }).click();
  await ben.page.getByRole("heading", { name: "Play chess across any distance" }).waitFor();
});

play("a challenge that nobody answers is announced", async (env) => {
  await VirtualBoard.open(env);
  const ben = await challenge(env, { color: "Black", clock: "No clock" });
  const card = ben.page.getByRole("region", { name: "Challenge" });
  assert.equal(await card.getByRole("link", { name: "Back to the lobby" }).isVisible(), false);
  // The relay says so after a minute.
  await ben.page.route("**/boards/virtual/challenge?*", (route) => route.fulfill({ json: { answer: "timeout" } }));
  await card.getByText("virtual has not answered.").waitFor();
  await ben.spoken("virtual has not answered.");
  assert.deepEqual(await violations(ben.page), []);
  await card.getByRole("link", { name: "Back to the lobby" }).click();
  await ben.sees("Play chess across any distance");
});

/** A window of a visitor who is not on the machine of the relay: a proxy forwards the requests. */
const ELSEWHERE = { extraHTTPHeaders: { "x-forwarded-for": "203.0.113.9" } };

play("a visitor from elsewhere who follows the link of a board challenges it, and its player decides", async (env) => {
  const board = await VirtualBoard.open(env);
  const path = (await board.page.locator("#challenge").getAttribute("href")) ?? "";
  const ben = new Player(await env.window(ELSEWHERE));
  await ben.page.goto(path);
  await ben.page.getByRole("heading", { name: "Challenge the board virtual" }).waitFor();
  await ben.page.getByLabel("Your name").fill("Ben");
  await ben.button("Play").click();
  await ben.page.getByText("virtual has been asked.").waitFor();
  await board.reads(/^Ben challenges you.*you would play White\./);
  await board.accept("e1");
  await ben.sees("Waiting for virtual");
});

play("a visitor from elsewhere cannot set a board against the computer without its player", async (env) => {
  const board = await VirtualBoard.open(env);
  const { page } = new Player(await env.window(ELSEWHERE));
  await page.goto("/");
  const form = page.getByRole("form", { name: "Against the computer" });
  await form.getByLabel("Where you play").selectOption("On the board virtual");
  await form.getByLabel("Your colour").selectOption("White");
  await form.getByRole("button", { name: "Play the computer" }).click();
  await page.getByRole("region", { name: "Challenge" }).getByText("virtual has been asked.").waitFor();
  await board.reads(/^Tabiya level 3 challenges you.*you would play White\./);
  await board.accept("e1");
  await board.reads("White to move");
  await page.getByRole("heading", { name: "White to move" }).waitFor();
});

play("a challenge ends when its challenger leaves", async (env) => {
  const board = await VirtualBoard.open(env);
  const ben = await challenge(env, { color: "White", clock: "5+3" });
  await board.reads(/^Ben challenges you/);
  await ben.button("Leave").click();
  await board.reads("White to move");
  const region = board.page.getByRole("region", { name: "The board", exact: true });
  await region.getByText(/challenges you/).waitFor({ state: "hidden" });
  // A game that has never begun is not among those that were played.
  await ben.page.goto("/games");
  await ben.page.getByText("This browser has not played a game yet.").waitFor();
});

play("a challenge by a rule script shows its state, also in another tab", async (env) => {
  const board = await VirtualBoard.open(env);
  const ben = new Player(await env.window());
  await orderGame(ben, { script: "chess", board: "virtual" });
  await ben.page.getByText("virtual has been asked.").waitFor();
  const tab = await ben.page.context().newPage();
  await tab.goto(ben.page.url());
  await tab.getByText("virtual has been asked.").waitFor();
  await board.reads(/^Ben challenges you/);
  await board.accept("e1");
  await ben.sees(/^Waiting for/);
});

play("a board is challenged from its row in the lobby, while its pieces are set up", async (env) => {
  const board = await VirtualBoard.open(env);
  const { page } = new Player(await env.window(PHONE));
  await page.goto("/");
  await page.getByRole("link", { name: "Challenge virtual" }).tap();
  const form = page.getByRole("form", { name: "New game" });
  await page.getByText("Challenge a player who sits at a wooden board.").waitFor();
  await form.and(page.locator(":focus")).waitFor();
  await form.getByRole("button", { name: "Challenge", exact: true }).waitFor();
  // Two people play on the board meanwhile.
  await board.move("e2", "e4");
  await board.reads("Black to move");
  await form.getByRole("option", { name: "virtual is not free now" }).waitFor({ state: "attached" });
  await form.getByLabel("Your name").fill("Ben");
  env.failures.expect(/404.*\/games/);
  await form.getByRole("button", { name: "Challenge", exact: true }).tap();
  await form.getByText("No free board has that name.").waitFor();
  // Their game ends, and the pieces stand as it has left them: no light could ask.
  for (const [from, to, next] of [["f7", "f6", "White to move"], ["d2", "d4", "Black to move"], ["g7", "g5", "White to move"], ["d1", "h5", "1-0"]]) {
    await board.move(from ?? "", to ?? "");
    await board.reads(next ?? "");
  }
  await page.goto("/");
  const row = page.getByRole("list", { name: "Boards that wait for an opponent" }).getByRole("listitem");
  await row.getByText("Pieces not set up").waitFor();
  assert.equal(await row.getByRole("link").count(), 0);
  assert.deepEqual(await violations(page), []);
  await board.button("Set up the pieces").click();
  await row.getByRole("link", { name: "Challenge virtual" }).waitFor();
});
