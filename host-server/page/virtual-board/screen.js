// The screen of the virtual board: connects its parts with each other and with the board.

import { announce } from "../common/announce.js";
import { fill, find, nameText, set, write } from "../common/dom.js";
import { t, tNodes } from "../language/language.js";
import { translated as refusal } from "../language/relay-sentences.js";
import { PanelConnection } from "../relay/panel-connection.js";
import { VirtualBoardView } from "./board-view.js";
import { Controls } from "./controls.js";
import { GameCard } from "./game-card.js";
import { Hands } from "./hands.js";
import { VirtualBoardKeyboard } from "./keyboard.js";
import { Lights } from "./lights.js";
import { VirtualBoardPointer } from "./pointer.js";
import { Report } from "./report.js";
import { SensorDiagram } from "./sensors.js";
import { translated } from "./sentences.js";
import { Tray } from "./tray.js";

/**
 * @typedef {import("../relay/panel-messages.js").BoardState} BoardState
 * @typedef {import("../relay/panel-messages.js").Pieces} Pieces
 */

const ERROR_SHOWN_MS = 4000;

export class VirtualBoardScreen {
  /** @type {BoardState | null} */ #state = null;
  #isConnected = true;
  /** Whether the user has flipped the board, which then stays as it is. */
  #isFlippedByUser = false;
  #sentence = "";
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #errorTimer;

  constructor() {
    this.#showTitle(t("virtual.title"));
    const tray = find("tray");
    const mayTouch = () => this.#state?.touch ?? false;
    this.lights = new Lights(/** @type {HTMLCanvasElement} */ (find("lights")));
    this.board = new VirtualBoardView(find("frame"), find("board"));
    this.report = new Report(find("report"));
    this.game = new GameCard(find("game"));
    this.sensors = new SensorDiagram(/** @type {HTMLDetailsElement} */ (find("sensors")), this.lights);
    this.connection = new PanelConnection({
      pieces: (pieces) => this.#showPieces(pieces),
      board: (state) => this.#showState(state),
      reeds: (closed) => this.sensors.showReeds(closed),
      settled: (settled) => this.sensors.showSettled(settled),
      lights: (lights) => {
        this.lights.show(lights);
        this.sensors.repaint();
      },
      error: (message) => this.#showError(message),
      connected: (isConnected) => {
        this.#isConnected = isConnected;
        document.body.classList.toggle("away", !isConnected);
        this.#showTrouble(null);
      },
    });
    const send = this.connection.send.bind(this.connection);
    this.hands = new Hands(send, this.board);
    this.controls = new Controls(find("controls"), send, () => {
      this.#isFlippedByUser = true;
      this.#flip(!this.board.isFlipped);
    });
    this.tray = new Tray(tray, this.hands, mayTouch);
    const { board, hands } = this;
    const intercept = this.controls.intercept.bind(this.controls);
    this.pointer = new VirtualBoardPointer({
      tray,
      board,
      hands,
      isSliding: () => this.controls.isSliding,
      mayTouch,
      intercept,
    });
    this.keyboard = new VirtualBoardKeyboard({ board, hands, mayTouch, intercept, focusMoved: this.pointer.place });
  }

  /** @param {Pieces} pieces */
  #showPieces(pieces) {
    this.board.show(pieces);
    this.hands.show(pieces);
    this.tray.show(pieces);
    this.pointer.place();
  }

  /** @param {BoardState} state */
  #showState(state) {
    this.#state = state;
    document.body.dataset.known = "";
    document.body.classList.toggle("dead", !state.power);
    document.body.classList.toggle("watching", !state.touch);
    this.#showTitle(t("virtual.title_named", { name: state.name }));
    fill(find("title"), ...tNodes("virtual.title_named", { name: nameText(state.name) }));
    write(find("headline"), state.headline !== null ? translated(state.headline) : t(state.power ? "virtual.ready" : "virtual.off"));
    const otherwise = t(state.power ? "virtual.watch_lights" : "virtual.no_power");
    this.#showSentence(state.sentence !== null ? translated(state.sentence) : otherwise);
    write(find("mistaken"), translated(state.mistaken ?? ""));
    set(find("mistaken"), "hidden", state.mistaken === null);
    this.board.markWeak(state.weak);
    this.report.show(state);
    this.game.show(state);
    this.controls.show(state);
    if (!this.#isFlippedByUser) this.#flip(state.seat === "black");
    this.#showTrouble(null);
  }

  /** @param {string} title of the window */
  #showTitle(title) {
    document.title = `${title} · Tabiya`;
  }

  /** @param {string} sentence */
  #showSentence(sentence) {
    if (sentence !== this.#sentence) announce(sentence);
    this.#sentence = sentence;
    write(find("sentence"), sentence);
  }

  /** @param {string} message */
  #showError(message) {
    clearTimeout(this.#errorTimer);
    this.#showTrouble(t("virtual.refused", { reason: refusal(message) }));
    this.#errorTimer = setTimeout(() => this.#showTrouble(null), ERROR_SHOWN_MS);
  }

  /**
   * Shows an error, or else what is wrong at the moment.
   *
   * @param {string | null} error
   */
  #showTrouble(error) {
    const isWatching = this.#state !== null && !this.#state.touch;
    const words = error ?? (!this.#isConnected ? t("virtual.lost") : isWatching ? t("virtual.watching") : "");
    write(find("trouble"), words);
    set(find("trouble"), "hidden", words === "");
  }

  /** @param {boolean} isFlipped */
  #flip(isFlipped) {
    this.board.flip(isFlipped);
    this.lights.flip(isFlipped);
    this.pointer.place();
  }
}
