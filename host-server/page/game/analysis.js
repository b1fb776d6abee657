// The analysis of a finished game, on request: a graph of the scores, and the three biggest mistakes.

import { make, set, write } from "../common/dom.js";
import { t } from "../language/language.js";
import { RequestError, readAnalysis } from "../relay/http.js";
import { isChess } from "./state.js";

/**
 * @typedef {import("../relay/http.js").Analysis} Analysis
 * @typedef {import("../relay/http.js").Mistake} Mistake
 */

/** Height of the graph in its own units. */
const HEIGHT = 40;

/** A score of this many centipawns fills three quarters of the graph. */
const HALF = 180;

export class AnalysisView {
  /** The game that is shown, as its room and number. */
  #shown = "";
  #plies = 0;

  /** @param {import("./session.js").GameSession} session */
  constructor(session) {
    this.session = session;
    this.button = make("button", { type: "button", class: "plain", onclick: this.#analyse }, t("analysis.button"));
    this.problem = make("p", { class: "soft", role: "status" });
    this.graph = make("div", { class: "graph", role: "img", onclick: this.#jump });
    this.mistakes = make("ol", { class: "mistakes", "aria-label": t("analysis.mistakes") });
    this.none = make("p", { class: "soft" }, t("analysis.none"));
    this.result = make("div", { class: "analysis-result" }, this.graph, this.mistakes, this.none);
    this.root = make("div", { class: "analysis", role: "group", "aria-label": t("analysis.title") }, this.button, this.problem, this.result);
  }

  /** @param {import("./view-state.js").ViewState} state */
  render({ match }) {
    const isOver = match.ending !== null && isChess(match) && match.plies.length > 0;
    set(this.root, "hidden", !isOver);
    const game = `${match.room} ${match.game}`;
    set(this.result, "hidden", this.#shown !== game);
    set(this.button, "hidden", this.#shown === game);
  }

  #analyse = async () => {
    const { code, room, game } = this.session.match;
    set(this.button, "disabled", true);
    write(this.problem, t("analysis.running"));
    try {
      const analysis = await readAnalysis({ code, room, game });
      write(this.problem, "");
      this.#show(analysis);
      this.#shown = `${room} ${game}`;
      set(this.result, "hidden", false);
      set(this.button, "hidden", true);
    } catch (error) {
      write(this.problem, error instanceof RequestError ? error.message : t("analysis.failed"));
    }
    set(this.button, "disabled", false);
  };

  /** @param {Analysis} analysis */
  #show({ evaluations, mistakes }) {
    this.#plies = evaluations.length - 1;
    this.graph.replaceChildren(drawing(evaluations.map(height)));
    const last = evaluations.at(-1);
    set(this.graph, "aria-label", t("analysis.graph", { plies: this.#plies, score: last ? scoreText(last) : "?" }));
    this.mistakes.replaceChildren(...mistakes.map((mistake) => make("li", {}, this.#row(mistake))));
    set(this.none, "hidden", mistakes.length > 0);
  }

  /** @param {Mistake} mistake */
  #row({ ply, color, move_number: number, played, better }) {
    const move = `${number}${color === "white" ? "." : " …"} ${played.san}`;
    return make(
      "button",
      { type: "button", class: "quiet", "data-ply": ply, onclick: () => this.session.review(ply) },
      make("b", {}, move),
      t("analysis.better", { move: better.san }),
    );
  }

  #jump = (/** @type {MouseEvent} */ event) => {
    const { left, width } = this.graph.getBoundingClientRect();
    const ply = Math.round(((event.clientX - left) / Math.max(width, 1)) * this.#plies);
    this.session.review(Math.min(Math.max(ply, 0), this.#plies));
  };
}

/**
 * How much of the graph is White's, from 0 to its height.
 *
 * @param {import("../relay/http.js").Evaluation} evaluation
 */
function height({ centipawns, mate }) {
  const share = centipawns === undefined ? ((mate ?? 0) > 0 ? 1 : 0) : 1 / (1 + Math.exp(-centipawns / HALF));
  return share * HEIGHT;
}

/**
 * A score in words: `+1.5`, or that one side mates.
 *
 * @param {import("../relay/http.js").Evaluation} evaluation
 */
export function scoreText({ centipawns, mate }) {
  if (centipawns !== undefined) return `${centipawns > 0 ? "+" : ""}${(centipawns / 100).toFixed(1)}`;
  return t((mate ?? 0) > 0 ? "analysis.mate_white" : "analysis.mate_black");
}

/** @param {number[]} heights */
function drawing(heights) {
  const width = Math.max(heights.length - 1, 1);
  const points = heights.map((height, at) => `${at},${(HEIGHT - height).toFixed(2)}`);
  const svg = shape("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" });
  svg.append(
    shape("polygon", { class: "whites", points: `0,${HEIGHT} ${points.join(" ")} ${width},${HEIGHT}` }),
    shape("line", { class: "even", x1: 0, x2: width, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
    shape("polyline", { class: "line", points: points.join(" ") }),
  );
  return svg;
}

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 */
function shape(name, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}
