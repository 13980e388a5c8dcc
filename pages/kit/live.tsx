/** New events of a view, while it is open. */
import type { EventOf, Schemas, Selection } from '@social-data/client';
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { client } from './api.ts';
import { useKey } from './key.ts';

/** `off`: no stream, because there is no key or the key lacks the scope, or the page is hidden. */
export type LiveState = 'off' | 'connected' | 'lost';

type AnyEvent = EventOf<Selection>;

/**
 * Calls `receive` for each event of a selection while the page is visible. A hidden page holds no connection; it resumes at
 * its cursor. `undefined` selects nothing.
 */
export function useEvents(selection: Selection | undefined, receive: (event: AnyEvent) => void): LiveState {
  const key = useKey();
  const [state, setState] = useState<LiveState>('off');
  const receiver = useRef(receive);
  receiver.current = receive;
  const id = selection === undefined || key === '' ? undefined : JSON.stringify(selection);
  useEffect(() => {
    if (id === undefined) return setState('off');
    let cursor: string | undefined;
    let stream: ReturnType<typeof client.events> | undefined;
    const listen = async (): Promise<void> => {
      const own = (stream = client.events(JSON.parse(id) as Selection, {
        cursor,
        onGap: () => {},
        onReconnect: () => setState('lost'),
      }));
      setState('connected');
      try {
        for await (const event of own) {
          setState('connected');
          cursor = event.cursor;
          receiver.current(event as AnyEvent);
        }
      } catch {
        // The view still has its list; it only gets nothing new.
        if (stream === own) setState('off');
      }
    };
    const follow = (): void => {
      if (document.hidden) {
        stream?.close();
        stream = undefined;
      } else if (stream === undefined) void listen();
    };
    const leave = (): void => {
      stream?.close();
      stream = undefined;
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    addEventListener('pagehide', leave);
    addEventListener('pageshow', follow);
    return () => {
      leave();
      document.removeEventListener('visibilitychange', follow);
      removeEventListener('pagehide', leave);
      removeEventListener('pageshow', follow);
    };
  }, [id, key]);
  return state;
}

export interface Arrivals {
  readonly state: LiveState;
  readonly waiting: readonly AnyTweet[];
  /** Returns the waiting tweets, newest first, and forgets them. */
  take(): readonly AnyTweet[];
}
export type AnyTweet = Schemas['Tweet'] | Schemas['TweetShort'];

/** The most tweets that wait; more are dropped, oldest first, because the list can be loaded anew. */
const maxWaiting = 200;

/** New tweets of a selection, which wait until the reader wants to see them. */
export function useArrivals(selection: Selection | undefined): Arrivals {
  const [waiting, setWaiting] = useState<readonly AnyTweet[]>([]);
  useEffect(() => setWaiting([]), [JSON.stringify(selection)]);
  const state = useEvents(selection, ({ event, data }) => {
    if (event === 'tweet.created' && 'text' in data)
      setWaiting((before) => [data, ...before.filter(({ id }) => id !== data.id)].slice(0, maxWaiting));
    if (event === 'tweet.deleted' && 'id' in data) setWaiting((before) => before.filter(({ id }) => id !== data.id));
  });
  return {
    state,
    waiting,
    take() {
      setWaiting([]);
      return waiting;
    },
  };
}

/** The button that shows waiting tweets, and whether the view is live. */
export function LiveBar({
  arrivals,
  show,
}: {
  arrivals: Arrivals;
  show: (tweets: readonly AnyTweet[]) => void;
}): VNode {
  const { state, waiting, take } = arrivals;
  return (
    <div class="live-bar" aria-live="polite">
      {waiting.length > 0 && (
        <button type="button" class="pill" onClick={() => show(take())}>
          {waiting.length === maxWaiting ? `${maxWaiting}+` : waiting.length} new
        </button>
      )}
      {state === 'lost' && <span class="live-lost">Connection lost. It reconnects by itself.</span>}
    </div>
  );
}

export const LiveDot = ({ state }: { state: LiveState }): VNode | null =>
  state === 'off' ? null : (
    <span
      class={`live-dot ${state}`}
      title={state === 'connected' ? 'New tweets appear by themselves' : 'Reconnecting'}
    >
      {state === 'connected' ? 'Live' : 'Reconnecting'}
    </span>
  );
