"""The answers of a bot of Agoran Mafia to people, by what it knows; the mafia lies."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

from games.mafia.agora.bot.beliefs import Beliefs, claim, claimed_role, reason
from games.mafia.agora.rules.roles import Role
from games.mafia.common.bot import Actions, Question, Reply, may_decide
from games.mafia.common.rules.phases import Stage

#: How much less suspect than the first somebody may be for whom the bot votes at a request.
OBLIGES: Final = 0.25
#: From what suspicion on a bot says that it has one, and up to which that it has none.
DOUBTS, CLEARS = 1.0, 0.3
#: The probability that a bot gives a reason, if it has one, and not a bare name.
WITH_A_REASON: Final = 0.5

Answer = Callable[[Beliefs, Question, Random], str | None]


def answer(known: Beliefs, asked: Question, chance: Random) -> Reply:
    if asked.kind == "vote":
        return _vote(known, asked, chance)
    kind = asked.kind if asked.kind in ANSWERS else "other"
    if kind in ("other", "greets") and known.votes.get(asked.seat) == known.seat:
        kind = "accused"
    return ANSWERS[kind](known, asked, chance), []


def _claim(known: Beliefs, asked: Question, chance: Random) -> str | None:
    if known.seat in known.claims.roles:
        return _as(known, "claimed_before", asked, chance)
    said = claim(known, chance, is_asked=True)
    return said or _as(known, "claims_when_asked", asked, chance)


def _as(known: Beliefs, kinds: str, asked: Question, chance: Random) -> str | None:
    role = claimed_role(known)
    words = f"a {role}" if role == Role.CITIZEN else f"the {role}"
    return known.statement(kinds, chance, asker=asked.asker, role=words)


def _saved(known: Beliefs, asked: Question, chance: Random) -> str | None:
    if claimed_role(known) != Role.DOCTOR:
        return known.line("not_the_doctor", chance, asker=asked.asker)
    # A mafioso who claims to be the doctor names whom it suspects least.
    nights = known.you["nights"]
    choice = _trusted(known) if known.mafia else nights[-1][1] if nights else None
    if not isinstance(choice, int):
        return known.statement("saved_nobody", chance, asker=asked.asker)
    kind = "saved_myself" if choice == known.seat else "saved"
    return known.statement(kind, chance, asker=asked.asker, name=known.names[choice])


def _read(known: Beliefs, asked: Question, chance: Random) -> str | None:
    role = claimed_role(known)
    if role == Role.DETECTIVE:
        return claim(known, chance, is_asked=True) or _claim(known, asked, chance)
    if role != Role.SHERIFF:
        return known.line("not_the_sheriff", chance, asker=asked.asker)
    verdicts = known.claims.verdicts.items()
    told = {about: is_mafia for (who, about), is_mafia in verdicts if who == known.seat}
    files = told or ({_suspect(known): True} if known.mafia else known.read)
    about, is_mafia = next(reversed(files.items()), (None, False))
    if about is None:
        return _claim(known, asked, chance)
    # A new file first; else the last one again.
    said = claim(known, chance, is_asked=True)
    kinds = "found" if is_mafia else "clean"
    if about in known.read:
        kinds = known.told_of(about)
    return said or known.statement(kinds, chance, name=known.names[about])


def _why(known: Beliefs, asked: Question, chance: Random) -> str | None:
    own = known.votes.get(known.seat)
    if not isinstance(own, int):
        return known.line("no_vote_yet", chance, asker=asked.asker)
    kind = "why_you" if own == asked.seat else "why"
    said = reason(known, own, chance)
    return said or known.line(kind, chance, asker=asked.asker, name=known.names[own])


def _night(known: Beliefs, asked: Question, chance: Random) -> str | None:
    night = known.game["last_night"]
    if night["round"] in known.you["saved"]:
        return known.line("i_was_saved", chance, asker=asked.asker)
    if night["killed"] is None:
        return known.line("night_quiet", chance, asker=asked.asker)
    return known.line("night_death", chance, asker=asked.asker, name=known.names[night["killed"]])


def _believes(known: Beliefs, asked: Question, chance: Random) -> str | None:
    is_against = known.votes.get(known.seat) == asked.seat
    is_believed = known.suspicion.get(asked.seat, 0.0) < _middle(known) and not is_against
    return known.line("believes" if is_believed else "believes_not", chance, asker=asked.asker)


def _clear(known: Beliefs, asked: Question, chance: Random) -> str | None:
    assert asked.about is not None, "the kind needs somebody"
    about, words = asked.about, {"asker": asked.asker, "name": known.names[asked.about]}
    if about in known.dead_sides and about in known.known:
        kind = "dead_was_mafia" if known.dead_sides[about] else "dead_was_town"
    elif about not in known.alive:
        kind = "of_the_dead"
    elif about in known.read:
        return known.statement(known.told_of(about), chance, name=words["name"])
    else:
        suspicion, middle = known.suspicion.get(about, 0.0), _middle(known)
        is_against = known.votes.get(known.seat) == about
        kind = "clears" if suspicion < middle + CLEARS else "knows_nothing"
        kind = "clears_not" if suspicion > middle + DOUBTS or is_against else kind
    return known.statement(kind, chance, **words)


def _trusts(known: Beliefs, asked: Question, chance: Random) -> str | None:
    name = known.names[_trusted(known)]
    return known.line("trusts", chance, asker=asked.asker, name=name)


def _told(known: Beliefs, asked: Question, chance: Random) -> str | None:
    of_me = known.claims.verdicts.get((asked.seat, known.seat))
    if asked.about is not None:
        return _clear(known, asked, chance)
    if of_me:
        return _accused(known, asked, chance)
    if of_me is False:
        return known.line("thanks", chance, asker=asked.asker)
    if known.too_many.get(asked.seat) == known.role != Role.CITIZEN:
        words = {"name": asked.asker, "role": f"the {known.role}"}
        return known.line("not_yours", chance, **words)
    return _believes(known, asked, chance)


def _accused(known: Beliefs, asked: Question, chance: Random) -> str | None:
    said = claim(known, chance)
    return said or known.line("denials", chance, asker=asked.asker)


def _suspects(known: Beliefs, asked: Question, chance: Random) -> str | None:
    if known.votes.get(known.seat) == asked.seat:
        return known.line("why_you", chance, asker=asked.asker)
    best = _suspect(known, besides=asked.seat)
    said = reason(known, best, chance) if chance.random() < WITH_A_REASON else None
    return said or known.line("opinions", chance, asker=asked.asker, name=known.names[best])


ANSWERS: Final[Mapping[str, Answer]] = {
    "mafia": lambda known, asked, chance: _as(known, "not_mafia", asked, chance),
    "claim": _claim,
    "saved": _saved,
    "read": _read,
    "why": _why,
    "night": _night,
    "believes": _believes,
    "clear": _clear,
    "trusts": _trusts,
    "accused": _accused,
    "told": _told,
    "suspects": _suspects,
    "greets": lambda known, asked, chance: known.line("greetings", chance, asker=asked.asker),
    "other": lambda known, asked, chance: known.line("answers", chance, asker=asked.asker),
}


def _vote(known: Beliefs, asked: Question, chance: Random) -> Reply:
    """Vote for whom a person wants, if the bot suspects that seat nearly as much as anybody."""
    own, about = known.votes.get(known.seat), asked.about
    if about not in known.suspicion or "vote" not in known.you["may"]:
        best = _suspect(known, besides=asked.seat)
        kind = "refuses" if about in known.alive else "of_the_dead"
    else:
        best = _suspect(known)
        is_near = known.suspicion[about] > max(known.suspicion.values()) - OBLIGES
        decides = known.tally.get(about, 0) + 1 >= known.game["needed"]
        kind = "not_now" if decides and not may_decide(known) else "agrees"
        kind = "agreed_before" if own == about else kind if is_near else "refuses"
    kind = "believes_not" if kind == "refuses" and own == asked.seat else kind
    words = {"name": known.names[about or 0], "other": known.names[best], "asker": asked.asker}
    acts: Actions = [{"kind": "vote", "choice": about}] if kind == "agrees" else []
    return known.line(kind, chance, **words), acts


def answer_to_mate(known: Beliefs, asked: Question, chance: Random) -> Reply:
    """Answer in the mafia's room with a name; by night a mafioso follows that of a mate."""
    is_night, target = known.game["stage"] == Stage.NIGHT, known.you["target"]
    kind, acts = "mafia_plans" if is_night else "mafia_by_day", Actions()
    victim = target if isinstance(target, int) else _suspect(known)
    if not is_night:
        kind = kind if asked.is_fresh else "mafia_late"
    elif known.role == Role.AGENT:
        kind, victim = "agent_plans", _suspect(known)
    elif asked.about in known.mafia:
        kind, victim = "mafia_objects", asked.about or 0
    else:
        if asked.about in known.alive:
            kind, victim = "mafia_agrees", asked.about or 0
        acts = [{"kind": "choose", "target": victim}] if victim != target else []
    return known.line(kind, chance, asker=asked.asker, name=known.names[victim]), acts


def _suspect(known: Beliefs, besides: int | None = None) -> int:
    """Return for whom the bot votes, else whom it suspects most."""
    own = known.votes.get(known.seat)
    ranked = sorted(known.suspicion, key=lambda no: (no == own, known.suspicion[no]), reverse=True)
    return next((no for no in ranked if no != besides), ranked[0])


def _trusted(known: Beliefs) -> int:
    own = known.votes.get(known.seat)
    return min(known.suspicion, key=lambda no: (no == own, known.suspicion[no]))


def _middle(known: Beliefs) -> float:
    scores = sorted(known.suspicion.values())
    return scores[len(scores) // 2]
