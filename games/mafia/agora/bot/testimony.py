"""Statements of a bot of Agoran Mafia: claims, counter-claims, facts behind its votes."""

from collections.abc import Iterator
from random import Random
from typing import Final

from games.mafia.agora.bot.beliefs import Beliefs
from games.mafia.agora.bot.lines import (
    BY_A_VERDICT,
    CLEAN,
    CLEAN_AGAIN,
    COUNTERED,
    COUNTERED_AND_ACCUSED,
    DEFENCES,
    FOUND,
    FOUND_AGAIN,
    LEARNED_MAFIA,
    LEARNED_TOWN,
    SPARED_MAFIA,
    TWO_STARS,
    VOTED_FOR_TOWN,
)  # fmt: skip
from games.mafia.agora.rules.roles import MAFIA, Role
from games.mafia.common.bot.lines import AGAINST_ME, NO_VOTE, OF_TODAY, SILENT

#: Sentences, and the other seats that they name by their places.
Reason = tuple[tuple[str, ...], dict[str, int]]
#: The share of a day before which nobody is called silent.
EARLY: Final = 0.35


def testimony(known: Beliefs, chance: Random) -> str | None:
    """Return a claim that the bot makes now, None if it has none to make."""
    if known.mafia:
        said = _bluff(known, chance)
    elif known.role == Role.SHERIFF:
        said = _of_the_sheriff(known, chance)
    elif known.role == Role.DETECTIVE:
        said = _of_the_detective(known, chance)
    else:
        said = None
    return said or _defence(known, chance)


def _of_the_sheriff(known: Beliefs, chance: Random) -> str | None:
    """Tell the files that were read, and answer a false claim."""
    has_claimed = known.claims.roles.get(known.seat) == Role.SHERIFF
    rivals = [no for no in known.sheriffs if no != known.seat and no in known.alive]
    urge = known.wits.claims * (3 if known.is_last_chance else 1)
    if not has_claimed and not known.is_bold(urge) and not known.pressure():
        return None
    if not has_claimed and rivals:
        return known.statement(COUNTERED, chance, name=known.names[rivals[0]])
    told = {about for author, about in known.claims.verdicts if author == known.seat}
    fresh = [no for no in known.read if no in known.others and no not in told]
    if not fresh:
        return None
    about = max(fresh, key=lambda no: known.read[no])
    kind: tuple[str, ...]
    if known.read[about]:
        kind = FOUND_AGAIN if has_claimed else FOUND
    else:
        kind = CLEAN_AGAIN if has_claimed else CLEAN
    return known.statement(kind, chance, name=known.names[about])


def _of_the_detective(known: Beliefs, chance: Random) -> str | None:
    """Tell the role of the one who was lynched yesterday, where nobody sees it."""
    dead = known.lynched
    role = dict(known.you["learned"]).get(dead)
    if role is None or known.game["reveal_on_death"] or chance.random() > known.wits.claims / 2:
        return None
    kind = LEARNED_MAFIA if role in MAFIA else LEARNED_TOWN
    return known.statement(kind, chance, name=known.names[dead])  # type: ignore[index]


def _bluff(known: Beliefs, chance: Random) -> str | None:
    """Accused by a sheriff, or with a mate who is, claim the star and accuse that sheriff."""
    if not known.is_bold(known.bluffs) or known.seat in known.claims.roles:
        return None
    for (author, about), is_mafia in known.claims.verdicts.items():
        is_true = author in known.sheriffs and author not in known.mafia
        if is_mafia and about == known.seat and is_true and author in known.alive:
            texts = (*COUNTERED, *COUNTERED_AND_ACCUSED)
            return known.statement(texts, chance, name=known.names[author])
    rivals = [no for no in known.sheriffs if no in known.alive]
    if len(known.mafia) == 1 and rivals:
        return known.statement(COUNTERED, chance, name=known.names[rivals[0]])
    return None


def _defence(known: Beliefs, chance: Random) -> str | None:
    """Say in danger what one is; the mafia says something else."""
    is_asked = known.pressure() or (known.is_last_chance and known.is_bold(3 * known.wits.claims))
    if not is_asked or known.seat in known.claims.roles:
        return None
    role = known.role if known.role in DEFENCES else str(Role.CITIZEN)
    if known.mafia and known.is_bold(known.bluffs):
        role = chance.choice([role for role in DEFENCES if known.counts.get(role, 0)])
    return known.statement(DEFENCES[role], chance)


def reason(known: Beliefs, choice: int, chance: Random) -> str | None:
    """Return a stated fact for a vote, None where there is none that was not told yet."""
    found = list(_reasons(known, choice))
    chance.shuffle(found)
    for kind, words in found:
        names = {word: known.names[no] for word, no in words.items()}
        said = known.line(kind, chance, name=known.names[choice], **names)
        if said:
            return said
    return None


def _reasons(known: Beliefs, choice: int) -> Iterator[Reason]:
    """Yield the sentences that are true of a seat, with the other seats that they name."""
    yield from _by_claims(known, choice)
    yield from _by_the_dead(known, choice)
    before, today = known.votes_before.get(choice), known.votes.get(choice)
    if before == known.seat:
        yield AGAINST_ME, {}
    if choice in known.votes_before and before is None:
        yield NO_VOTE, {}
    if isinstance(today, int) and today not in (known.seat, choice):
        yield OF_TODAY, {"other": today}
    if today is None and known.now.share > EARLY:
        yield SILENT, {}


def _by_claims(known: Beliefs, choice: int) -> Iterator[Reason]:
    for (author, about), is_mafia in known.claims.verdicts.items():
        if is_mafia and about == choice and author in known.sheriffs and author != known.seat:
            yield BY_A_VERDICT, {"other": author}
    rivals = [no for no in known.sheriffs if no in known.alive]
    if len(rivals) > 1 and choice in rivals:
        yield TWO_STARS, {}


def _by_the_dead(known: Beliefs, choice: int) -> Iterator[Reason]:
    """Yield what is true of the vote for who was lynched yesterday, if the role is known."""
    dead = known.lynched
    role = None if dead is None else known.known.get(dead)
    if dead is None or role is None or choice not in known.votes_before:
        return
    before = known.votes_before[choice]
    if role in MAFIA and before != dead:
        yield SPARED_MAFIA, {"dead": dead}
    if role not in MAFIA and before == dead:
        yield VOTED_FOR_TOWN, {"dead": dead}
