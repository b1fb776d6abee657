// A real relay: the process `tabiya serve`, which can be stopped, killed and started again where it was.
//
// It listens on the loopback only. Nothing of the environment reaches it, so it is the same one everywhere. Limits are off:
// one machine plays everybody here.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** Long enough for a slow and busy machine. */
const PATIENCE_MS = 60_000;

const NO_LIMITS = [
  "--max-connections=0",
  "--max-connections-per-address=0",
  "--connections-per-minute=0",
  "--requests-per-minute=0",
  "--joins-per-minute=0",
  "--messages-per-second=0",
];

export class Relay {
  /** @type {import("node:child_process").ChildProcess | null} */ #process = null;
  #address = "127.0.0.1:0";
  /** @type {string[]} What it has logged, in all its lives. */ log = [];

  /**
   * @param {string} folder
   * @param {readonly string[]} words
   */
  constructor(folder, words) {
    this.folder = folder;
    this.words = words;
  }

  /**
   * Starts one with these words on its command line, and waits until it answers.
   *
   * @param {...string} words
   */
  static async start(...words) {
    const relay = new Relay(await mkdtemp(join(tmpdir(), "tabiya-browser-")), words);
    try {
      await relay.restart();
    } catch (error) {
      await relay.discard();
      throw error;
    }
    return relay;
  }

  /** Where its pages are. It is the same place after a restart. */
  get url() {
    return `http://${this.#address}`;
  }

  /** Starts it again where it was, and waits until it answers. */
  async restart() {
    await this.kill();
    const program = process.env.TABIYA_PROGRAM;
    if (!program) throw new Error("TABIYA_PROGRAM does not say where the program tabiya is");
    const words = ["serve", "--listen", this.#address, "--data", join(this.folder, "data"), ...NO_LIMITS, ...this.words];
    const { PATH, TMPDIR } = process.env;
    const child = spawn(program, words, {
      cwd: this.folder,
      env: { ...(PATH && { PATH }), ...(TMPDIR && { TMPDIR }), RUST_BACKTRACE: "1" },
      stdio: ["ignore", "ignore", "pipe"],
    });
    this.#process = child;
    const before = this.log.length;
    await /** @type {Promise<void>} */ (
      new Promise((resolve, reject) => {
        const fail = (/** @type {string} */ why) => {
          clearTimeout(later);
          reject(new Error(`${why}:\n${this.log.slice(before).join("\n")}`));
        };
        const later = setTimeout(() => fail("the relay does not listen"), PATIENCE_MS);
        child.on("error", (error) => fail(`the relay does not start, ${error.message}`));
        child.on("exit", (code, signal) => fail(`the relay has ended, ${signal ?? code}`));
        createInterface({ input: child.stderr }).on("line", (line) => {
          this.log.push(line);
          const address = / listening address=(\S+)/.exec(line)?.[1];
          if (address === undefined) return;
          this.#address = address;
          clearTimeout(later);
          resolve();
        });
      })
    );
  }

  /** Ends it as a power cut would, as far as a process can be. */
  async kill() {
    await this.#end("SIGKILL");
  }

  /** Ends it as whoever runs it does. */
  async stop() {
    await this.#end("SIGTERM");
  }

  /** @param {NodeJS.Signals} signal */
  async #end(signal) {
    const child = this.#process;
    this.#process = null;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  }

  /** Whatever in it has gone so wrong that nobody may miss it. */
  troubles() {
    const at = this.log.findIndex((line) => line.includes("panicked"));
    const panic = at < 0 ? [] : [`the relay has panicked: ${this.log.slice(at).join("\n")}`];
    const child = this.#process;
    const isGone = child && (child.exitCode !== null || child.signalCode !== null);
    return isGone ? [...panic, `the relay has ended: ${this.log.slice(-20).join("\n")}`] : panic;
  }

  /** Ends it, and forgets everything. */
  async discard() {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }
}
