/** The list of cards, newest first. It keeps the newest few hundred, also of those that wait while it is paused or hidden. */
import { part } from '../../browser/element.ts';
import { number } from '../../browser/tweet.ts';

type Draw = () => HTMLElement;

const list = part<HTMLOListElement>('events');
const counter = part('counter');
const empty = part('empty');
const pauseButton = part<HTMLButtonElement>('pause');
const clearButton = part<HTMLButtonElement>('clear');
const mostCards = Number(list.dataset.most);

/** Cards that are not drawn yet, newest last. */
let waiting: Draw[] = [];
let total = 0;
let missed = 0;
let paused = false;
let drawing = false;

function tell(): void {
  counter.textContent = `${number.format(total)} ${total === 1 ? 'event' : 'events'}`;
  pauseButton.textContent = !paused ? 'Pause' : missed === 0 ? 'Resume' : `Resume · ${number.format(missed)} new`;
  pauseButton.setAttribute('aria-pressed', String(paused));
  const isEmpty = list.children.length === 0;
  empty.hidden = !isEmpty;
  clearButton.hidden = isEmpty;
  counter.hidden = total === 0;
}

/** Draws what waits, with the next picture of the browser: however fast events come, they cost no more than that. */
function schedule(): void {
  if (drawing || paused) return;
  drawing = true;
  requestAnimationFrame(() => {
    drawing = false;
    if (paused) return;
    const drawn = waiting.map((draw) => draw()).toReversed();
    waiting = [];
    missed = 0;
    list.prepend(...drawn);
    while (list.children.length > mostCards) list.lastElementChild!.remove();
    tell();
  });
}

function push(draw: Draw): void {
  waiting.push(draw);
  if (waiting.length > mostCards) waiting.shift();
  schedule();
}

/** Puts an event on top. */
export function addEvent(draw: Draw): void {
  total++;
  if (paused) missed++;
  push(draw);
  tell();
}

/** Puts a remark on top that is no event. */
export const addNotice = push;

/** Takes everything off the page; what happens from now on is shown, or waits, as before. */
export function clearFeed(): void {
  waiting = [];
  total = missed = 0;
  list.replaceChildren();
  tell();
}

export function resumeFeed(): void {
  paused = false;
  tell();
  schedule();
}

pauseButton.addEventListener('click', () => {
  if (paused) return resumeFeed();
  paused = true;
  tell();
});
clearButton.addEventListener('click', () => {
  clearFeed();
  list.focus();
});
