// The six steps of the first game.  Pure: each says what to do, and knows from the view when it is done.
import { capital } from "rr/board/wording";
import { COMBINED, title } from "rr/showdown/lore";

function battle(view) {
  const [first] = view.game.last_round.battles;
  const isOnTheLeft = first.a === view.you.seat;
  const [own, other] = isOnTheLeft ? [first.a_weapon, first.b_weapon] : [first.b_weapon, first.a_weapon];
  const isWon = first.winner === view.you.seat;
  const end = first.winner === null ? "nobody wins" : isWon ? "you win the battle" : "the battle is lost";
  return `${capital(title(own))} against ${title(other)}: ${end}.`;
}

function isArmed({ stock, attacks }) {
  return COMBINED.some((weapon) => stock[weapon]) || Object.values(attacks).some((weapon) => COMBINED.includes(weapon));
}

/** {title, text(view), isDone(view)}; a step without isDone waits for a press. */
export const LESSON = [
  {
    title: "Bet once",
    text: () => "Each of you has put the ante, one chip, into the pot. There is one betting in a game, and this is yours: Check costs nothing, a raise makes it dearer for both, Fold gives up. Press Check.",
    isDone: ({ game }) => game.stage !== "betting",
  },
  {
    title: "Throw in secret",
    text: () => "Choose a weapon against Jane, then lock in. Nobody sees it before both have. Rock beats scissors, scissors beat paper, paper beats rock; and Jane is fond of scissors. Press Rock, then Lock in.",
    isDone: ({ game }) => Boolean(game.last_round),
  },
  {
    title: "Battles and victory points",
    text: (view) => `${view.game.last_round ? `${battle(view)} ` : ""}A player who alone wins the most battles of a round scores two victory points; they stand under the names as VP. The first to ${view.game.target} wins the game. What was thrown is spent.`,
  },
  {
    title: "Combine",
    text: () => "Two weapons make a stronger one, before you choose. Press Boulder: it takes two rocks, and beats rock besides scissors. Or press Combine and pick any two. Then throw it.",
    isDone: ({ game }) => Boolean(game.you) && isArmed(game.you),
  },
  {
    title: "Your stock, and a mine",
    text: () => "Below the weapons stands what you own yourself: add one to this game, or plant the mine under Jane, in secret. When all have equally many wins, a mine goes off: the player on the most mines loses the round, the others score a point. Plant it.",
    isDone: ({ game }) => Boolean(game.you) && Object.values(game.you.mines).some(Boolean),
  },
  {
    title: "Win the pot",
    text: ({ game }) => game.result ? "That was a whole game. The winner takes the pot, less a small tax; what you did not bet comes back, what you planted is used up. Nothing was paid for this one." : "Now play on as you like, to the end: the first to reach the target takes the pot. No clock runs here; at a real table one does.",
  },
];
