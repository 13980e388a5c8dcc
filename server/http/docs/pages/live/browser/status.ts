/** The status line of the connection, with its buttons. */
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
const inactive: ReadonlySet<State['is']> = new Set(['idle', 'refused', 'ended', 'closed']);

let state: State = { is: 'idle' };

/** The countdown is separate from the state name, so that screen readers do not read each second. */
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
  const isInactive = inactive.has(state.is);
  retry.hidden = state.is !== 'waiting';
  for (const button of [stop, pause]) button.hidden = isInactive;
}

/** On a narrow screen the events are below the visible area. */
export const scrollToStatus = (): void => line.scrollIntoView({ block: 'start' });

setInterval(countDown, 250);
