"""The other end of the network cable: a host with DHCP, ARP, ping and DNS, which forwards TCP connections to this machine's
loopback address, where a real relay may listen. Packets stay in this process, so it needs no rights.
"""

import select
import socket
import struct

HOST_MAC = bytes.fromhex("02000a4d0001")
HOST, BOARD = bytes([10, 77, 0, 1]), bytes([10, 77, 0, 2])
MASK = bytes([255, 255, 255, 0])
FIN, SYN, RST, PSH, ACK = 1, 2, 4, 8, 16
LATENCY_US = 20
RETRY_US = 300_000
SEGMENT = 1200


def checksum(data):
    if len(data) % 2:
        data += b"\0"
    total = sum(struct.unpack(f">{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


class Connection:
    """A TCP connection of the board, and the socket that it is forwarded to."""

    def __init__(self, network, key, sequence, window, mss):
        self.network, self.key = network, key
        self.received = sequence + 1 & 0xFFFF_FFFF  # The next expected sequence number.
        self.sent = self.acked = network.core.random.getrandbits(32)
        self.window, self.mss = window, min(mss, SEGMENT)
        self.out = b""                           # Unacknowledged and unsent data.
        self.state = "calling"
        self.closing = False
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self.socket.setblocking(False)
        self.socket.connect_ex(("127.0.0.1", network.forward.get(key[1], key[1])))
        self.retry = None
        self.pending = b""

    def segment(self, flags, data=b"", sequence=None):
        board_port, host_port = self.key
        number = self.sent if sequence is None else sequence
        options = struct.pack(">BBH", 2, 4, 1460) if flags & SYN else b""
        header = struct.pack(">HHIIBBHHH", host_port, board_port, number, self.received, (20 + len(options)) // 4 << 4, flags, 32768,
                             0, 0) + options
        pseudo = HOST + BOARD + struct.pack(">BBH", 0, 6, len(header) + len(data))
        header = header[:16] + struct.pack(">H", checksum(pseudo + header + data)) + header[18:]
        self.network.send_ip(6, header + data)

    def poll(self):
        """Copies data between the socket and the board."""
        if self.state == "calling":
            _, writable, failed = select.select([], [self.socket], [self.socket], 0)
            if not writable and not failed:
                return
            if self.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
                self.segment(RST | ACK)
                self.end()
                return
            self.state = "greeted"
            self.segment(SYN | ACK)
            self.sent = self.sent + 1 & 0xFFFF_FFFF
            self.arm()
            return
        if self.state != "open":
            return
        if self.pending:
            try:
                count = self.socket.send(self.pending)
                self.pending = self.pending[count:]
            except BlockingIOError:
                pass
            except OSError:
                self.segment(RST | ACK)
                self.end()
                return
        if not self.closing and len(self.out) < 8192:
            try:
                data = self.socket.recv(4096)
                if data:
                    self.out += data
                else:
                    self.closing = True
            except BlockingIOError:
                pass
            except OSError:
                self.segment(RST | ACK)
                self.end()
                return
        self.push()

    def push(self):
        """Sends data for which the board has room."""
        while True:
            flying = self.sent - self.acked & 0xFFFF_FFFF
            data = self.out[flying:flying + min(self.mss, max(0, self.window - flying))]
            if not data:
                break
            self.segment(ACK | PSH, data)
            self.network.given.append((self.network.core.now, len(data)))
            self.sent = self.sent + len(data) & 0xFFFF_FFFF
            self.arm()
        if self.closing and self.sent - self.acked & 0xFFFF_FFFF == len(self.out) and self.state == "open":
            self.state = "closed"
            self.segment(FIN | ACK)
            self.sent = self.sent + 1 & 0xFFFF_FFFF

    def arm(self):
        if self.retry is None:
            self.retry = self.network.core.after_us(RETRY_US, self.again)

    def again(self):
        self.retry = None
        if self.network.connections.get(self.key) is not self or self.sent == self.acked:
            return
        if self.state == "greeted":
            self.segment(SYN | ACK, sequence=self.acked)
        else:
            self.network.resent += 1
            self.segment(ACK | PSH, self.out[:self.mss], sequence=self.acked)
        self.arm()

    def receive(self, flags, sequence, acknowledged, window, data):
        if flags & RST:
            self.end()
            return
        self.window = window
        if flags & ACK:
            fresh = acknowledged - self.acked & 0xFFFF_FFFF
            if fresh <= (self.sent - self.acked & 0xFFFF_FFFF):
                self.acked = acknowledged
                if self.state == "greeted" and fresh:
                    self.state = "open"
                    fresh -= 1
                self.out = self.out[fresh:]
                if self.sent == self.acked and self.retry is not None:
                    self.network.core.cancel(self.retry)
                    self.retry = None
        if data or flags & FIN:
            if sequence == self.received:
                self.received = self.received + len(data) & 0xFFFF_FFFF
                self.pending += data
                if data:
                    self.network.taken.append((self.network.core.now, len(data)))
                if flags & FIN:
                    self.received = self.received + 1 & 0xFFFF_FFFF
                    self.segment(ACK)
                    self.poll()
                    self.segment(FIN | ACK)
                    self.end()
                    return
            self.segment(ACK)
        if self.state == "open":
            self.poll()

    def end(self):
        self.socket.close()
        self.network.core.cancel(self.retry)
        self.network.connections.pop(self.key, None)


class Network:
    """The host."""

    def __init__(self, board, forward=None):
        self.board, self.core, self.eth = board, board.core, board.eth
        self.eth.wire = self.receive
        self.forward = forward or {}
        self.board_mac = None
        self.names = {}
        self.events = []
        self.connections = {}
        self.resent = 0
        self.taken = []  # When data of TCP arrived from the board, and how much.
        self.given = []  # When data of TCP was sent to the board, and how much.
        self.pings = {}
        self.leases = 0
        self.host_name = None
        self.lose = lambda frame: False
        self.core.on_reset.append(self.started)
        self.started(None)

    def started(self, _reason):
        for connection in list(self.connections.values()):
            connection.end()
        self.core.after_us(1_000, self.tick)

    def note(self, text):
        self.events.append((self.core.now, text))

    def tick(self):
        for connection in list(self.connections.values()):
            connection.poll()
        self.core.after_us(1_000, self.tick)

    def send(self, target, kind, payload):
        frame = target + HOST_MAC + struct.pack(">H", kind) + payload
        if not self.lose(frame):
            self.core.after_us(LATENCY_US + len(frame) * 0.08, lambda: self.eth.deliver(frame))

    def send_ip(self, protocol, payload, target=BOARD, mac=None):
        header = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(payload), 0, 0x4000, 64, protocol, 0, HOST, target)
        header = header[:10] + struct.pack(">H", checksum(header)) + header[12:]
        self.send(mac or self.board_mac, 0x0800, header + payload)

    def send_udp(self, source, port, payload, **where):
        # A checksum of 0 means none.
        self.send_ip(17, struct.pack(">HHHH", source, port, 8 + len(payload), 0) + payload, **where)

    def ping(self, number):
        self.pings[number] = [self.core.now, None]
        message = struct.pack(">BBHHH", 8, 0, 0, 0x7AB1, number) + bytes(range(32))
        message = message[:2] + struct.pack(">H", checksum(message)) + message[4:]
        self.send_ip(1, message)

    def receive(self, frame):
        source, (kind,) = frame[6:12], struct.unpack(">H", frame[12:14])
        self.board_mac = source
        if kind == 0x0806:
            self.receive_arp(frame[14:42])
        elif kind == 0x0800:
            length, = struct.unpack(">H", frame[16:18])
            packet = frame[14:14 + length]
            if checksum(packet[:20]):
                self.core.violation("an IP header with a wrong checksum was sent")
            self.receive_ip(packet)

    def receive_arp(self, packet):
        operation, = struct.unpack(">H", packet[6:8])
        if operation == 1 and packet[24:28] == HOST:
            reply = packet[:6] + struct.pack(">H", 2) + HOST_MAC + HOST + packet[8:18]
            self.send(packet[8:14], 0x0806, reply)

    def receive_ip(self, packet):
        protocol, target, payload = packet[9], packet[16:20], packet[20:]
        if protocol == 17:
            source, port = struct.unpack(">HH", payload[:4])
            if port == 67:
                self.receive_dhcp(payload[8:])
            elif port == 53 and target == HOST:
                self.receive_dns(source, payload[8:])
        elif protocol == 1 and target == HOST:
            if payload[0] == 8:
                message = b"\0" + payload[1:2] + b"\0\0" + payload[4:]
                self.send_ip(1, message[:2] + struct.pack(">H", checksum(message)) + message[4:])
            elif payload[0] == 0:
                number, = struct.unpack(">H", payload[6:8])
                if number in self.pings:
                    self.pings[number][1] = self.core.now
        elif protocol == 6 and target == HOST:
            self.receive_tcp(payload)

    def receive_dhcp(self, message):
        transaction, hardware = message[4:8], message[28:34]
        options, place = {}, 240
        while place < len(message) and message[place] != 255:
            if message[place] == 0:
                place += 1
                continue
            options[message[place]] = message[place + 2:place + 2 + message[place + 1]]
            place += 2 + message[place + 1]
        kind = options.get(53, b"\0")[0]
        self.host_name = options.get(12, b"").decode()
        answer = {1: 2, 3: 5}.get(kind)
        self.note(f"DHCP {({1: 'DISCOVER', 3: 'REQUEST', 7: 'RELEASE'}).get(kind, kind)} from {hardware.hex(':')}")
        if answer is None:
            return
        self.leases += answer == 5
        reply = struct.pack(">BBBB", 2, 1, 6, 0) + transaction + bytes(8) + BOARD + HOST + bytes(4) + hardware + bytes(10 + 192)
        reply += bytes.fromhex("63825363") + bytes([53, 1, answer, 54, 4]) + HOST + bytes([51, 4]) + struct.pack(">I", 3600)
        reply += bytes([1, 4]) + MASK + bytes([3, 4]) + HOST + bytes([6, 4]) + HOST + b"\xff"
        self.send_udp(67, 68, reply, target=BOARD, mac=hardware)

    def receive_dns(self, source, query):
        labels, place = [], 12
        while query[place]:
            labels.append(query[place + 1:place + 1 + query[place]].decode())
            place += 1 + query[place]
        name = ".".join(labels)
        self.note(f"DNS query for {name}")
        address = self.names.get(name)
        header = query[:2] + struct.pack(">HHHHH", 0x8180 if address else 0x8183, 1, 1 if address else 0, 0, 0)
        answer = header + query[12:place + 5]
        if address:
            answer += b"\xc0\x0c" + struct.pack(">HHIH", 1, 1, 60, 4) + address
        self.send_udp(53, source, answer)

    def receive_tcp(self, payload):
        board_port, host_port, sequence, acknowledged = struct.unpack(">HHII", payload[:12])
        start, flags = payload[12] >> 4 << 2, payload[13]
        window, = struct.unpack(">H", payload[14:16])
        if checksum(BOARD + HOST + struct.pack(">BBH", 0, 6, len(payload)) + payload):
            self.core.violation("a TCP segment with a wrong checksum was sent")
            return
        key = board_port, host_port
        connection = self.connections.get(key)
        if flags & SYN and not flags & ACK:
            if connection is None:
                mss, place = 536, 20
                while place < start and payload[place]:
                    if payload[place] == 1:
                        place += 1
                        continue
                    if payload[place] == 2:
                        mss, = struct.unpack(">H", payload[place + 2:place + 4])
                    place += payload[place + 1]
                self.note(f"TCP connection to port {host_port}")
                self.connections[key] = Connection(self, key, sequence, window, mss)
            return
        if connection is None:
            if not flags & RST:
                header = struct.pack(">HHIIBBHHH", host_port, board_port, acknowledged, 0, 0x50, RST, 0, 0, 0)
                pseudo = HOST + BOARD + struct.pack(">BBH", 0, 6, len(header))
                self.send_ip(6, header[:16] + struct.pack(">H", checksum(pseudo + header)) + header[18:])
            return
        connection.receive(flags, sequence, acknowledged, window, payload[start:])
