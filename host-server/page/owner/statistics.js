// The statistics of a board: what its console prints as `stats`, and what the relay knows of its connection.

import { fill, make, nameText, set } from "../common/dom.js";
import { STATISTICS_LINES } from "../language/console-sentences.js";
import { t } from "../language/language.js";

export class Statistics {
  /** @type {import("./requests.js").LiveBoard | null} */ #live = null;

  /** @param {import("./board-settings.js").Run} run */
  constructor(run) {
    this.run = run;
    this.list = make("dl", { class: "statistics" });
    this.refresh = make("button", { class: "plain", type: "button", onclick: () => this.read() }, t("owner.refresh"));
    this.root = make("section", { class: "card" }, make("h2", {}, t("owner.statistics")), this.list, this.refresh);
  }

  /** @param {import("./requests.js").LiveBoard | null} live */
  show(live) {
    this.#live = live;
    set(this.refresh, "disabled", live === null);
  }

  async read() {
    try {
      const { answer, took_ms: took } = await this.run("stats");
      const lines = answer.split("\r\n");
      /** @type {[string, string][]} */
      const rows = [
        [t("owner.stat_software"), lines[0] ?? ""],
        [t("owner.stat_connected"), `${this.#live?.connected_s ?? 0} s`],
        [t("owner.stat_answer"), `${took} ms`],
      ];
      for (const [pattern, key] of STATISTICS_LINES) {
        const value = lines.map((line) => pattern.exec(line)?.[1]).find((found) => found !== undefined);
        if (value !== undefined) rows.push([t(key), /^none\b/.test(value) ? t("owner.no_squares") : value]);
      }
      fill(this.list, ...rows.flatMap(([words, value]) => [make("dt", {}, words), make("dd", {}, nameText(value))]));
    } catch (error) {
      fill(this.list, make("dt", {}, error instanceof Error ? error.message : String(error)));
    }
  }
}
