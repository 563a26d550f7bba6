"""Duels in plain Python, one die at a time, the rules spelt out in the loop."""

from __future__ import annotations

from random import Random

from benchmarks.matchups import Tank

BAND_IN = 6
BANDS = 6
PEN_NEEDS = {2: 1, 1: 2, 0: 4, -1: 6}
"""Roll needed to penetrate, by penetration less armour; 2 stands for all above."""


def duels(tanks: tuple[Tank, Tank], range_in: int, trials: int, rounds: int, random: Random) -> list[int]:
    """Return wins of a, wins of b, duels without end and player turns."""
    counts = [0, 0, 0, 0]
    for _ in range(trials):
        winner, turns = _duel(tanks, range_in, rounds, random.random)
        counts[winner] += 1
        counts[3] += turns
    return counts


def _duel(tanks, range_in, rounds, roll):
    hp = [tanks[0].hp, tanks[1].hp]
    empty = [False, False]
    pen_needs = [PEN_NEEDS[min(tank.margin, 2)] for tank in tanks]
    distance = range_in
    for turn in range(2 * rounds):
        me, enemy = turn % 2, 1 - turn % 2
        tank = tanks[me]
        still = distance == 0 or (tank.cautious and 2 * hp[me] < tank.hp)
        if not still:
            distance = max(0, distance - tank.movement)
        if empty[me]:
            empty[me] = False
            continue
        empty[me] = tank.reloads
        # -(-x // 6) rounds up: random() and integers are several times as fast as randint() and math.ceil().
        band = min(max(-(-distance // BAND_IN), 1), BANDS)
        need = max(band, pen_needs[me])
        for _ in range(tank.dice * (tank.attacks if still else 1)):
            die = int(6 * roll()) + 1
            if still and die == need - 1:
                die = int(6 * roll()) + 1
            if die >= need:
                hp[enemy] -= tank.damage
        if hp[enemy] <= 0:
            return me, turn + 1
    return 2, 2 * rounds
