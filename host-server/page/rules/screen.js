// The page on which users write rules: a script, a button that tries it, and a form that creates a game by it.

import { make, set, write } from "../common/dom.js";
import { t } from "../language/language.js";
import { startGame } from "../lobby/challenge.js";
import { NameField } from "../lobby/name-field.js";
import { TermsFields } from "../lobby/terms-fields.js";
import { RequestError, bundledScripts, scriptText, storeScript, tryScript } from "../relay/http.js";
import { ScriptEditor } from "./editor.js";
import { Outcome } from "./outcome.js";

/** The relay's limit for a script. */
const MAX_BYTES = 1 << 20;
/** The status of a script that has a mistake. */
const UNPROCESSABLE = 422;

export class RulesScreen {
  constructor() {
    document.title = `${t("rules.title")} · Tabiya`;
    this.title = "";
    this.editor = new ScriptEditor(() => this.#changed());
    this.outcome = new Outcome();
    this.bundled = make(
      "select",
      { id: "bundled", onchange: () => this.#choose() },
      make("option", { value: "" }, t("rules.choose")),
    );
    this.file = make("input", {
      id: "script-file",
      type: "file",
      accept: ".py,text/x-python,text/plain",
      class: "unseen",
      onchange: () => this.#upload(),
    });
    this.tryButton = make("button", { type: "button", class: "plain", onclick: () => this.#try() }, t("rules.try"));
    this.name = new NameField("rules-name");
    this.terms = new TermsFields("rules");
    this.wrong = make("p", { class: "wrong", role: "alert" });
    this.button = make("button", { type: "submit", class: "main wide" }, t("create.button"));
    this.root = make(
      "form",
      { class: "lobby rules", novalidate: true, onsubmit: this.#create },
      make(
        "div",
        { class: "welcome" },
        make("h1", {}, t("rules.title")),
        make("p", { class: "lead" }, t("rules.lead")),
      ),
      make(
        "div",
        { class: "card rules-script" },
        make(
          "div",
          { class: "row sources" },
          make("div", { class: "field" }, make("label", { for: "bundled" }, t("rules.bundled")), this.bundled),
          make("label", { class: "button plain upload", for: "script-file" }, this.file, make("span", {}, t("rules.upload"))),
        ),
        this.editor.root,
        this.tryButton,
        this.outcome.root,
      ),
      make(
        "div",
        { class: "card create" },
        make("h2", {}, t("create.title")),
        this.name.root,
        ...this.terms.roots,
        this.wrong,
        this.button,
      ),
    );
    this.#list();
  }

  async #list() {
    const scripts = await bundledScripts().catch(() => []);
    for (const { name, title } of scripts) this.bundled.append(make("option", { value: name }, title));
  }

  async #choose() {
    const { value, selectedOptions } = this.bundled;
    if (!value) return;
    try {
      this.#use(await scriptText(value), selectedOptions[0]?.text ?? value);
    } catch (error) {
      this.outcome.fail(messageOf(error));
    }
  }

  async #upload() {
    const file = this.file.files?.[0];
    this.file.value = "";
    if (!file) return;
    if (file.size > MAX_BYTES) return this.outcome.fail(t("rules.too_large"));
    try {
      const text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
      this.bundled.value = "";
      this.#use(text, file.name.replace(/\.py$/, "").slice(0, 64));
    } catch {
      this.outcome.fail(t("rules.not_text"));
    }
  }

  /**
   * @param {string} text
   * @param {string} title
   */
  #use(text, title) {
    this.title = title;
    this.editor.text = text;
    this.#changed();
  }

  #changed() {
    this.outcome.clear();
    write(this.wrong, "");
  }

  async #try() {
    set(this.tryButton, "disabled", true);
    this.editor.mark(null);
    try {
      const tried = await tryScript(this.editor.text);
      if ("start" in tried) this.outcome.show(tried.start);
      else {
        this.outcome.fail(tried.error.message);
        this.editor.mark(tried.error.line);
      }
    } catch (error) {
      this.outcome.fail(messageOf(error));
    }
    set(this.tryButton, "disabled", false);
  }

  #create = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    write(this.wrong, "");
    if (!this.name.check()) return;
    set(this.button, "disabled", true);
    try {
      const { id } = await storeScript(this.editor.text);
      await startGame({ name: this.name.value, ...this.terms.order(), rules: "script", script: id, title: this.title });
    } catch (error) {
      write(this.wrong, messageOf(error));
      set(this.button, "disabled", false);
      // The script has a mistake: trying it shows the line.
      if (error instanceof RequestError && error.status === UNPROCESSABLE) await this.#try();
    }
  };
}

/** @param {unknown} error */
function messageOf(error) {
  return error instanceof RequestError ? error.message : t("create.failed");
}
