"""The sentences of the bots of Agoran Mafia about roles; claims may be true or not, and bots
understand them by their form.
"""

from typing import Final

#: A sheriff's claim with a verdict on ``name``: mafia, or not.
FOUND: Final = (
    "I am the sheriff, and {name} is mafia.",
    "Listen: I am the sheriff and I say that {name} is mafia.",
    "I am the sheriff of this town, and {name}'s file says mafia.",
    "No more hiding: I am the sheriff, {name} is mafia.",
)
FOUND_AGAIN: Final = (
    "I have read another file, and {name} is mafia.",
    "Last night's file: {name} is mafia.",
    "The next file is in, {name} is mafia.",
    "I read again last night, and {name} is mafia.",
)
CLEAN: Final = (
    "I am the sheriff; the file I read says that {name} is not mafia.",
    "I am the sheriff, and all I have is that {name} is not mafia.",
    "Do not waste a rope: I am the sheriff and {name} is not mafia.",
)
CLEAN_AGAIN: Final = (
    "Last night's file: {name} is not mafia.",
    "I read again, and {name} is not mafia.",
    "The next file is in, {name} is not mafia.",
    "You can leave {name} alone: {name} is not mafia.",
)
#: A second claim of the sheriff's star, against ``name``.
COUNTERED: Final = (
    "{name} lies: I am the sheriff.",
    "There is one star in this town and {name} has stolen it, for I am the sheriff.",
    "I am the sheriff, {name}, not you.",
    "Nice try, {name}, but I am the sheriff.",
)
COUNTERED_AND_ACCUSED: Final = (
    "I am the sheriff, not {name}, and {name} is mafia.",
    "False! I am the sheriff here, and {name} is mafia.",
    "That is my star: I am the sheriff, and {name} is mafia.",
)
#: Under pressure, by what the speaker says to be.
DEFENCES: Final = {
    "sheriff": (
        "You are about to hang your only star, I am the sheriff.",
        "Take your hands off me, I am the sheriff.",
        "I am the sheriff and have nothing to show yet.",
    ),
    "doctor": (
        "Stop: I am the doctor.",
        "Wait, I am the doctor, and you will miss me tonight.",
        "If you hang me, nobody is saved any more, for I am the doctor.",
    ),
    "detective": (
        "Hold on, I am the detective.",
        "I am the detective, the dead tell me what they were.",
        "Do not do it, I am the detective.",
    ),
    "citizen": (
        "I am only a citizen, and you are wasting the day.",
        "Believe me or not, I am a citizen.",
        "I am just a citizen with bad luck.",
        "There is nothing to find here, I am a citizen.",
    ),
}
#: The detective on a dead player.
LEARNED_MAFIA: Final = (
    "I am the detective: {name} was mafia.",
    "Good riddance, and I am the detective, so I know that {name} was mafia.",
    "I am the detective, and what we buried was right, {name} was mafia.",
)
LEARNED_TOWN: Final = (
    "I am the detective, and {name} was not mafia.",
    "We did wrong: I am the detective, and {name} was not mafia.",
    "I am the detective; mourn with me, {name} was not mafia.",
)
#: A vote for a stated fact: ``name`` voted for ``dead`` and so on.
VOTED_FOR_TOWN: Final = (
    "{name} voted for {dead}, who was not mafia.",
    "You voted for {dead}, {name}, and {dead} was one of us.",
    "{dead} was innocent, and {name}'s vote helped to hang {dead}.",
    "I look at the votes for {dead}, and there is {name}.",
)
SPARED_MAFIA: Final = (
    "{name} did not vote for {dead}, who was mafia.",
    "{dead} was mafia, and where was your vote, {name}?",
    "We hanged {dead} without your help, {name}.",
    "I wonder why {name} spared {dead}.",
)
BY_A_VERDICT: Final = (
    "{other} has read a file, so {name}.",
    "I believe {other} more than {name}.",
    "If {other} tells the truth, it must be {name}.",
    "A file is a file: {name}.",
    "What {other} says about {name} is good enough for me.",
    "I would rather trust {other}, so it is {name}.",
)
TWO_STARS: Final = (
    "Two sheriffs are one too many, and I doubt {name}.",
    "One of the two stars is tin, and I say it is {name}'s.",
    "Of those who call themselves sheriff I like {name} less.",
)
#: In the mafia's room.
MAFIA_PLANS: Final = (
    "I take {name} tonight, {asker}.",
    "{name} it is tonight, unless you say another name, {asker}.",
    "Tonight it should be {name}, {asker}.",
    "{asker}, I have {name} in mind for tonight.",
    "My knife is for {name}, {asker}.",
)
MAFIA_AGREES: Final = (
    "As you say, {asker}: {name}.",
    "Done, {asker}, {name} will not wake up.",
    "{name}, then; you know best, {asker}.",
    "Good choice, {asker}, I go for {name}.",
    "Agreed, {asker}: it is {name}.",
    "{name} tonight, {asker}, I have noted it.",
)
FILE_PLANS: Final = (
    "I see to the files, {asker}.",
    "Leave the papers to me, {asker}, and the knife to the others.",
    "{asker}, I cannot kill, but I can turn a file.",
    "The sheriff will read what I want, {asker}.",
)
MAFIA_BY_DAY: Final = (
    "I will not vote for you, {asker}, not today.",
    "Keep calm, {asker}, and vote with the crowd.",
    "We do not know each other out there, {asker}.",
    "Let them talk, {asker}, the night is ours.",
    "Let us put it on {name}, {asker}.",
    "I push for {name} if you do, {asker}.",
)
