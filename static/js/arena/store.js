// All the arena's page knows, in one value; the components only draw it.  Pure.

const ECHOES_KEPT = 40;

/** The view in a frame of the arena: its public part, and the own part as `you` or `guest`. */
export function viewOf(frame) {
  return { ...frame.arena, you: frame.you ?? null, guest: frame.guest ?? null };
}

export function fresh(frame, blocked = []) {
  return {
    view: viewOf(frame),
    wished: frame.you?.preferences, // as the round began
    link: "connecting", // connecting | open | lost | ended
    linkText: "",
    linkWay: "", // the way out of an end
    pending: new Set(),
    late: new Set(),
    feed: [],
    toasts: [],
    wanted: null, // {round, move}: pressed, and not yet in a view
    preferred: {}, // by option: pressed, and not yet answered
    blocked,
    ui: { dialog: null, name: null },
  };
}

/** A press shows at once; what the server then says counts. */
export function withView(state, frame) {
  const view = viewOf(frame);
  // A guest's part comes only after a first throw.
  view.guest ??= state.view.guest;
  const isOld = state.wanted && state.wanted.round !== view.round;
  const wished = view.round === state.view.round ? state.wished : view.you?.preferences;
  return { ...state, view, wished, wanted: isOld ? null : state.wanted };
}

export function withWanted(state, move) {
  return { ...state, wanted: { round: state.view.round, move } };
}

export function withPreferred(state, option, value) {
  return { ...state, preferred: { ...state.preferred, [option]: value } };
}

/** The answer to the last press has come: from now on the view's choice, or preference, is shown. */
export function withAnswered(state, frame) {
  const { kind, move, option, value } = frame?.action ?? {};
  const isIts = kind === "choose" && frame.phase === state.wanted?.round && move === state.wanted.move;
  if (isIts) return { ...state, wanted: null };
  const isLast = kind === "prefer" && state.preferred[option] === value;
  return isLast ? withPreferred(state, option, undefined) : state;
}

/** The viewer's preference for an option, as far as this page knows. */
export function preferenceOf({ view, preferred }, option) {
  return preferred[option] ?? view.you.preferences?.[option] ?? "any";
}

/** The viewer's choice for this round, as far as this page knows. */
export function choiceOf(state) {
  return state.wanted ? state.wanted.move : ((state.view.you ?? state.view.guest)?.choice ?? null);
}

export function isIn(view) {
  return Boolean(view.you?.is_in);
}

/** Whether a player is new: few rounds, no wish; nothing is drawn from such a player. */
export function isNew({ you }, { plain_rounds: rounds }) {
  const isPlain = Object.values(you.preferences ?? {}).every((wish) => wish === "any");
  return isPlain && you.round_wins + you.round_losses + you.round_ties < rounds;
}

/** Whether a choice of the viewer would be taken now; a guest may throw though nobody is in. */
export function mayChoose(view) {
  if (!view.you) return Boolean(view.guest?.left || view.guest?.choice);
  return isIn(view) && view.state === "selecting" && !view.you.is_sat_out;
}

/** A typed command, or the answer to it. */
export function withLine(state, type, text) {
  const number = (state.feed.at(-1)?.number ?? 0) + 1;
  return { ...state, feed: [...state.feed, { type, text, number }].slice(-ECHOES_KEPT) };
}

export function withBlocked(state, name, isBlocked) {
  const others = state.blocked.filter((one) => one !== name);
  return { ...state, blocked: isBlocked ? [...others, name] : others };
}
