"""An independent reader of the journal, written from docs/protocol.md, and a writer that fills a bank."""

TABLE = []
for _byte in range(256):
    for _ in range(8):
        _byte = _byte >> 1 ^ (0x82F6_3B78 if _byte & 1 else 0)
    TABLE.append(_byte)


def crc32c(data):
    value = 0xFFFF_FFFF
    for byte in data:
        value = value >> 8 ^ TABLE[(value ^ byte) & 0xFF]
    return value ^ 0xFFFF_FFFF


def frames(bank):
    """The valid frames as (offset, records), then the offset of the next frame and the last checksum."""
    if bank[:4] != b"tabj":
        return [], None, None
    found, place, check = [], 16, bank[12:16]
    while place + 16 <= len(bank) and bank[place:place + 16] != b"\xff" * 16:
        length = bank[place + 4]
        end = place + -(-(6 + length) // 16) * 16
        good = crc32c(check + bank[place + 4:end]).to_bytes(4, "little")
        if good != bank[place:place + 4]:
            break
        found.append((place, bank[place + 6:place + 6 + length]))
        check, place = good, end
    return found, place, check


def fill(bank, up_to):
    """The same bank, filled up to this many bytes by repeating its last value."""
    found, place, check = frames(bank)
    records = bytes([1, 200, 0])  # An empty value with an id that no firmware uses.
    names = [data for _, data in found if data[:1] == b"\x01"]
    if names:
        records = names[-1]
    bank = bytearray(bank)
    while True:
        body = bytes([len(records), 1]) + records
        body += bytes(-(len(body) + 4) % 16)
        if place + 4 + len(body) > up_to:
            return bytes(bank)
        check = crc32c(check + body).to_bytes(4, "little")
        bank[place:place + 4 + len(body)] = check + body
        place += 4 + len(body)
