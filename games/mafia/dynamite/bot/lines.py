"""The sentences of the bots of Dynamite besides the common ones; they name no team."""

from typing import Final

FIRST_SHAKES: Final = (
    "{name}, here is one for you.",
    "Hold still, {name}.",
    "I have nothing against {name}, but somebody has to be shaken.",
    "{name} has been very quiet.",
    "Let us see what {name} is made of.",
    "Mind the fuse, {name}.",
    "Does {name} tick, or is that my watch?",
    "A little shake for {name}.",
    "Careful with {name}, but not too careful.",
)
MORE_SHAKES: Final = (
    "Another one for {name}.",
    "{name} again? Very well.",
    "Shake it harder, {name} can take it.",
    "Cover your ears, that is one more for {name}.",
    "If {name} does not blow up, we have learned something.",
    "Stand back from {name}.",
    "All on {name}, then.",
)
#: With two votes or more against the speaker; bots understand them by the word "blow".
PLEAS: Final = (
    "One more vote and I blow up.",
    "Stop it, or I blow up in front of you all.",
    "Please take one back, I am about to blow.",
    "Does anybody want to see me blow up?",
    "You will be sorry when I blow up and was no danger to you.",
)
TEAM_PLANS: Final = (
    "I have {name} in mind, {asker}.",
    "If we have the points, {asker}, {name} is next.",
    "{asker}, what about {name}?",
    "I would try {name} tonight, {asker}.",
)
TEAM_BY_DAY: Final = (
    "Votes for us are points, {asker}, do not fear them.",
    "I put my vote where it looks natural, {asker}.",
    "{asker}, let us keep apart out there.",
    "We look like two strangers, {asker}, keep it so.",
)
TEAM_AGREES: Final = (
    "As you say, {asker}, {name} it is.",
    "{name}, then, {asker}.",
    "Agreed, {asker}: {name} tonight.",
    "I go and see {name}, {asker}.",
)
