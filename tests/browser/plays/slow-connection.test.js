// The virtual board over a slow connection.

import { play } from "../harness/play.js";
import { VirtualBoard } from "../harness/virtual-board.js";

play("a piece can be lifted before the board has confirmed that the last one was put down", async (env) => {
  const board = await VirtualBoard.open(env);
  // The board's messages are delayed.
  await board.page.routeWebSocket(/\/ws\/panel/, (socket) => {
    const board = socket.connectToServer();
    board.onMessage((message) => {
      setTimeout(() => socket.send(message), 600);
    });
  });
  await board.page.reload();
  await board.page.getByText("Connected to the relay").waitFor();
  await board.move("e2", "e4");
  // The first hand is released, although the board has not confirmed it yet.
  const { x, y } = await board.middle("e7");
  await board.page.mouse.move(x, y);
  await board.page.mouse.down();
  await board.sees("e7", "empty");
  const there = await board.middle("e5");
  await board.page.mouse.move(there.x, there.y, { steps: 4 });
  await board.page.mouse.up();
  await board.sees("e5", "black pawn");
  await board.sees("e4", "white pawn");
  await board.reads("White to move");
});
