"""Executes a firmware image in the model of its chip, and checks it.

    python -m checks --board nucleo --elf IMAGE [--metapac CRATE] [--tabiya PROGRAM] [--long] [--figures FILE] [CHECK ...]

The quick checks run in every test run; `--long` adds the others. The exit status is 1 if a check fails, or if the image violates a
rule of the chip in any of them.
"""

import argparse
import faulthandler
import json
import sys
import time
import traceback

from chipmodel.chips import CHIPS
from chipmodel.image import Image

from . import computer, console, faults, journal, network, reeds_and_lights, start, violations
from .lab import Lab, deadline

# What the quick checks of a board may take. It is processor time, so that a busy machine fails no check.
QUICK_LIMIT_S = 240

# A check that takes longer than this on the clock hangs: it fails, and the next one runs. If it does not let itself be interrupted, the
# whole run ends after the grace, and prints where it was.
QUICK_DEADLINE_S, LONG_DEADLINE_S = 300, 1_800
GRACE_S = 60

# Name, check, and its arguments in the long version.
QUICK = {
    "nucleo": {
        "first-start": start.first_start,
        "clocks": start.clocks,
        "button": start.button,
        "scan": reeds_and_lights.scan,
        "lights": reeds_and_lights.lights,
        "computer": computer.computer,
        "console": console.console,
        "typed-in-an-erase": console.typed_in_an_erase,
        "journal-first-start": journal.first_starts,
        "journal-moves": journal.moves,
        "address": network.address,
        "relay": network.relay,
        "watchdog": faults.watchdog,
        "hard-fault": faults.hard_fault,
        "no-phy": faults.no_phy,
        "blocked-log": faults.blocked_log,
        "stopped-scans": violations.stopped_scans,
        "unknown-registers": violations.unknown_registers,
        "hanging-check": violations.hanging_check,
    },
    "nucleo-f429": {
        "first-start": start.first_start,
        "clocks": start.clocks,
        "lights": lambda lab: reeds_and_lights.lights(lab, lifts=2),
        "computer": lambda lab: computer.computer(lab, lifts=1),
        "console": console.console,
        "address": network.address,
        "relay": network.relay,
        "no-phy": faults.no_phy,
        "stopped-scans": violations.stopped_scans,
        "unknown-registers": violations.unknown_registers,
    },
}

LONG = {
    "first-start": start.first_start,
    "clocks": start.clocks,
    "button": start.button,
    "scan": lambda lab: reeds_and_lights.scan(lab, seconds=2),
    "slow-wires": reeds_and_lights.slow_wires,
    "lights": lambda lab: reeds_and_lights.lights(lab, lifts=40),
    "computer": lambda lab: computer.computer(lab, lifts=20),
    "latency": computer.latency,
    "console": console.console,
    "typed-in-an-erase": console.typed_in_an_erase,
    "journal-first-start": lambda lab: journal.first_starts(lab, cuts=4),
    "journal-moves": lambda lab: journal.moves(lab, cuts=24),
    "journal-full-banks": journal.full_banks,
    "address": network.address,
    "half-duplex": network.half_duplex,
    "relay": lambda lab: network.relay(lab, is_long=True),
    "watchdog": faults.watchdog,
    "hard-fault": faults.hard_fault,
    "no-phy": faults.no_phy,
    "blocked-log": faults.blocked_log,
    "fast-oscillator": faults.fast_oscillator,
    "two-banks": faults.two_banks,
    "random-seed-error": faults.random_seed_error,
    "stopped-scans": violations.stopped_scans,
    "unknown-registers": violations.unknown_registers,
    "hanging-check": violations.hanging_check,
}


def main():
    parser = argparse.ArgumentParser(prog="checks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--board", choices=sorted(CHIPS), required=True, help="the board that the image is for")
    parser.add_argument("--elf", required=True, help="the image")
    parser.add_argument("--metapac", help="folder of the crate stm32-metapac, to compare the registers with")
    parser.add_argument("--tabiya", help="the relay program, for the check with a relay")
    parser.add_argument("--long", action="store_true", help="run all checks, with more repetitions")
    parser.add_argument("--figures", help="write the measured figures to this file, as JSON")
    parser.add_argument("--seed", type=int, default=1, help="seed of the random numbers")
    parser.add_argument("checks", nargs="*", metavar="CHECK", help="run only these")
    options = parser.parse_args()
    checks = LONG if options.long else QUICK[options.board]
    unknown = [name for name in options.checks if name not in checks]
    if unknown:
        parser.error(f"no check {', '.join(unknown)}; there are {', '.join(checks)}")
    lab = Lab(Image(options.elf), CHIPS[options.board], options.seed, options.tabiya)
    if options.metapac:
        print(f"{options.board} registers", flush=True)
        start.registers(lab, options.metapac)
    begun, costs = time.time(), {}
    limit_s = LONG_DEADLINE_S if options.long else QUICK_DEADLINE_S
    for name, check in checks.items():
        if options.checks and name not in options.checks:
            continue
        check_begun, cpu_begun = time.time(), time.process_time()
        print(f"{options.board} {name}", flush=True)
        faulthandler.dump_traceback_later(limit_s + GRACE_S, exit=True)
        try:
            with deadline(limit_s):
                check(lab)
        except Exception as problem:  # noqa: BLE001
            traceback.print_exc(limit=-3, file=sys.stdout)
            lab.expect(False, f"{name}: {type(problem).__name__}: {problem}")
        faulthandler.cancel_dump_traceback_later()
        costs[name] = time.process_time() - cpu_begun
        print(f"    ({time.time() - check_begun:.1f} s)", flush=True)
    if options.figures:
        with open(options.figures, "w", encoding="utf-8") as file:
            json.dump(lab.figures, file)
    used = sum(costs.values())
    if not options.long and used > QUICK_LIMIT_S:
        slowest = max(costs, key=costs.get)
        lab.expect(False, f"the quick checks took {used:.0f} s of the processor, limit {QUICK_LIMIT_S} s; the slowest is {slowest} with {costs[slowest]:.0f} s")
    result = f"{len(lab.failures)} failed: " + "; ".join(lab.failures) if lab.failures else "all checks passed"
    print(f"{options.board}: {result}, {time.time() - begun:.0f} s, of them {used:.0f} s of the processor", flush=True)
    return bool(lab.failures)


if __name__ == "__main__":
    sys.exit(main())
