"""The network: DHCP, ping, and a game through a real relay."""

import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
import threading
import time
import urllib.request

from chipmodel.core import UNITS_PER_US
from chipmodel.network import Network
from chipmodel.player import Player

from .lab import game_of, occupied, play, us

HOST = bytes([10, 77, 0, 1])


def address(lab):
    """DHCP and ping, without a relay."""
    board = lab.board()
    network = Network(board)
    board.power_up()
    lab.expect(board.run_ms(8_000, lambda: network.leases > 0), f"an address by DHCP, {board.seconds:.2f} s after power-up")
    lab.expect(bool(network.host_name) and network.host_name.startswith("tabiya-"), f"the DHCP host name is {network.host_name!r} (H12)")
    lab.expect(bool(network.board_mac) and network.board_mac[0] & 3 == 2, "the MAC address is locally administered and unicast")
    board.run_ms(30)
    # The answer to the first ping may be lost, because the board has to resolve the host's address.
    for number in range(4):
        network.ping(number)
        board.run_ms(10)
    answers = [us(answer - asked) for asked, answer in network.pings.values() if answer]
    lab.expect(len(answers) >= 3, f"{len(answers)} of 4 pings are answered (C3)")
    lab.expect(board.eth.phy.registers[4] == 0x0101, "the PHY advertises 100 Mbit/s full duplex only (H9)")
    lab.collect(board)


def half_duplex(lab):
    """A partner without 100 Mbit/s full duplex is no link."""
    board = lab.board()
    board.eth.phy.PARTNER = 0x0021
    network = Network(board)
    board.power_up()
    board.run_ms(1_000)
    lab.expect(network.leases == 0 and board.eth.sent == 0, "a partner with 10 Mbit/s half duplex only is no link (H9)")
    lab.collect(board)


class Relay:
    """A relay of its own on the loopback address, on a free port."""

    def __init__(self, tabiya):
        self.tabiya = tabiya
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.data = tempfile.mkdtemp(prefix="tabiya-chip-")
        self.log = open(os.path.join(self.data, "log"), "w")  # noqa: SIM115
        command = [tabiya, "serve", "--listen", f"127.0.0.1:{self.port}", "--data", self.data, "--virtual-board", "off"]
        self.process = subprocess.Popen(command, stdout=self.log, stderr=self.log)
        deadline = time.time() + 60
        while time.time() < deadline:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                # `boards add` asks the relay over this socket, which comes after the port.
                if os.path.exists(os.path.join(self.data, "control.sock")):
                    return
                time.sleep(0.05)
            except OSError:
                time.sleep(0.05)
        raise RuntimeError(f"the relay does not listen: {open(os.path.join(self.data, 'log')).read()}")

    def add(self, name):
        command = [self.tabiya, "boards", "add", name, "--json", "--data", self.data]
        return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)

    def stop(self):
        self.process.terminate()
        self.process.wait(15)
        self.log.close()
        shutil.rmtree(self.data, ignore_errors=True)


def has_connected(board, ms):
    """Runs until `show` reports that the link is up."""
    for _ in range(int(ms / 250)):
        board.run_ms(200)
        if "link up" in board.command("show", 1_000):
            return True
    return False


def relay(lab, is_long=False):
    """A game through a real relay."""
    if not lab.tabiya:
        lab.note("skipped: no relay program is given (--tabiya)")
        return
    server = Relay(lab.tabiya)
    try:
        play_at(lab, server, is_long)
    finally:
        server.stop()


def lost_scans(board):
    """The number of scans for which the main loop had no room, from `stats`."""
    found = re.search(r"scans lost (\d+)", board.command("stats", 2_000))
    return int(found.group(1)) if found else None


def check_wires_for_owner(lab, server, board):
    """The self-test of the owner's page names faults of the wires."""
    answers = []

    def ask():
        body = json.dumps({"line": "selftest"}).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{server.port}/owner/boards/Model/console", body, {"content-type": "application/json"})
        answers.append(json.load(urllib.request.urlopen(request, timeout=60))["answer"])  # noqa: S310

    address = f"http://127.0.0.1:{server.port}/owner/boards/Model/state"
    software = json.load(urllib.request.urlopen(address, timeout=60))["live"]["software"]  # noqa: S310
    lab.expect("started by power-on" in software, f"the relay is told why the board started: {software}")
    board.reeds.touching = [(14, 15)]
    board.reeds.update()
    page = threading.Thread(target=ask)
    page.start()
    board.run_ms(20_000, lambda: not page.is_alive())
    page.join()
    lab.expect(bool(answers) and answers[0].endswith("journal good\r\nfile g touches file h\r\n"), f"the owner's page is told of the fault: {answers}")
    board.reeds.touching = []
    board.reeds.update()


