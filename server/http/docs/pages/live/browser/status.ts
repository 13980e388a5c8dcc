/** The line that says how the connection stands, and offers what can be done about it. */
import { part } from '../../browser/element.ts';
import type { State } from './stream.ts';
import { wordingOf } from './wording.ts';

const line = part('state');
const name = part('state-name');
const detail = part('state-detail');
const countdown = part('countdown');
const retry = part<HTMLButtonElement>('retry');
const stop = part<HTMLButtonElement>('stop');
const pause = part<HTMLButtonElement>('pause');

let state: State = { is: 'idle' };

/** Beside the name of the state, which screen readers say: they need not say each second. */
function countDown(): void {
  countdown.textContent =
    state.is === 'waiting' ? `in ${Math.max(1, Math.ceil((state.at - performance.now()) / 1000))} s` : '';
}

export function showState(next: State): void {
  state = next;
  const wording = wordingOf(state);
  line.dataset.is = state.is;
  name.textContent = wording.name;
  detail.textContent = wording.detail;
  countDown();
  const isOver = state.is === 'idle' || state.is === 'closed' || state.is === 'refused';
  retry.hidden = state.is !== 'waiting';
  for (const button of [stop, pause]) button.hidden = isOver;
}

/** On a phone the events are below the fold. */
export const scrollToStatus = (): void => line.scrollIntoView({ block: 'start' });

setInterval(countDown, 250);
