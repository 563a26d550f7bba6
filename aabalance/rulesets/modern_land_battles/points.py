"""The points that the rulebook leaves open, as the interpretation numbers them, and how each is read here."""

from __future__ import annotations

from aabalance.rulesets.base import Point

POINTS = (
    Point(
        "M-1",
        "Example of Play",
        "A modified 4, 7, 6, 2 at 6+ is said to succeed three times",
        "The numbers are the natural dice; the modifier comes on top: 7, 10, 9, 5",
    ),
    Point(
        "M-2",
        "Example of Play",
        "Two Superior counters are placed, one is named later",
        "A slip; counters stay until enemy successes discard them",
    ),
    Point(
        "M-3",
        "Action Card Details, Quick Reference",
        "No Action: no Acted counter, or no Action used",
        "Both",
    ),
    Point(
        "M-4",
        "Action Card Details, Act Defense Cards",
        "Every defense card makes a Force card act, or only those that say Act",
        "Only those; Cover, Counter Fire, Minefield and Screening Force need no Force card",
    ),
    Point(
        "M-5",
        "Determining Range",
        "Missiles from Row 2 to Row 2 are 3 Rows away",
        "The explicit rule for Missiles replaces the count of Rows",
    ),
    Point(
        "M-6",
        "Component Overview: Dice",
        "Whether a natural 10 or 1 is special",
        "Neither is",
        ("d10_natural_rules",),
    ),
    Point(
        "M-7",
        "Superior Counters, Artillery Attack",
        "Needs of 1 and less or above 10",
        "Modifiers have no limit: certain, and impossible",
    ),
    Point(
        "M-8",
        "Action Cards: Close Air Support",
        "Whether it interrupts the attack it reacts to",
        "It comes after the attack, which stands",
    ),
    Point("M-9", "Damaging a Force Card", "Hits beyond the fourth", "They are ignored"),
    Point(
        "M-10",
        "Damaging a Force Card",
        "Extra dice of an attacker that has suffered Hits",
        "4, less a die for each Hit, plus the extra die",
    ),
    Point(
        "M-11",
        "Losing",
        "The last card leaves the Breakthrough Area to attack elsewhere",
        "Its player loses at once",
    ),
    Point(
        "M-12",
        "Action Card Details",
        "The icons and numbers of the Action cards are not in the text",
        "What the detailed rules and examples say; the modifiers that they don't name are arguments",
    ),
    Point(
        "M-13",
        "Winning",
        "25 points for both at once",
        "It can't happen, as Actions alternate",
    ),
    Point(
        "M-14",
        "How to Attack",
        "Which attack and which cards a player chooses",
        "The Attack symbol of largest mean effect, and Action and reaction cards as the situation says",
    ),
)
