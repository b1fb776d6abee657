"""The serial console."""

import re

from .lab import started

PAIRING = b"set relay ws://192.168.178.20:8080\rset key " + b"0123456789abcdef" * 4 + b"\rset name Kitchen table\rshow\r"


def paste(board, data, prompts, ms=3_000):
    """Types bytes at full speed, and runs until this many prompts have come. Returns the output and the seconds."""
    before, begun, resets = len(board.usart.shown), board.seconds, len(board.core.resets)
    board.usart.type(data)
    board.run_ms(ms, lambda: len(board.core.resets) > resets or board.usart.shown[before:].count(b"> ") >= prompts)
    return board.usart.shown[before:].decode(errors="replace"), board.seconds - begun


def console(lab):
    """Long answers, pasted lines, settings over a reboot."""
    board = lab.board()
    board.power_up()
    started(board)
    text = board.command("help", 1_000)
    lab.expect(text.count("\r\n") >= 15 and "reboot" in text, f"`help` has {text.count(chr(10))} lines (C1)")
    lab.expect("0 to 255" in board.command("set brightness 400"), "`set brightness 400` is refused")
    text, seconds = paste(board, b"stats\r" * 3, 3)
    lab.expect(text.count("last failure") == 3, f"three times `stats`, pasted: {text.count('last failure')} answers in {seconds:.2f} s (C2)")
    text, seconds = paste(board, PAIRING, 4)
    lab.expect(text.count("> ") == 4 and "Kitchen table" in text, f"relay, key, name and `show`, pasted: {text.count('> ')} answers in {seconds:.2f} s (C2)")
    lab.expect("0123456789abcdef" not in text, "the key is not shown")
    lab.expect(board.usart.lost == 0, "no byte is lost while the journal is written (H12)")
    # A rank of diodes the wrong way round.
    board.reeds.closed = board.reeds.backwards = 0xFF << 24
    board.reeds.update()
    board.run_ms(60)
    text, seconds = paste(board, b"selftest\r", 1)
    lab.expect(text.count("wrong way round") == 8, f"`selftest` with eight reversed diodes: {text.count('wrong way round')} found in {seconds:.2f} s (C2)")
    board.reeds.closed, board.reeds.backwards = 0xFFFF_0000_0000_FFFF, 0
    board.reeds.update()
    before = len(board.core.resets)
    board.usart.type(b"reboot\r")
    board.run_ms(50)
    started(board)
    lab.expect([reason for _, reason in board.core.resets[before:]] == ["software"], "`reboot` resets the board")
    text = board.command("show", 1_000)
    lab.expect("Kitchen table" in text, "the name survives the reboot")
    text = board.command("stats", 1_000)
    lab.expect("started by software reset" in text and re.search(r"starts so far: power-on \d+, software reset 1", text) is not None, "`stats` counts the software reset (H5)")
    lab.collect(board, resets=["software"])


def typed_in_an_erase(lab):
    """Bytes that are typed while a sector is erased are read by DMA."""
    board = lab.board(fresh=True)
    board.power_up()
    board.run_ms(20_000, lambda: bool(board.flash.erases))
    board.core.after_us(500_000, lambda: board.usart.type(b"stats\r"))
    board.run_ms(6_000, lambda: b"last failure" in board.usart.shown)
    lab.expect(board.usart.lost == 0 and b"last failure" in board.usart.shown, f"a command typed in an erase is answered, {board.usart.lost} bytes lost (H12)")
    lab.collect(board)
