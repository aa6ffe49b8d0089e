// The six steps of the first game.  Pure: each says what to do, and knows from the view when it is done.
import { capital } from "rr/board/wording";
import { COMBINED, title } from "rr/showdown/lore";

const LOCK = ".btn-lock";

function battle(view) {
  const [first] = view.game.last_round.battles;
  const isOnTheLeft = first.a === view.you.seat;
  const [own, other] = isOnTheLeft ? [first.a_weapon, first.b_weapon] : [first.b_weapon, first.a_weapon];
  const isWon = first.winner === view.you.seat;
  const end = first.winner === null ? "a tie" : isWon ? "you win the battle" : "the battle is lost";
  return `${capital(title(own))} against ${title(other)}: ${end}.`;
}

function hasThrown({ game }, weapons) {
  return Object.values(game.you?.attacks ?? {}).some((weapon) => weapons.includes(weapon));
}

/** The button of the combination that is on its way: the card, then "Make and throw". */
function combining(view, ui) {
  const { stock } = view.game.you;
  if (ui.combine?.length === 2) return [".combine-bar .btn-brass"];
  const made = COMBINED.find((weapon) => stock[weapon]) ?? "boulder";
  return [`[data-weapon=${made}]`];
}

/**
 * {title, text(view), isDone(view), rings(view, ui), allows}; a step without isDone waits for a press.
 * rings: selectors of what to press next; allows: the kinds of action that do something now, by
 * default all.
 */
export const LESSON = [
  {
    title: "Bet once",
    text: () => "Each of you put an ante into the pot. You bet once per game. This is that bet: check for free, raise the price for everyone, or fold. Press Check.",
    isDone: ({ game }) => game.stage !== "betting",
    rings: () => [".bet-call"],
    allows: ["call"],
  },
  {
    title: "Throw in secret",
    text: (view) => (hasThrown(view, ["rock"]) ? "Nobody sees your weapon before both of you have locked in. Press Lock in." : "Rock breaks scissors, scissors cut paper, paper covers rock. Jane likes scissors: press Rock."),
    isDone: ({ game }) => Boolean(game.last_round),
    rings: (view) => (hasThrown(view, ["rock"]) ? [LOCK] : ["[data-weapon=rock]"]),
    allows: ["attack", "reset", "lock", "unlock"],
  },
  {
    title: "Battles and victory points",
    text: (view) => `${view.game.last_round ? `${battle(view)} ` : ""}Win the most battles of a round for 2 victory points (VP). First to ${view.game.target} VP wins the game. What you threw is spent.`,
    allows: [],
  },
  {
    title: "Combine",
    text: (view) => (COMBINED.some((weapon) => view.game.you?.stock[weapon]) ? "It is in your hand for this round. Press it again to throw it." : "Two weapons make a stronger one. A Boulder is two rocks: it beats scissors and also rock. Press Boulder, then Make and throw."),
    isDone: (view) => hasThrown(view, COMBINED),
    rings: combining,
    allows: ["attack", "reset", "combine", "unlock"],
  },
  {
    title: "Your stash, and a mine",
    text: () => "Your stash is yours between games. Plant the landmine under Jane, in secret: if a round is level, the player on the most mines loses it.",
    isDone: ({ game }) => Boolean(game.you) && Object.values(game.you.mines).some(Boolean),
    rings: () => [".stock .btn-danger"],
    allows: ["mine", "add", "unlock"],
  },
  {
    title: "Win the pot",
    text: ({ game }) => (game.result ? "That is a whole game. The winner takes the pot, less a small tax. Unbet points are returned; a planted mine is used up." : "Lock in and play on. The first to reach the target takes the pot. No clock here; real tables have one."),
    rings: (view) => (view.game.round > 2 || view.game.you?.locked ? [] : [LOCK]),
  },
];
