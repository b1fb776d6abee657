// Mouse, finger and pen on the board: a touch chooses a square, and a piece that is dragged comes along.

/**
 * @typedef {import("./view.js").BoardView} BoardView
 *
 * @typedef {object} Hand
 * @property {(square: string) => boolean} canLift whether the piece there may be dragged
 * @property {(square: string) => void} lifted a piece was taken up
 * @property {(square: string) => void} chosen a square was touched, and nothing dragged
 * @property {(from: string, to: string) => void} carried
 */

/** A finger never stays quite still, so it has to go so far before it drags. */
const SLACK_PX = 4;

/**
 * @param {BoardView} view
 * @param {Hand} hand
 */
export function attachPointer(view, hand) {
  /** @type {{ id: number, from: string, x: number, y: number, piece: SVGSVGElement | null, isDragging: boolean } | null} */
  let touch = null;
  const { root, grid } = view;

  root.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || touch) return;
    const from = view.squareAt(event.clientX, event.clientY);
    if (!from) return;
    const canLift = hand.canLift(from);
    touch = {
      id: event.pointerId,
      from,
      x: event.clientX,
      y: event.clientY,
      piece: canLift ? view.pieceAt(from) : null,
      isDragging: false,
    };
    if (canLift) {
      root.setPointerCapture(event.pointerId);
      event.preventDefault();
    }
  });

  root.addEventListener("pointermove", (event) => {
    if (touch?.id !== event.pointerId || !touch.piece) return;
    const [dx, dy] = [event.clientX - touch.x, event.clientY - touch.y];
    if (!touch.isDragging) {
      if (Math.hypot(dx, dy) < SLACK_PX) return;
      touch.isDragging = true;
      hand.lifted(touch.from);
      touch.piece.classList.add("held");
    }
    const box = grid.getBoundingClientRect();
    const side = box.width / 8;
    const [x, y] = [event.clientX - box.left - side / 2, event.clientY - box.top - side / 2];
    // A finger covers what it holds.
    const lift = event.pointerType === "touch" ? side * 0.6 : 0;
    touch.piece.style.transform = `translate(${x}px, ${y - lift}px) scale(${lift ? 1.5 : 1.1})`;
    hover(view.squareAt(event.clientX, event.clientY));
  });

  root.addEventListener("pointerup", (event) => {
    if (touch?.id !== event.pointerId) return;
    const { from, isDragging } = touch;
    const to = view.squareAt(event.clientX, event.clientY);
    end();
    if (!isDragging && to === from) hand.chosen(from);
    else if (isDragging && to && to !== from) hand.carried(from, to);
    else if (isDragging) hand.lifted(from);
  });

  root.addEventListener("pointercancel", (event) => {
    if (touch?.id === event.pointerId) end();
  });

  root.addEventListener("contextmenu", (event) => {
    if (touch?.isDragging) event.preventDefault();
  });

  function end() {
    const piece = touch?.piece;
    touch = null;
    hover(null);
    if (!piece) return;
    // It is drawn where it belongs, without a way there.
    piece.classList.remove("held");
    piece.classList.add("dropped");
    const at = piece.dataset.at;
    if (at) {
      const place = view.placeOf(at);
      piece.style.transform = `translate(${(place % 8) * 100}%, ${(place >> 3) * 100}%)`;
    }
    requestAnimationFrame(() => requestAnimationFrame(() => piece.classList.remove("dropped")));
  }

  /** @param {string | null} square */
  function hover(square) {
    for (const cell of grid.querySelectorAll("[data-hover]")) {
      if (cell.getAttribute("data-square") !== square) cell.removeAttribute("data-hover");
    }
    if (square) grid.querySelector(`[data-square="${square}"]`)?.setAttribute("data-hover", "");
  }
}
