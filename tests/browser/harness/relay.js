// A relay: the process `tabiya serve`, which can be stopped, killed and restarted at the same address.
//
// It listens on the loopback only and inherits no environment variables. Limits are off, because all clients have one address.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** Enough for a slow machine under load. */
const START_TIMEOUT_MS = 60_000;

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
  /** @type {string[]} Its log, over all restarts. */ log = [];
  /** The address of its LiveChess listener, with the option --livechess. */ livechess = "";

  /**
   * @param {string} folder
   * @param {readonly string[]} options
   */
  constructor(folder, options) {
    this.folder = folder;
    this.options = options;
  }

  /**
   * Starts a relay with these command line options, and waits until it listens.
   *
   * @param {...string} options
   */
  static async start(...options) {
    const relay = new Relay(await mkdtemp(join(tmpdir(), "tabiya-browser-")), options);
    try {
      await relay.restart();
    } catch (error) {
      await relay.discard();
      throw error;
    }
    return relay;
  }

  /** The address of its pages, which stays the same after a restart. */
  get url() {
    return `http://${this.#address}`;
  }

  /** Starts it again at the same address, and waits until it listens. */
  async restart() {
    await this.kill();
    const program = process.env.TABIYA_PROGRAM;
    if (!program) throw new Error("TABIYA_PROGRAM is not set to the path of the program tabiya");
    const args = ["serve", "--listen", this.#address, "--data", join(this.folder, "data"), ...NO_LIMITS, ...this.options];
    const { PATH, TMPDIR } = process.env;
    const child = spawn(program, args, {
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
        const later = setTimeout(() => fail("the relay does not listen in time"), START_TIMEOUT_MS);
        child.on("error", (error) => fail(`starting the relay failed, ${error.message}`));
        child.on("exit", (code, signal) => fail(`the relay has exited, ${signal ?? code}`));
        createInterface({ input: child.stderr }).on("line", (line) => {
          this.log.push(line);
          this.livechess = / LiveChess available address=(\S+)/.exec(line)?.[1] ?? this.livechess;
          const address = / listening address=(\S+)/.exec(line)?.[1];
          if (address === undefined) return;
          this.#address = address;
          clearTimeout(later);
          resolve();
        });
      })
    );
  }

  /** Kills it without a chance to clean up. */
  async kill() {
    await this.#end("SIGKILL");
  }

  /** Asks it to shut down, and waits until it has. */
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

  /** Panics and unexpected exits. */
  failures() {
    const at = this.log.findIndex((line) => line.includes("panicked"));
    const panic = at < 0 ? [] : [`the relay has panicked: ${this.log.slice(at).join("\n")}`];
    const child = this.#process;
    const isGone = child && (child.exitCode !== null || child.signalCode !== null);
    return isGone ? [...panic, `the relay has exited: ${this.log.slice(-20).join("\n")}`] : panic;
  }

  /** Kills it, and deletes its data. */
  async discard() {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }
}
