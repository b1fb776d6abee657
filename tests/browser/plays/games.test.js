// The lists of games: of a browser, and of a board.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";

import { violations } from "../harness/axe.js";
import { play } from "../harness/play.js";
import { Player, playOut, twoPlayers } from "../harness/player.js";
import { VirtualBoard } from "../harness/virtual-board.js";

play("a game of two people at the board has moves, a link, spectators and a place in the list of the board", async (env) => {
  const board = await VirtualBoard.open(env);
  const moves = board.page.getByRole("list", { name: "Moves" });
  await moves.getByText("No move yet.").waitFor();
  for (const [from, to, next] of /** @type {const} */ ([
    ["e2", "e4", "Black"],
    ["e7", "e5", "White"],
    ["g1", "f3", "Black"],
  ])) {
    await board.move(from, to);
    await board.reads(`${next} to move`);
  }
  assert.deepEqual(await moves.getByRole("listitem").allInnerTexts(), ["1.\ne4\ne5", "2.\nNf3"]);
  const link = board.page.getByRole("link", { name: "Link to this game" });
  await link.waitFor();

  // A spectator at the link of the board sees the game as well.
  const path = (await board.page.locator("#challenge").getAttribute("href")) ?? "";
  for (const address of [(await link.getAttribute("href")) ?? "", `${path}?watch`]) {
    const watcher = new Player(await env.window());
    await watcher.page.goto(address);
    await watcher.seesOn("f3", "white knight, last move");
  }
  const watcher = new Player(await env.window());
  await watcher.page.goto((await link.getAttribute("href")) ?? "");
  await watcher.seesOn("f3", "white knight");
  await board.move("b8", "c6");
  await watcher.seesOn("c6", "black knight, last move");

  // Setting up the pieces ends the game without a result; it stays in the list.
  await board.button("Set up the pieces").click();
  await board.reads("White to move");
  await moves.getByText("No move yet.").waitFor();
  await link.waitFor({ state: "hidden" });
  await board.page.getByRole("link", { name: "Games on this board" }).click();
  await board.page.getByRole("heading", { name: "Games on virtual" }).waitFor();
  const row = board.page.getByRole("list", { name: "Games" }).getByRole("listitem");
  await row.getByText("4 half-moves").waitFor();
  await row.getByText("Unfinished").waitFor();
  const download = board.page.waitForEvent("download");
  await board.button("Download these as PGN").click();
  const pgn = await readFile(await (await download).path(), "utf8");
  assert.match(pgn, /\[Event "Tabiya board virtual"\][^]*1\. e4 e5 2\. Nf3 Nc6/);
  await row.getByRole("link").click();
  await new Player(board.page).sees("Game unfinished.");
  // The list of a browser leads to those of the boards.
  await board.page.goto("/games");
  await board.page.getByText("This browser has not played a game yet.").waitFor();
  await board.page.getByRole("link", { name: "Games on virtual" }).click();
  await board.page.getByRole("heading", { name: "Games on virtual" }).waitFor();
});

for (const [state, button] of /** @type {const} */ ([
  ["busy", null],
  ["offline", "Pull the power plug"],
])) {
  play(`the games of a board are found while it is ${state}`, async (env) => {
    const board = await VirtualBoard.open(env);
    for (const [from, to, next] of /** @type {const} */ ([
      ["e2", "e4", "Black"],
      ["e7", "e5", "White"],
    ])) {
      await board.move(from, to);
      await board.reads(`${next} to move`);
    }
    await board.page.getByRole("link", { name: "Link to this game" }).waitFor();
    if (button) await board.button(button).click();
    // The board cannot be challenged now.
    const lobby = await env.window();
    await lobby.goto("/");
    await lobby.getByText(/^No wooden board is waiting/).waitFor();
    assert.equal(await lobby.getByText("Challenge a player who sits at a wooden board.").count(), 0, "there is none");
    await lobby.goto("/games");
    await lobby.getByRole("link", { name: "Games on virtual" }).click();
    await lobby.getByRole("heading", { name: "Games on virtual" }).waitFor();
    await lobby.getByRole("list", { name: "Games" }).getByRole("listitem").getByText("2 half-moves").waitFor();
  });
}