def play_at(lab, server, is_long):
    paired = server.add("Model")
    board = lab.board()
    network = Network(board)
    network.names["relay.home"] = HOST
    board.power_up()
    board.run_ms(8_000, lambda: network.leases > 0)
    lab.expect("done" in board.command(f"set relay ws://relay.home:{server.port}"), "`set relay` with a host name")
    lab.expect("done" in board.command("set key " + paired["key"]), "`set key`")
    lab.expect(has_connected(board, 20_000), f"the link is up at {board.seconds:.2f} s (DNS, TCP, WebSocket, Noise)")
    anna = Player(server.port, "anna", paired["code"])
    board.run_ms(300, lambda: any(message["type"] == "start" for message in anna.messages()))

    def has_piece(index, piece):
        return lambda: any(message.get("type") == "game_state" and message["board"][index] == piece for message in anna.messages())

    board.run_ms(100)
    board.reeds.lift("e2")
    board.run_ms(250)
    moment = board.core.now
    board.reeds.place("e4")
    arrived = board.run_ms(3_000, has_piece(36, 1))
    lab.expect(arrived, f"e2e4 on the reeds reaches the opponent {us(board.core.now - moment) / 1000:.1f} ms after the piece was placed")
    anna.send(type="move", start="e7", end="e5")
    lit = board.run_ms(3_000, lambda: {"e5", "e7"} <= set(board.strip.lit()))
    lab.expect(lit, f"the answer e7e5 is lit: {board.strip.lit()}")
    play(board, "e7e5")
    if is_long:
        disturb(lab, board, anna, has_piece)
    placement, plies = game_of(board)
    lab.expect(plies == (5 if is_long else 2) and occupied(placement) == board.reeds.closed, f"the board's game has {plies} plies")
    check_wires_for_owner(lab, server, board)
    lost = lost_scans(board)
    lab.expect(lost == 0, f"{lost} scans are lost from power-up to the end of the game, handshake included")
    lab.note(f"Ethernet frames sent {board.eth.sent}, received {board.eth.received}; TCP segments resent by the host {network.resent}")
    lab.collect(board)
    if is_long:
        again = lab.board(journal=bytes(board.flash.bytes), pieces=board.reeds.closed)
        network = Network(again)
        network.names["relay.home"] = HOST
        again.power_up()
        lab.expect(has_connected(again, 20_000), f"after a power cut the link is up at {again.seconds:.2f} s")
        anna.send(type="move", start="g8", end="f6")
        lab.expect(again.run_ms(6_000, lambda: "f6" in again.strip.lit()), "the opponent's next move is lit")
        play(again, "g8f6")
        lab.expect(game_of(again)[1] == 6, "and the game goes on")
        lab.collect(again)
    anna.close()


def disturb(lab, board, anna, has_piece):
    """A pulled cable, and bursts of broadcasts."""
    board.eth.phy.plugged = False
    board.run_ms(1_500)
    board.eth.phy.plugged = True
    board.eth.phy.agreed_at = board.core.now + 1_500_000 * UNITS_PER_US
    board.reeds.lift("g1")
    board.run_ms(300)
    board.reeds.place("f3")
    lab.expect(board.run_ms(40_000, has_piece(45, 3)), f"g1f3, made without a cable, arrives after it is plugged in, at {board.seconds:.1f} s")
    anna.send(type="move", start="b8", end="c6")
    board.run_ms(3_000, lambda: "c6" in board.strip.lit())
    play(board, "b8c6")
    scans, taken, dropped = len(board.reeds.scans), board.eth.received, board.eth.dropped
    noise = b"\xff" * 6 + bytes.fromhex("020000000099") + b"\x88\xb5" + bytes(300)
    for burst in range(30):
        for number in range(12):
            board.core.after_us(burst * 10_000 + number * 27, lambda: board.eth.deliver(noise))
    board.run_ms(300)
    count = len(board.reeds.scans) - scans
    lab.expect(count > 290, f"30 bursts of 12 broadcasts: {board.eth.received - taken} received, {board.eth.dropped - dropped} dropped, {count} scans")
    play(board, "f1c4")
    lab.expect(board.run_ms(3_000, has_piece(34, 4)), "and then f1c4 arrives")
