/** The status line of the connection, with its buttons. */
import { plural, useEffect, useState, type VNode } from '../kit/index.ts';
import type { Feed } from './feed.ts';
import type { State } from './stream.ts';
import { wordingOf } from './wording.ts';

const inactive: ReadonlySet<State['is']> = new Set(['idle', 'refused', 'ended', 'closed']);

const secondsUntil = (at: number): number => Math.max(1, Math.ceil((at - performance.now()) / 1000));

/** Separate from the name of the state, so that screen readers do not read each second. */
function Countdown({ at }: { at: number }): VNode {
  const [seconds, setSeconds] = useState(secondsUntil(at));
  useEffect(() => {
    const timer = setInterval(() => setSeconds(secondsUntil(at)), 250);
    return () => clearInterval(timer);
  }, [at]);
  return <span id="countdown">in {seconds} s</span>;
}

const pauseText = ({ isPaused, missed }: Feed): string => {
  if (!isPaused) return 'Pause';
  return missed === 0 ? 'Resume' : `Resume · ${missed} new`;
};

export function Status(props: {
  state: State;
  feed: Feed;
  retry: () => void;
  stop: () => void;
  clear: () => void;
}): VNode {
  const { state, feed, retry, stop, clear } = props;
  const { name, detail } = wordingOf(state);
  const isActive = !inactive.has(state.is);
  return (
    <div id="state" data-is={state.is}>
      <span class="dot" aria-hidden="true" />
      <p>
        <b id="state-name" role="status">
          {name}
        </b>{' '}
        {state.is === 'waiting' && <Countdown at={state.at} />}
      </p>
      {feed.total > 0 && <span id="counter">{plural(feed.total, 'event')}</span>}
      <div id="actions">
        {state.is === 'waiting' && (
          <button type="button" onClick={retry}>
            Retry now
          </button>
        )}
        {isActive && (
          <button type="button" aria-pressed={feed.isPaused} onClick={() => feed.setPaused(!feed.isPaused)}>
            {pauseText(feed)}
          </button>
        )}
        {feed.cards.length > 0 && (
          <button type="button" onClick={clear}>
            Clear
          </button>
        )}
        {isActive && (
          <button type="button" onClick={stop}>
            Stop
          </button>
        )}
      </div>
      <p id="state-detail" role="status">
        {detail}
      </p>
    </div>
  );
}
