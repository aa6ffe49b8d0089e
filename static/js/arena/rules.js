// The calculator on the page of rules: it works as one types, without asking the server.
import { html, render, useRef, useState } from "preact";
import { Icon } from "rr/icon";
import { capital, listed } from "rr/board/wording";
import { MOST, MOVES, calculate, countOf, grouped } from "rr/arena/calculator";

const RESULTS = { W: "wins", L: "loses", T: "ties" };

function Count({ move, text, write }) {
  const isBad = countOf(text) === null;
  const id = `count-${move}`;
  return html`<div class=${isBad ? "field field-bad" : "field"}>
    <label for=${id} class=${`calculator-label ink-${move}`}><${Icon} name=${move} />${capital(move)}</label>
    <input id=${id} class="num" type="text" inputmode="numeric" autocomplete="off" value=${text} aria-invalid=${isBad} aria-describedby=${isBad ? `${id}-error` : undefined} onInput=${(event) => write(event.target.value)} />
    ${isBad && html`<p class="error" id=${`${id}-error`}>A whole number from 0 to ${grouped(MOST)}.</p>`}
  </div>`;
}

function Switch({ word, about, isOn, set }) {
  return html`<label class="check"><input type="checkbox" checked=${isOn} onChange=${(event) => set(event.target.checked)} /><span><b>${word}</b> <span class="muted small">${about}</span></span></label>`;
}

function Table({ table }) {
  return html`<table class="beats calculator-table"><caption>What beats what: row against column.</caption>
    <thead><tr><th scope="col"><span class="sr">Move</span></th>${MOVES.map((move) => html`<th key=${move} scope="col">${capital(move)}</th>`)}</tr></thead>
    <tbody>${MOVES.map((one) => html`<tr key=${one}><th scope="row"><span class=${`weapon-name ink-${one}`}><${Icon} name=${one} />${capital(one)}</span></th>${MOVES.map((other) => html`<td key=${other} class=${`r-${table[one][other] === "T" ? "D" : table[one][other]}`}>${RESULTS[table[one][other]]}</td>`)}</tr>`)}</tbody>
  </table>`;
}

function signedGroup(number) {
  return number > 0n ? `+${grouped(number)}` : grouped(number);
}

function Sums({ caption, rows, last }) {
  return html`<div class="scroll-x" tabindex="0" role="region" aria-label=${caption}><table class="rows rows-tight calculator-sums"><caption>${caption}</caption>
    <thead><tr><th scope="col">Move</th><th scope="col" class="right">Players</th><th scope="col" class="right">Wins</th><th scope="col" class="right">Losses</th><th scope="col" class="right">Ties</th><th scope="col" class="right">Score</th></tr></thead>
    <tbody>${rows.map(([name, one, sums, score]) => html`<tr key=${name}><th scope="row">${name}</th><td class="num right">${grouped(one.players)}</td><td class="num right">${grouped(sums.wins)}</td><td class="num right">${grouped(sums.losses)}</td><td class="num right">${grouped(sums.ties)}</td><td class=${`num right ${score > 0n ? "plus" : score < 0n ? "minus" : ""}`}>${signedGroup(score)}</td></tr>`)}</tbody>
    ${last}
  </table></div>`;
}

function Result({ counts, options }) {
  const { table, moves, totals, replies, best } = calculate(counts, options);
  const rows = (sums, score) => MOVES.map((move) => [capital(move), moves[move], sums(moves[move]), score(moves[move])]);
  const last = html`<tfoot><tr><th scope="row">Together</th><td class="num right">${grouped(totals.players)}</td><td class="num right">${grouped(totals.wins)}</td><td class="num right">${grouped(totals.losses)}</td><td class="num right">${grouped(totals.ties)}</td><td class="num right">${signedGroup(totals.score)}</td></tr></tfoot>`;
  const net = replies[best[0]];
  return html`<${Table} table=${table} />
    <${Sums} caption="Each player on a move" rows=${rows((one) => one.each, (one) => one.effect)} />
    <${Sums} caption="All players on a move together" rows=${rows((one) => one.all, (one) => one.score)} last=${last} />
    <p>${grouped(totals.battles)} ${totals.battles === 1n ? "battle is" : "battles are"} fought. A tie of two counts for both of them. The score is that of the round without a streak’s multiplier.</p>
    <p class="notice"><b>Best reply:</b> <span>one more player would do best with ${listed(best, "or")}: <span class="num">${signedGroup(net)}</span> (battles won less those lost).</span></p>`;
}

function Calculator() {
  const [texts, write] = useState({ rock: "1", paper: "2", scissors: "3" });
  const [options, set] = useState({ inverted: false, count: false });
  const counts = Object.fromEntries(MOVES.map((move) => [move, countOf(texts[move])]));
  // While a field holds no number, the tables of the last numbers stay.
  const shown = useRef(counts);
  if (MOVES.every((move) => counts[move] !== null)) shown.current = counts;
  return html`<form class="calculator-form" onSubmit=${(event) => event.preventDefault()}>
      <div class="calculator-counts">${MOVES.map((move) => html`<${Count} key=${move} move=${move} text=${texts[move]} write=${(text) => write({ ...texts, [move]: text })} />`)}</div>
      <div class="field"><${Switch} word="Inverted" about="the other way round" isOn=${options.inverted} set=${(inverted) => set({ ...options, inverted })} /><${Switch} word="Count" about="numbers decide" isOn=${options.count} set=${(count) => set({ ...options, count })} /></div>
    </form>
    <${Result} counts=${shown.current} options=${options} />`;
}

const mount = document.querySelector("[data-calculator]");
mount.replaceChildren();
render(html`<${Calculator} />`, mount);
