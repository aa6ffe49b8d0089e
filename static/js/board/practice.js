// The notes of a practice table: chips, the end of the last game, the next steps.
import { html, useEffect } from "preact";
import { Icon } from "rr/icon";
import { BotDialog, ChooseBot } from "rr/board/opponents";
import { useTable } from "rr/board/parts";

/** In the game: what practice is; afterwards: the difference with an account. */
function words({ practice }, isOver) {
  if (practice.words) return practice.words[Number(isOver)];
  if (isOver) return practice.has_account ? "Practice: nothing won or lost." : "That was practice. Sign up to play people for points.";
  return "Practice chips, no clock, nothing saved.";
}

export function PracticeStrip() {
  const { view, ui, config } = useTable();
  const { practice } = config;
  if (!practice.strip) return null;
  const isOver = Boolean(view.game?.result);
  const look = isOver ? "btn btn-brass" : "btn";
  return html`<aside class="practice-strip" aria-label="Practice">${config.bots?.length > 0 ? html`<${ChooseBot} look="btn btn-icon" />` : html`<${Icon} name="robot" />`}<span>${words(config, isOver)}</span>
    ${ui.dialog === "bots" && html`<${BotDialog} />`}
    <a class=${look} href=${practice.start_url}>${practice.start_word?.[Number(isOver)] ?? (practice.has_account ? "Play for points" : "Sign up to play for points")}</a></aside>`;
}

/** Says that this is another game than the one that was on this page before. */
export function PracticeLost() {
  const { state, controls } = useTable();
  if (!state.wasLost) return null;
  return html`<div class="notice" role="alert"><${Icon} name="rotate-ccw" /><span>Your last practice game has expired. This is a new one.</span>
    <button type="button" class="btn" onClick=${() => controls.store.change((now) => ({ ...now, wasLost: false }))}>All right</button></div>`;
}

/** Instead of a log-in, after a practice table has ended. */
export function PracticeAgain() {
  const { config } = useTable();
  return html`<a class="btn btn-brass" href=${config.practice.again_url}>${config.practice.again_word ?? "New practice game"}</a>`;
}

const LEARNED = "learned=1; path=/; max-age=31536000; samesite=lax";

/** A viewer who has started or dismissed the lesson is not asked again. */
function remember() {
  document.cookie = location.protocol === "https:" ? `${LEARNED}; secure` : LEARNED;
}

/** Ring the buttons that a step means; the classes stand outside of what Preact draws. */
function ring(places) {
  for (const old of document.querySelectorAll(".is-ringed")) old.classList.remove("is-ringed");
  // The last step means no button in its later rounds; an empty selector would be an error.
  const meant = places.length ? document.querySelector(places.map((place) => `${place}:not([disabled])`).join(",")) : null;
  meant?.classList.add("is-ringed");
}

/**
 * The steps of a first game, one at a time, above the hand.  A step rings the very button that it
 * means, and nothing else acts until it is done or skipped.
 */
export function LessonStrip() {
  const { view, ui, controls, config, lesson } = useTable();
  const place = ui.lessonStep ?? 0;
  const step = lesson?.[place];
  const isDone = Boolean(step?.isDone && view.game && step.isDone(view));
  useEffect(() => {
    if (config.practice?.lesson) remember();
  }, []);
  useEffect(() => {
    if (!isDone || place === lesson.length - 1) return undefined;
    // After rendering: a change during it would render again before it has ended.
    const timer = setTimeout(() => controls.setUi({ lessonStep: place + 1 }));
    return () => clearTimeout(timer);
  }, [isDone, place]);
  useEffect(() => {
    if (config.practice?.lesson && view.game) ring(step?.rings?.(view, ui) ?? [".lesson .btn-brass"]);
  });
  if (!config.practice?.lesson || !step || !view.game) return null;
  const isLast = place === lesson.length - 1;
  const isOver = Boolean(view.game.result);
  return html`<section class="panel lesson" aria-label="Lesson"><div role="status">
      <h2><span class="muted num">${place + 1}/${lesson.length}</span> ${step.title}</h2><p>${step.text(view)}</p></div>
    <div class="form-end">${isOver
      ? html`<a class="btn" href=${config.practice.again_url}>Practice with bots</a><a class="btn btn-brass" href=${config.practice.start_url}>${config.practice.has_account ? "Play for points" : "Sign up to play for points"}</a>`
      : html`<a class="btn" href="/"><span>Leave<span class="only-wide"> the lesson</span></span></a>${!isLast && html`<button type="button" class=${step.isDone ? "btn" : "btn btn-brass"} onClick=${() => controls.setUi({ lessonStep: place + 1 })}>${step.isDone ? "Skip this step" : "Continue"}</button>`}`}</div>
  </section>`;
}
