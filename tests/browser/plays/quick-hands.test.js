// Hands that are quicker than the line to the board.

import { play } from "../harness/play.js";
import { Wood } from "../harness/wood.js";

play("a piece can be taken up while the one before is still on its way down", async (stage) => {
  const wood = await Wood.open(stage);
  // What the board says comes late, as over a slow line.
  await wood.page.routeWebSocket(/\/ws\/panel/, (socket) => {
    const board = socket.connectToServer();
    board.onMessage((message) => {
      setTimeout(() => socket.send(message), 600);
    });
  });
  await wood.page.reload();
  await wood.page.getByText("Connected to the relay").waitFor();
  await wood.carry("e2", "e4");
  // The hand has let go, and what it touches next is another piece.
  const { x, y } = await wood.middle("e7");
  await wood.page.mouse.move(x, y);
  await wood.page.mouse.down();
  await wood.sees("e7", "empty");
  const there = await wood.middle("e5");
  await wood.page.mouse.move(there.x, there.y, { steps: 4 });
  await wood.page.mouse.up();
  await wood.sees("e5", "black pawn");
  await wood.sees("e4", "white pawn");
  await wood.reads("White to move");
});
