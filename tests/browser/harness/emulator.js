// The firmware in an emulator, with its own relay and a page for its pieces: what `cargo xtask qemu --panel` starts.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { access, constants, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";

/** Enough for a slow machine under load. */
const BOOT_TIMEOUT_MS = 90_000;

/** The lines with which it announces its relay, its code and its page. */
const ANNOUNCEMENTS = {
  relay: /^The relay: (http:\S+?)\/?$/,
  code: /^To play against the board: \S+\/g\/(\w+)$/,
  panel: /^The .*board.*: (http:\S+?)\/board$/,
};

export class Emulator {
  /** @type {import("node:child_process").ChildProcess | null} */ #process = null;
  /** @type {string[]} Its output, with the firmware's log. */ log = [];
  relay = "";
  code = "";
  panel = "";

  /** @param {string} folder */
  constructor(folder) {
    this.folder = folder;
  }

  /** Boots it, and waits until its page is served. */
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
    if (!TABIYA_PROGRAM) throw new Error("TABIYA_PROGRAM is not set to the path of the program tabiya");
    if (!TABIYA_MPS2_IMAGE) {
      throw new Error("TABIYA_MPS2_IMAGE is not set to the path of the emulated board's firmware; `cargo xtask test` builds it and sets it");
    }
    // Cargo puts it beside the other programs of the tests.
    const emulate = join(dirname(TABIYA_PROGRAM), "emulate");
    await access(emulate, constants.X_OK).catch(() => {
      throw new Error(`there is no ${emulate}; \`cargo build --package tests --bins\` builds it`);
    });
    // Its child processes are in its process group, and their files in the folder.
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
        const later = setTimeout(() => fail("the emulator does not announce its page in time"), BOOT_TIMEOUT_MS);
        child.on("error", (error) => fail(`starting the emulator failed, ${error.message}`));
        child.on("exit", (code, signal) => fail(`the emulator has exited, ${signal ?? code}`));
        const read = (/** @type {string} */ line) => {
          this.log.push(line);
          for (const [name, pattern] of Object.entries(ANNOUNCEMENTS)) {
            const value = pattern.exec(line)?.[1];
            if (value) this[/** @type {keyof typeof ANNOUNCEMENTS} */ (name)] = value;
          }
          if (!this.relay || !this.code || !this.panel) return;
          clearTimeout(later);
          resolve();
        };
        createInterface({ input: child.stdout }).on("line", read);
        createInterface({ input: child.stderr }).on("line", read);
      })
    );
  }

  #kill = () => {
    const child = this.#process;
    if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return;
    process.kill(-child.pid, "SIGKILL");
  };

  /** Kills it, and deletes its data. */
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
