/** The list of cards, newest first. It keeps the newest few hundred, also of those that wait while it is paused or hidden. */
import { part } from '../../search/browser/element.ts';

type Draw = () => HTMLElement;

export const mostCards = 300;

const list = part<HTMLOListElement>('events');
const counter = part('counter');
const empty = part('empty');
const pauseButton = part<HTMLButtonElement>('pause');
const number = new Intl.NumberFormat('en');

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
  empty.hidden = list.children.length > 0;
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

export function clearFeed(): void {
  waiting = [];
  total = missed = 0;
  paused = false;
  list.replaceChildren();
  tell();
}

pauseButton.addEventListener('click', () => {
  paused = !paused;
  tell();
  schedule();
});
