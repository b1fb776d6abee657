// The self-test of a board. The squares follow the switches while it is connected.

import { make, set, write } from "../common/dom.js";
import { faultsOf } from "../language/console-sentences.js";
import { t } from "../language/language.js";
import { SmallBoard } from "./small-board.js";

export class SelfTest {
  /** @param {import("./board-settings.js").Run} run */
  constructor(run) {
    this.run = run;
    this.board = new SmallBoard();
    this.button = make("button", { class: "plain", type: "button", onclick: () => this.#start() }, t("owner.selftest_start"));
    this.result = make("p", { role: "status" });
    this.root = make(
      "section",
      { class: "card" },
      make("h2", {}, t("owner.selftest")),
      make("p", {}, t("owner.selftest_lead")),
      this.board.root,
      this.button,
      this.result,
    );
  }

  /** @param {import("./requests.js").LiveBoard | null} live */
  show(live) {
    set(this.button, "disabled", live === null);
    const occupied = live?.occupied ?? [];
    this.board.mark(occupied, t("owner.switches", { squares: occupied.join(" ") || t("owner.no_squares") }));
  }

  async #start() {
    write(this.result, "");
    try {
      const { answer } = await this.run("selftest");
      const bad = faultsOf(answer);
      write(this.result, bad.length > 0 ? t("owner.selftest_bad", { words: bad.join("; ") }) : t("owner.selftest_good"));
    } catch (error) {
      write(this.result, error instanceof Error ? error.message : String(error));
    }
  }
}
