// The owner's page of one board: its settings, self-test, calibration and statistics, by the commands of its console.

import { make, set, write } from "../common/dom.js";
import { t } from "../language/language.js";
import { RequestError, gamesPath } from "../relay/http.js";
import { BoardSettings } from "./board-settings.js";
import { Calibration } from "./calibration.js";
import { loginForm } from "./login.js";
import { changeBoard, readBoard, runLine } from "./requests.js";
import { SelfTest } from "./self-test.js";
import { Statistics } from "./statistics.js";

/** Milliseconds between two looks at the board. */
const INTERVAL = 300;

export class BoardPage {
  #isConnected = false;
  /** The last look or rename: one waits for the other, because the relay knows the board by one name only. */
  #last = Promise.resolve();

  /** @param {string} name */
  constructor(name) {
    this.name = name;
    this.heading = make("h1", { dir: "auto" }, name);
    document.title = `${name} · Tabiya`;
    this.status = make("p", { class: "soft", role: "status" });
    this.login = loginForm(() => this.#afterLast(() => this.#look()));
    const run = (/** @type {string} */ line) => runLine(this.name, line);
    this.settings = new BoardSettings(
      run,
      () => this.name,
      (wanted) => this.#afterLast(() => this.#rename(wanted)),
    );
    this.selfTest = new SelfTest(run);
    this.calibration = new Calibration(run);
    this.statistics = new Statistics(run);
    this.games = make("a", {}, t("games.of_board"));
    this.parts = make("div", { class: "owner", hidden: true }, make("p", {}, this.games), this.settings.root, this.selfTest.root, this.calibration.root, this.statistics.root);
    this.root = make("section", { class: "owner" }, make("a", { href: "/owner" }, t("owner.back")), this.heading, this.login, this.status, this.parts);
  }

  start() {
    const again = async () => {
      await this.#afterLast(() => this.#look());
      setTimeout(again, INTERVAL);
    };
    again();
  }

  /**
   * @template T
   * @param {() => Promise<T>} act
   * @returns {Promise<T>}
   */
  #afterLast(act) {
    const done = this.#last.then(act);
    this.#last = done.then(
      () => {},
      () => {},
    );
    return done;
  }

  /** @param {string} wanted */
  async #rename(wanted) {
    const { name } = await changeBoard(this.name, { name: wanted });
    this.name = name;
    write(this.heading, name);
    document.title = `${name} · Tabiya`;
    history.replaceState(null, "", `/owner/boards/${encodeURIComponent(name)}`);
    return name;
  }

  async #look() {
    try {
      const state = await readBoard(this.name);
      set(this.login, "hidden", true);
      set(this.parts, "hidden", false);
      write(this.status, state.live ? "" : t("owner.board_offline"));
      set(this.games, "href", gamesPath(state.code));
      this.settings.show(state);
      this.selfTest.show(state.live);
      this.calibration.show(state.live);
      this.statistics.show(state.live);
      if (state.live && !this.#isConnected) await Promise.all([this.settings.read(), this.statistics.read()]);
      this.#isConnected = state.live !== null;
    } catch (error) {
      const isUnknown = error instanceof RequestError && error.status === 401;
      if (isUnknown) set(this.login, "hidden", false);
      set(this.parts, "hidden", true);
      this.settings.disable();
      this.#isConnected = false;
      write(this.status, isUnknown ? t("owner.password_needed") : error instanceof Error ? error.message : String(error));
    }
  }
}