play("the lists say whose move it is after a rematch that began in this player's absence", async (env) => {
  const { anna, ben } = await twoPlayers(env);
  await playOut(anna, ben, "e4 e5");
  await anna.mayMove();
  await anna.button("Resign").click();
  await anna.page.getByRole("dialog").getByRole("button", { name: "Resign" }).click();
  await anna.button("Rematch").click();
  await ben.offer("rematch").waitFor();
  await anna.page.goto("/games");
  const row = anna.page.getByRole("list", { name: "Games" }).getByRole("listitem").first();
  await row.getByText("0-1").waitFor();
  // The colours are exchanged, and Anna's browser has not seen it.
  await ben.offer("rematch").getByRole("button", { name: "Rematch" }).click();
  await ben.mayMove();
  await anna.page.reload();
  await row.getByText("Opponent to move").waitFor();
  await ben.type("d4");
  await ben.sees(/^Waiting for/);
  await anna.page.goto("/");
  await anna.page.getByRole("region", { name: "Your games" }).getByText("Your move").waitFor();
});

play("the lobby says that the own games could not be loaded", async (env) => {
  const { ben } = await twoPlayers(env);
  await ben.page.route("**/games/status", (route) => route.fulfill({ status: 503, body: "no" }));
  env.failures.expect(/503/);
  await ben.page.goto("/");
  const yours = ben.page.getByRole("region", { name: "Your games" });
  await yours.getByText("The games could not be loaded.").waitFor();
  assert.deepEqual(await violations(ben.page), []);
});

play("the games of this browser are listed, running ones first, and found by name", async (env) => {
  const { anna, ben } = await twoPlayers(env);
  await anna.mayMove();
  // One game is over, and another one runs.
  await anna.click("e2", "e4");
  await ben.mayMove();
  await ben.click("e7", "e5");
  await anna.mayMove();
  await ben.button("Resign").click();
  await ben.page.getByRole("dialog", { name: "Resign this game?" }).getByRole("button", { name: "Resign" }).click();
  await ben.sees("You lost by resignation.");
  const other = new Player(await ben.page.context().newPage());
  const code = await other.create({ name: "Ben", color: "White" });
  const carla = new Player(await env.window());
  await carla.join(code, "Carla");
  await other.mayMove();

  await other.page.goto("/");
  const yours = other.page.getByRole("region", { name: "Your games" });
  await yours.getByText("Your move").waitFor();
  await yours.getByRole("link", { name: "All games" }).click();
  await other.page.getByRole("heading", { name: "Your games" }).waitFor();
  const rows = other.page.getByRole("list", { name: "Games" }).getByRole("listitem");
  await rows.nth(1).waitFor();
  assert.match(await rows.nth(0).innerText(), /Carla[^]*Your move/);
  assert.match(await rows.nth(1).innerText(), /1-0/);
  assert.deepEqual(await violations(other.page), []);
  await other.page.setViewportSize({ width: 390, height: 844 });
  assert.equal(await other.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, "it fits a phone");
  const search = other.page.getByLabel("Search by name or date");
  const style = await search.evaluate((field) => {
    const { minHeight, borderRadius, backgroundColor } = getComputedStyle(field);
    field.setAttribute("type", "text");
    const text = getComputedStyle(field);
    const same = text.minHeight === minHeight && text.borderRadius === borderRadius && text.backgroundColor === backgroundColor;
    field.setAttribute("type", "search");
    return { same, height: field.getBoundingClientRect().height };
  });
  assert.ok(style.same && style.height >= 44, `the field looks like the other fields: ${JSON.stringify(style)}`);
  await search.fill("carla");
  await rows.nth(1).waitFor({ state: "hidden" });
  await search.fill("no such name");
  await other.page.getByText("No game matches.").waitFor();
  await search.fill("");
  // The running game goes on.
  await rows.nth(0).getByRole("link").click();
  await other.mayMove();
});

play("all games of a match are in the list of this browser and in its PGN", async (env) => {
  const { anna, ben } = await twoPlayers(env);
  await playOut(anna, ben, "e4 e5");
  await anna.mayMove();
  await anna.button("Resign").click();
  await anna.page.getByRole("dialog").getByRole("button", { name: "Resign" }).click();
  await anna.button("Rematch").click();
  await ben.offer("rematch").getByRole("button", { name: "Rematch" }).click();
  await playOut(ben, anna, "d4 d5");
  await ben.mayMove();

  await anna.page.goto("/games");
  const rows = anna.page.getByRole("list", { name: "Games" }).getByRole("listitem");
  await rows.nth(1).waitFor();
  assert.match(await rows.nth(0).innerText(), /Ben – Anna/);
  assert.match(await rows.nth(1).innerText(), /Anna – Ben[^]*0-1/);
  const download = anna.page.waitForEvent("download");
  await anna.button("Download these as PGN").click();
  const pgn = await readFile(await (await download).path(), "utf8");
  assert.match(pgn, /1\. d4 d5[^]*1\. e4 e5/);
  await rows.nth(1).getByRole("link").click();
  await anna.sees("Black won by resignation.");
});
