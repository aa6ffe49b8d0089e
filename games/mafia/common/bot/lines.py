"""The sentences of the bots of all Mafia games, each used once a game at most; they name no role.
``{name}`` is whom the sentence is about, ``{other}`` somebody else, ``{asker}`` who asked.
"""

from typing import Final

#: With the first vote for somebody.
FIRST_VOTES: Final = (
    "My vote goes to {name}.",
    "I would start with {name}.",
    "Somebody has to be first, so I say {name}.",
    "{name}, tell us what you think.",
    "I have a bad feeling about {name}.",
    "Let us hear {name} before noon.",
    "I put my one vote on {name} and wait.",
    "{name} smiled too much at breakfast.",
    "For now it is {name}, and I can be talked out of it.",
    "A vote makes people talk, and I want {name} to talk.",
    "I slept badly and blame {name}.",
    "Convince me that it should not be {name}.",
    "{name} is my guess, no more than that.",
    "Ask {name} where the lamp oil went.",
)
#: With a vote for somebody who has votes.
JOINING_VOTES: Final = (
    "Then let it be {name}.",
    "I go with the others: {name}.",
    "If we do not agree nothing happens, so {name}.",
    "{name} it is, then.",
    "I see no better name than {name}.",
    "I add mine to the pile on {name}.",
    "That makes one more for {name}.",
    "You have talked me round about {name}.",
    "I had another name, but {name} will do.",
    "Fine by me, {name}.",
    "My hand goes up for {name}, too.",
    "The longer I listen, the more I think of {name}.",
    "Nobody speaks up for {name}, nor do I.",
    "Count me in on {name}.",
)
#: With a vote that is changed.
CHANGED_VOTES: Final = (
    "I have changed my mind: {name}.",
    "Leave {other}, I am for {name} now.",
    "Time runs out, so I move to {name}.",
    "On second thoughts it is {name}.",
    "I drop {other} and take {name}.",
    "We must settle, and I settle on {name}.",
    "Better {name} than nobody.",
    "From {other} to {name}, since the day is short.",
    "I was wrong to look at {other} and not at {name}.",
    "Enough of {other}; the town wants {name}.",
)
#: About a vote of today: by ``name`` for ``other``.
OF_TODAY: Final = (
    "{name} votes for {other} and does not say why.",
    "Why {other} of all people, {name}?",
    "I do not like how fast {name} went for {other}.",
    "{name} has picked {other}, so I pick {name}.",
    "Who accuses {other} like that, {name}, has something to hide.",
)
#: About a seat that has no vote yet.
SILENT: Final = (
    "{name} has not voted yet.",
    "{name} waits for all of us to show our votes first.",
    "Not a word and not a vote from {name} so far.",
    "Where does {name} stand?",
    "{name} keeps that vote very close.",
)
#: About a vote of yesterday for the speaker.
AGAINST_ME: Final = (
    "{name} voted for me yesterday.",
    "Yesterday {name} wanted to be rid of me.",
    "I have not forgotten whom {name} voted for yesterday: me.",
    "{name}, your vote against me yesterday was a mistake.",
)
#: About somebody without a vote at the end of yesterday.
NO_VOTE: Final = (
    "{name} let yesterday pass without a vote.",
    "No vote from {name} yesterday, and no excuse.",
    "{name} hid at the back when we voted yesterday.",
)
#: To a question for the reasons of the own vote, for ``name``.
WHY: Final = (
    "{asker}, it is {name} because nobody has given me a better name.",
    "Because {name} has answered nothing so far, {asker}.",
    "I go by my nose, {asker}, and it points at {name}.",
    "You would vote for {name} as well, {asker}, if you sat where I sit.",
    "{asker}, tell me whom instead of {name}, and why.",
    "One has to begin somewhere, {asker}, and I begin with {name}.",
)
#: To an accusation.
DENIALS: Final = (
    "It is not me, {asker}, and you lose a day with it.",
    "Look somewhere else, {asker}.",
    "{asker}, I have done nothing but vote like everybody here.",
    "If you are wrong about me, {asker}, who is left to help you?",
    "That is a bold word, {asker}, and a wrong one.",
    "You may be mistaken in good faith, {asker}, but you are mistaken.",
    "I would say the same in your place, {asker}, if I had nothing.",
    "Vote for me and see what it brings you, {asker}.",
)
#: To a question whom the bot suspects; ``name`` is whom it would name.
OPINIONS: Final = (
    "{asker}, if I had to name one it would be {name}.",
    "I look at {name}, {asker}.",
    "I trust {name} least, {asker}, since you ask.",
    "Keep an eye on {name}, {asker}.",
    "{name}, {asker}, but do not hang anybody for my sake alone.",
    "Between us, {asker}: {name}.",
    "My money is on {name}, {asker}.",
)
#: To anything else.
ANSWERS: Final = (
    "You called, {asker}?",
    "I am listening, {asker}.",
    "Say it plainly, {asker}.",
    "I have no more to say to that, {asker}.",
    "Maybe so, {asker}, maybe not.",
    "Let us come back to that when the votes are in, {asker}.",
    "{asker}, I will think about it.",
    "Good day to you too, {asker}.",
    "That is one way to see it, {asker}.",
    "I noticed that as well, {asker}.",
)
#: To a question before the bot has voted, when it names nobody.
NOT_YET: Final = (
    "I have not voted yet, {asker}, and I am not sure.",
    "Ask me again when I have voted, {asker}.",
    "{asker}, I am still making up my mind.",
)
