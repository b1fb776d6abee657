// The virtual board, alone and against the page.

import assert from "node:assert/strict";

import { challenger, movePawns } from "../harness/challenger.js";
import { play } from "../harness/play.js";
import { Player } from "../harness/player.js";
import { Touch } from "../harness/touch.js";
import { VirtualBoard } from "../harness/virtual-board.js";

/**
 * Makes these moves on the board for both sides, each when the board has read the one before.
 *
 * @param {VirtualBoard} board
 * @param {string} moves in UCI
 */
async function moveAll(board, moves) {
  for (const [number, uci] of moves.split(" ").entries()) {
    await board.move(uci.slice(0, 2), uci.slice(2));
    await board.reads(number % 2 ? "White to move" : "Black to move");
  }
}

/**
 * The squares on which two placements differ.
 *
 * @param {ReadonlyMap<string, string>} one
 * @param {ReadonlyMap<string, string>} other
 * @param {(piece: string) => unknown} [aspect] that is compared
 */
function differences(one, other, aspect = (piece) => piece) {
  return [...one.keys()].filter((square) => aspect(one.get(square) ?? "") !== aspect(other.get(square) ?? ""));
}

/**
 * Changes the messages that a window receives from the board.
 *
 * @param {import("playwright-core").Page} page
 * @param {(message: string) => string} edit
 */
async function editPanel(page, edit) {
  await page.routeWebSocket(/\/ws\/panel/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => socket.send(typeof message === "string" ? edit(message) : message));
  });
}

play("a whole game is played between the board and the page", async (env) => {
  const board = await VirtualBoard.open(env);
  const ben = await challenger(env, { board });
  await ben.page.getByText("on a wooden board").waitFor();

  // A lifted piece is marked on the page.
  await board.lift("e2");
  await ben.seesOn("e2", "in the opponent's hand");
  await ben.page.getByText("a piece in hand, from e2").waitFor();
  await board.drop("e4");
  await ben.mayMove();
  await ben.seesOn("e4", "white pawn, last move");

  // The lights show a move of the page until it is made on the board.
  await ben.click("e7", "e5");
  await board.shows({ e7: "blue", e5: "blue" });
  await board.reads("Make the move of Black here: from e7 to e5.");
  await board.move("e7", "e5");
  await board.reads("White to move");

  await board.move("f1", "c4");
  await ben.type("Nc6");
  await board.reads("from b8 to c6");
  await board.move("b8", "c6");
  await board.reads("White to move");
  await board.move("d1", "h5");
  await ben.type("Nf6");
  await board.reads("from g8 to f6");
  await board.move("g8", "f6");
  await board.reads("White to move");
  await board.move("h5", "f7");
  await ben.sees("You lost by checkmate.");
  await ben.move("Qxf7#, queen takes f7, checkmate").waitFor();
  await board.reads("1-0: White wins by checkmate");
  await board.shows({ e8: "red" });
});

