// What is wrong, said plainly, with the way out of it.

import { fill, make, set } from "../common/dom.js";

/** @typedef {import("./state.js").Match} Match */

export class Banner {
  #shown = "";

  /** @param {{ retry: () => void, watch: () => void, joinAnew: () => void }} ways */
  constructor(ways) {
    this.ways = ways;
    this.root = make("div", { class: "banner", role: "alert" });
  }

  /** @param {Match} match */
  render(match) {
    const { line } = match;
    const { key, tone, sentence, ways } = this.#what(match);
    set(this.root, "hidden", key === "");
    set(this.root, "data-tone", tone);
    set(this.root, "data-line", line.kind);
    if (key === this.#shown) return;
    this.#shown = key;
    fill(
      this.root,
      make("p", {}, sentence),
      make(
        "div",
        { class: "row wrap" },
        ...ways.map(([label, run]) =>
          typeof run === "string"
            ? make("a", { class: "button plain", href: run }, label)
            : make("button", { type: "button", class: "plain", onclick: run }, label),
        ),
      ),
    );
  }

  /**
   * @param {Match} match
   * @returns {{ key: string, tone: string, sentence: string, ways: [string, string | (() => void)][] }}
   */
  #what({ line, phase }) {
    const { retry, watch, joinAnew } = this.ways;
    /** @type {[string, string]} */
    const home = ["Back to the lobby", "/"];
    if (line.kind === "away") {
      const sentence = `${line.why} Trying again by itself; your seat is kept.`;
      return { key: `away ${line.why}`, tone: "warm", sentence, ways: [["Try now", retry]] };
    }
    if (line.kind === "refused") {
      const key = `refused ${line.status} ${line.why}`;
      if (line.status === 404) {
        return {
          key,
          tone: "bad",
          sentence: "There is no game with this code. It may be over, or mistyped.",
          ways: [home],
        };
      }
      if (line.status === 403) {
        const sentence = "Your seat in this game is gone: you were away for too long, or have left.";
        return { key, tone: "bad", sentence, ways: [["Take a free seat", joinAnew], ["Watch", watch], home] };
      }
      return { key, tone: "bad", sentence: line.why, ways: [["Try again", retry], home] };
    }
    if (line.kind === "ended" || phase === "closed") {
      return { key: "ended", tone: "plain", sentence: "This match is over, and everybody has gone.", ways: [home] };
    }
    return { key: "", tone: "plain", sentence: "", ways: [] };
  }
}
