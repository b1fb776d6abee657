// The firmware in an emulator, with a relay of its own and its wood on a page: what `cargo xtask qemu --panel` starts.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { access, constants, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";

/** Long enough for a slow and busy machine. */
const PATIENCE_MS = 90_000;

/** What it says when it is there: where its relay is, where one plays against it, and where its wood is. */
const SAYINGS = {
  relay: /^The relay: (http:\S+?)\/?$/,
  code: /^To play against the board: \S+\/g\/(\w+)$/,
  panel: /^The .*board.*: (http:\S+?)\/board$/,
};

export class Emulator {
  /** @type {import("node:child_process").ChildProcess | null} */ #process = null;
  /** @type {string[]} What it has said: the firmware's log, too. */ log = [];
  relay = "";
  code = "";
  panel = "";

  /** @param {string} folder */
  constructor(folder) {
    this.folder = folder;
  }

  /** Boots it, and waits until its wood can be seen. */
  static async start() {
    const emulator = new Emulator(await mkdtemp(join(tmpdir(), "tabiya-emulator-")));
    try {
      await emulator.#boot();
    } catch (error) {
      await emulator.discard();
      throw error;
    }
    return emulator;
  }

  async #boot() {
    const { PATH, TABIYA_PROGRAM, TABIYA_MPS2_IMAGE } = process.env;
    if (!TABIYA_PROGRAM) throw new Error("TABIYA_PROGRAM does not say where the program tabiya is");
    if (!TABIYA_MPS2_IMAGE) {
      throw new Error("TABIYA_MPS2_IMAGE does not say where the emulated board's firmware is; `cargo xtask test` builds it and says so");
    }
    // It is built together with the other programs of the tests.
    const emulate = join(dirname(TABIYA_PROGRAM), "emulate");
    await access(emulate, constants.X_OK).catch(() => {
      throw new Error(`there is no ${emulate}; \`cargo build --package tests --bins\` builds it`);
    });
    // It starts other programs, which end with its group. What they leave behind is in the folder.
    const child = spawn(emulate, [TABIYA_MPS2_IMAGE, "--own-relay", "--panel", "live-on"], {
      cwd: this.folder,
      env: { ...(PATH && { PATH }), TMPDIR: this.folder, TABIYA_PROGRAM, RUST_BACKTRACE: "1" },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    this.#process = child;
    process.once("exit", this.#kill);
    await /** @type {Promise<void>} */ (
      new Promise((resolve, reject) => {
        const fail = (/** @type {string} */ why) => {
          clearTimeout(later);
          reject(new Error(`${why}:\n${this.log.join("\n")}`));
        };
        const later = setTimeout(() => fail("the emulator does not say where its wood is"), PATIENCE_MS);
        child.on("error", (error) => fail(`the emulator does not start, ${error.message}`));
        child.on("exit", (code, signal) => fail(`the emulator has ended, ${signal ?? code}`));
        const hear = (/** @type {string} */ line) => {
          this.log.push(line);
          for (const [name, saying] of Object.entries(SAYINGS)) {
            const said = saying.exec(line)?.[1];
            if (said) this[/** @type {keyof typeof SAYINGS} */ (name)] = said;
          }
          if (!this.relay || !this.code || !this.panel) return;
          clearTimeout(later);
          resolve();
        };
        createInterface({ input: child.stdout }).on("line", hear);
        createInterface({ input: child.stderr }).on("line", hear);
      })
    );
  }

  #kill = () => {
    const child = this.#process;
    if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return;
    process.kill(-child.pid, "SIGKILL");
  };

  /** Pulls all plugs, and forgets everything. */
  async discard() {
    const child = this.#process;
    const ended = child?.pid && child.exitCode === null && child.signalCode === null ? once(child, "exit") : null;
    this.#kill();
    await ended;
    this.#process = null;
    process.removeListener("exit", this.#kill);
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
