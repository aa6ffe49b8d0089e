// The three hands and what they are called.  Who won always comes from the server. Pure.

export const HANDS = ["rock", "paper", "scissors"];

const WORDS = {
  rock: { title: "Rock", note: "beats scissors", verb: "breaks" },
  paper: { title: "Paper", note: "beats rock", verb: "covers" },
  scissors: { title: "Scissors", note: "beats paper", verb: "cut" },
};

export function title(hand) {
  return WORDS[hand]?.title ?? "nothing";
}

/** What a hand is good for, in two words. */
export function note(hand) {
  return WORDS[hand].note;
}

/** "Paper covers Rock", for the one that won and the one that lost. */
export function beating(best, other) {
  return `${title(best)} ${WORDS[best].verb} ${title(other)}`;
}
