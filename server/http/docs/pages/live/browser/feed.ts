/**
 * The list of cards, newest first. It holds a limited number of cards, also of those that wait while it is paused or
 * hidden.
 */
import { part } from '../../browser/element.ts';
import { number } from '../../browser/tweet.ts';

type Draw = () => HTMLElement;

const list = part<HTMLOListElement>('events');
const counter = part('counter');
const empty = part('empty');
const pauseButton = part<HTMLButtonElement>('pause');
const clearButton = part<HTMLButtonElement>('clear');
const maxCards = Number(list.dataset.most);

/** Cards that are not rendered yet, newest last. */
let waiting: Draw[] = [];
let total = 0;
let missed = 0;
let paused = false;
let drawing = false;

function updateControls(): void {
  counter.textContent = `${number.format(total)} ${total === 1 ? 'event' : 'events'}`;
  pauseButton.textContent = !paused ? 'Pause' : missed === 0 ? 'Resume' : `Resume · ${number.format(missed)} new`;
  pauseButton.setAttribute('aria-pressed', String(paused));
  const isEmpty = list.children.length === 0;
  empty.hidden = !isEmpty;
  clearButton.hidden = isEmpty;
  counter.hidden = total === 0;
}

/** Renders the waiting cards in the next animation frame, so that the cost is bounded at any rate of events. */
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
    while (list.children.length > maxCards) list.lastElementChild!.remove();
    updateControls();
  });
}

function push(draw: Draw): void {
  waiting.push(draw);
  if (waiting.length > maxCards) waiting.shift();
  schedule();
}

/** Adds an event at the top. */
export function addEvent(draw: Draw): void {
  total++;
  if (paused) missed++;
  push(draw);
  updateControls();
}

/** Adds a notice at the top; it does not count as an event. */
export const addNotice = push;

/** Removes all cards; later events are shown, or wait, as before. */
export function clearFeed(): void {
  waiting = [];
  total = missed = 0;
  list.replaceChildren();
  updateControls();
}

export function resumeFeed(): void {
  paused = false;
  updateControls();
  schedule();
}

pauseButton.addEventListener('click', () => {
  if (paused) return resumeFeed();
  paused = true;
  updateControls();
});
clearButton.addEventListener('click', () => {
  clearFeed();
  list.focus();
});