play("a busy board is not offered for a challenge", async (env) => {
  const board = await VirtualBoard.open(env);
  const late = new Player(await env.window());
  await late.page.goto("/");
  const boards = late.page.getByRole("list", { name: "Boards that wait for an opponent" });
  await boards.getByRole("listitem").waitFor();
  await challenger(env, { board });
  await late.page.getByText("No wooden board is waiting").waitFor();
  // Its link leads to the game as a spectator.
  const address = board.page.getByRole("link", { name: /\/g\// });
  await late.page.goto((await address.getAttribute("href")) ?? "");
  await late.sees("The board virtual is in a game");
  assert.equal(await late.button("Play").count(), 0);
  await late.button("Watch").click();
  await late.page.getByText("You are watching").waitFor();
});

play("the lights answer lifted, moved and misplaced pieces", async (env) => {
  const board = await VirtualBoard.open(env);
  await board.openSensors();
  await board.page.getByText("32 reed switches closed, 32 squares occupied").waitFor();
  await board.lift("g1");
  await board.shows({ g1: "white", f3: "green", h3: "green" });
  await board.reads("it may go to f3 or h3");
  await board.page.getByText("31 reed switches closed, 31 squares occupied").waitFor();
  // A piece that is put back has not moved.
  const { x, y } = await board.middle("g1");
  await board.page.mouse.move(x + 5, y - 60);
  await board.drop("g1");
  await board.reads("White to move");
  await board.sees("g1", "white knight");

  // The lights show how to undo an illegal move.
  await board.move("e2", "e5");
  await board.reads("That is not a legal move: take it back from e5 to e2.");
  await board.shows({ e5: "orange", e2: "orange" });
  await board.move("e5", "e2");
  await board.reads("The pieces match the game.");

  // Moves by tapping, with the keyboard, and by sliding.
  await board.square("e2").click();
  await board.sees("e2", "empty");
  await board.square("e4").click();
  await board.reads("Black to move");
  // The last move is marked in a colour that means nothing else, on light and on dark squares.
  await board.shows({ e2: "violet", e4: "violet" });
  await board.square("e7").focus();
  await board.page.keyboard.press("Enter");
  // The second Enter puts down what the board has confirmed to be in the hand.
  await board.sees("e7", "empty");
  for (const key of ["ArrowDown", "ArrowDown", "Enter"]) await board.page.keyboard.press(key);
  await board.reads("White to move");
  await board.shows({ e7: "violet", e5: "violet" });
  await board.button("Slide").click();
  await board.slide("f1", "c4");
  await board.reads("Black to move");
  await board.button("Slide").click();

  // A flickering magnet is not read as a move.
  await board.flickers("d7", 3, async () => {
    await board.button("Flicker a magnet").click();
    await board.square("d7").click();
  });
  await board.reads("Black to move");
  await board.move("d7", "d5");
  await board.reads("White to move");
  await board.move("c4", "d5");
  await board.reads("Black to move");
  await board.sees("d5", "white bishop");
  await board.tray.getByRole("button", { name: "black pawn", exact: true }).waitFor();

  // What the board says can be read without scrolling.
  for (const [width, height] of /** @type {const} */ ([
    [1366, 640],
    [1280, 800],
    [390, 844],
  ])) {
    await board.page.setViewportSize({ width, height });
    await board.page.evaluate(() => scrollTo(0, 0));
    const box = await board.page.locator(".status").boundingBox();
    assert.ok(box && box.y >= 0 && box.y + box.height <= height, `${width}x${height}: ${JSON.stringify(box)}`);
  }
});

play("a promotion is chosen on the board by touching a piece", async (env) => {
  const board = await VirtualBoard.open(env);
  await moveAll(board, "a2a4 h7h5 a4a5 h5h4 a5a6 h4h3 a6b7 h3g2");
  await board.move("b7", "a8");
  await board.reads("Choose the promotion");
  await board.shows({ a8: "magenta", a7: "green", a6: "blue", a5: "amber" });
  // The second of the four squares stands for a knight: its piece is touched, and then the pawn is replaced.
  await board.touch("a7");
  await board.reads("Black to move");
  // The new piece is dropped on the pawn, which goes off the board.
  await board.place("white knight", "a8");
  await board.reads("The pieces match the game.");
  await board.move("g2", "h1");
  await board.reads("Choose the promotion");
});

play("a game survives a network and a power failure of the board", async (env) => {
  const board = await VirtualBoard.open(env);
  const ben = await challenger(env, { board });
  await movePawns(board, ben);

  // Without network the board plays on, and sends the move later.
  await board.button("Pull the network plug").click();
  await board.page.getByText("Network unplugged").waitFor();
  await board.move("g1", "f3");
  await board.reads("Black to move");
  await board.button("Plug the network in").click();
  await ben.seesOn("f3", "white knight");
  await ben.page.getByText("on a wooden board").waitFor();

  // Without power the board is dark. With power it goes on where it was.
  await board.button("Pull the power plug").click();
  await board.reads("No power.");
  await ben.type("Nc6");
  await board.isDark();
  await board.button("Plug the power in").click();
  await board.reads("from b8 to c6");
  await board.shows({ b8: "blue", c6: "blue" });
  await board.move("b8", "c6");
  await board.reads("White to move");
  await board.move("f1", "b5");
  await ben.mayMove();
  await ben.seesOn("b5", "white bishop");
});

play("the lights guide the repair after pieces were knocked over", async (env) => {
  const board = await VirtualBoard.open(env);
  const ben = await challenger(env, { board });
  await board.move("e2", "e4");
  await ben.mayMove();
  const before = await board.standing();
  await board.button("Knock pieces over").click();
  // A single missing piece counts as lifted.
  await ben.page.getByText(/^(out of place|a piece in hand)/).waitFor();
  // Wrongly occupied and wrongly empty squares are lit. The reed switches cannot tell pieces apart, the player can.
  let standing = await board.standing();
  await board.lightsUp(differences(before, standing, (piece) => piece === "empty"));
  for (const square of differences(before, standing)) {
    if (standing.get(square) !== "empty") await board.takeOff(square);
  }
  standing = await board.standing();
  const missing = differences(before, standing);
  await board.lightsUp(missing);
  for (const square of missing) await board.place(before.get(square) ?? "", square);
  assert.deepEqual(await board.standing(), before);
  await ben.page.getByText("on a wooden board").waitFor();
  await ben.type("c5");
  await board.reads("from c7 to c5");
});

play("castling works with king and rook lifted at the same time", async (env) => {
  const board = await VirtualBoard.open(env, { hasTouch: true });
  await moveAll(board, "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5");
  const hands = await Touch.on(board.page);
  await hands.down(1, await board.middle("e1"));
  await hands.down(2, await board.middle("h1"));
  await board.sees("e1", "empty");
  await board.sees("h1", "empty");
  await hands.move(1, await board.middle("g1"));
  await hands.move(2, await board.middle("f1"));
  await hands.up(2);
  await hands.up(1);
  await board.sees("g1", "white king");
  await board.sees("f1", "white rook");
  await board.reads("Black to move");
});

play("a window that may not move the pieces says so", async (env) => {
  const board = new VirtualBoard(await env.window());
  // The relay grants the loopback everything, so the permission is taken from its message.
  await editPanel(board.page, (message) => message.replace('"touch":true', '"touch":false'));
  await board.page.goto("/board");
  const trouble = board.page.getByRole("alert");
  await trouble.getByText("You are watching. Only the computer that runs this board may move its pieces").waitFor();
  await trouble.getByText("--virtual-board all").waitFor();
  assert.equal(await board.button("Set up the pieces").isDisabled(), true);
  await board.square("e2").click();
  await board.sees("e2", "white pawn");
});

play("a board in a process of its own shows its relay, and its code when it knows it", async (env) => {
  const relay = "http://192.0.2.7:8080/";
  const [page, other] = [await env.window(), await env.window()];
  const withCode = (/** @type {string | null} */ code) => (/** @type {string} */ message) => {
    const { type, ...rest } = JSON.parse(message);
    return JSON.stringify("code" in rest ? { type, ...rest, code, relay } : { type, ...rest });
  };
  await editPanel(page, withCode(null));
  await page.goto("/board");
  const challenge = page.locator(".challenge");
  await challenge.getByRole("link", { name: relay }).waitFor();
  assert.equal(await challenge.innerText(), `Relay: ${relay}`);
  await editPanel(other, withCode("KITCHEN"));
  await other.goto("/board");
  await other.getByRole("link", { name: "192.0.2.7:8080/g/KITCHEN", exact: true }).waitFor();
});

play("the QR code of the second screen has the address of the relay in the network", async (env) => {
  const page = await env.window();
  // The relay of this test listens on the loopback only, so it knows no other address.
  await page.route("**/whereabouts", (route) => route.fulfill({ json: { nearby: "http://192.0.2.7:8080", board: true } }));
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>';
  await page.route("**/qr.svg*", (route) => route.fulfill({ contentType: "image/svg+xml", body: svg }));
  await page.goto("/board");
  const qr = page.getByRole("img", { name: "The clocks as a QR code" });
  await page.getByText("Clocks on a second screen").click();
  await page.getByRole("link", { name: /^192\.0\.2\.7:8080\/g\/\w+\?clock$/ }).waitFor();
  const source = await qr.getAttribute("src");
  assert.match(decodeURIComponent(source ?? ""), /link=http:\/\/192\.0\.2\.7:8080\/g\/\w+\?clock$/);
  // No telephone can use an address of this computer only.
  await page.unroute("**/whereabouts");
  await page.reload();
  await page.getByText("Clocks on a second screen").click();
  await page.getByRole("link", { name: /^127\.0\.0\.1:\d+\/g\/\w+\?clock$/ }).waitFor();
  assert.equal(await qr.count(), 0);
});
