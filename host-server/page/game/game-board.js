// The board of the game, with the selection and the occupancy of the opponent's wooden board on it.

import { BoardPointer } from "../board/pointer.js";
import { BoardView } from "../board/view.js";
import { t } from "../language/language.js";
import { isPlaying, shownTargets } from "./state.js";

export class GameBoard {
  /** @param {import("./session.js").GameSession} session */
  constructor(session) {
    this.view = new BoardView({ choose: (square) => session.choose(square), cancel: () => session.cancel() });
    this.pointer = new BoardPointer(this.view, {
      canLift: (square) => session.canLift(square),
      lift: (square) => session.lift(square),
      choose: (square) => session.choose(square),
      drop: (from, to) => session.drag(from, to),
    });
    this.root = this.view.root;
  }

  /** @param {import("./view-state.js").ViewState} state */
  render({ match, selection, shown, isReview, bottom }) {
    // Players see their own wooden board in front of them.
    // After the game its kings may stand in the centre.
    const boards = isReview || match.phase !== "playing" ? [] : Object.entries(match.occupancy).filter(([color]) => color !== match.color);
    const { square, premove } = selection;
    this.view.render({
      placement: shown.placement,
      kinds: match.kinds,
      isFlipped: bottom === "black",
      last: shown.uci ? [shown.uci.slice(0, 2), shown.uci.slice(2, 4)] : [],
      checked: shown.checked,
      selected: square,
      targets: !isReview && square ? shownTargets(match, square) : [],
      premove: !isReview && premove ? [premove.from, premove.to] : [],
      inHand: boards.flatMap(([, { inHand }]) => inHand),
      misplaced: boards.flatMap(([, { misplaced }]) => misplaced),
      isLive: !isReview && isPlaying(match),
      label: t(bottom === "white" ? "board.label_white" : "board.label_black"),
    });
  }
}
