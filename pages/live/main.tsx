/** /live: subscribes to the selected channel and shows its events. */
import {
  askForKey,
  enteredKey,
  keyRejected,
  mount,
  onKeyChange,
  root,
  useEffect,
  useRef,
  useState,
  type VNode,
} from '../kit/index.ts';
import { channels, choiceOf, hashOfChoice, type ChannelName, type Choice } from './channels.ts';
import { eventCard } from './event-card.tsx';
import { Feed, maxCards } from './feed.ts';
import { Following } from './following.tsx';
import { ListenForm, type ChoiceError } from './form.tsx';
import { Status } from './status.tsx';
import { listen, type Gap, type State, type Stream } from './stream.ts';

const narrow = matchMedia('(max-width: 60rem)');

/** The close codes for a rejected API key. */
const keyCloseCodes = new Set([4001, 4002, 4005]);

const gapTexts: Readonly<Record<Gap['reason'], string>> = {
  retention: 'Events are missing here: the server no longer retains them.',
  epoch: 'The server has started a new event log: the missed events are not in it.',
};

const Notice = ({ reason, hint }: Gap): VNode => (
  <p class="notice">
    {gapTexts[reason]}
    {hint !== '' && (
      <>
        {' '}
        Load them from REST: <code>{hint}</code>
      </>
    )}
  </p>
);

/** The URL of the event stream. Browsers cannot send the key in a header. */
function streamAddress(): string {
  const url = new URL(`${root}ws`);
  url.protocol = url.protocol.replace('http', 'ws');
  url.search = new URLSearchParams({ api_key: enteredKey() }).toString();
  return url.href;
}

interface Listening {
  readonly state: State;
  readonly feed: Feed;
  readonly error: ChoiceError | undefined;
  start(choice: Choice): void;
  stop(): void;
  retry(): void;
}

/** One subscription at a time, and the feed of its events. */
function useListening(): Listening {
  const [state, setState] = useState<State>({ is: 'idle' });
  const [error, setError] = useState<ChoiceError>();
  const [, setDrawn] = useState(0);
  const stream = useRef<Stream | undefined>(undefined);
  const feed = useRef<Feed | undefined>(undefined);
  feed.current ??= new Feed(() => setDrawn((count) => count + 1));
  const own = feed.current;

  const stop = (): void => {
    stream.current?.stop();
    stream.current = undefined;
  };
  const start = (choice: Choice): void => {
    const { field, params: paramsOf } = channels[choice.channel];
    stop();
    setError(undefined);
    // The address has the choice; never the API key.
    history.replaceState(null, '', hashOfChoice(choice));
    if (field !== undefined && choice.value === '') return setError({ error: `${field}: type a value` });
    own.clear();
    own.setPaused(false);
    const params = paramsOf(choice.value);
    stream.current = listen(
      streamAddress(),
      { channel: choice.channel, params },
      {
        state: setState,
        event: (event, frame) => own.addEvent(eventCard(event, frame, params)),
        gap: (gap) => own.addNotice(<Notice {...gap} />),
        rejected: setError,
      },
    );
  };
  const retry = (): void => stream.current?.reconnectNow();
  useEffect(() => {
    addEventListener('online', retry);
    return () => {
      removeEventListener('online', retry);
      stop();
    };
  }, []);
  return { state, feed: own, error, start, stop, retry };
}

/** Whether the form is open: on a narrow screen it closes when events can arrive, and opens when the reader must correct it. */
function useFormState(state: State): readonly [isOpen: boolean, setOpen: (isOpen: boolean) => void] {
  const [isOpen, setOpen] = useState(() => !narrow.matches || enteredKey() === '');
  useEffect(() => {
    if (state.is === 'live' || state.is === 'replaying') setOpen(!narrow.matches);
    if (state.is === 'refused' || state.is === 'ended' || state.is === 'closed') setOpen(true);
    if (state.is === 'closed' && keyCloseCodes.has(state.code)) keyRejected();
  }, [state]);
  useEffect(() => {
    // A wide page shows no summary to open the form with.
    const open = (): void => setOpen(true);
    narrow.addEventListener('change', open);
    return () => narrow.removeEventListener('change', open);
  }, []);
  return [isOpen, setOpen];
}

/** The last value of each channel, for a reader who comes back to it. */
const values = new Map<ChannelName, string>();

/** The selected channel and value. They start a subscription when there is a key, and when the address or the key changes. */
function useChoice({ start, stop, state }: Listening): readonly [Choice, (choice: Choice) => void] {
  const [choice, setChoice] = useState<Choice>(() => choiceOf(location.hash));
  const current = useRef(choice);
  current.current = choice;
  const isIdle = useRef(true);
  isIdle.current = state.is === 'idle';
  useEffect(() => {
    if (enteredKey() === '') askForKey();
    else start(choice);
    const onHash = (): void => {
      const next = choiceOf(location.hash);
      setChoice(next);
      if (!isIdle.current) start(next);
    };
    addEventListener('hashchange', onHash);
    onKeyChange(() => (enteredKey() === '' ? stop() : start(current.current)));
    return () => removeEventListener('hashchange', onHash);
  }, []);
  return [choice, setChoice];
}

const Empty = (): VNode => (
  <div id="empty">
    <p>
      <b>No events yet.</b>
    </p>
    <p>
      Events appear here, newest first. The page shows the newest {maxCards}. To see some, start the service with{' '}
      <code>npm start -- --replay</code>: it replays the bundled sample.
    </p>
  </div>
);

function Live(): VNode {
  const listening = useListening();
  const { state, feed, error, start } = listening;
  const [choice, setChoice] = useChoice(listening);
  const [isOpen, setOpen] = useFormState(state);
  const list = useRef<HTMLOListElement>(null);
  const line = useRef<HTMLDivElement>(null);
  const begin = (value = choice.value): void => {
    const next = { ...choice, value: value.trim() };
    values.set(next.channel, next.value);
    setChoice(next);
    start(next);
    // On a narrow screen the events are below the visible area.
    if (narrow.matches) line.current?.scrollIntoView({ block: 'start' });
  };
  const choose = (channel: ChannelName): void => {
    values.set(choice.channel, choice.value);
    const next = { channel, value: values.get(channel) ?? channels[channel].value };
    setChoice(next);
    if (state.is !== 'idle') start(next);
  };
  const clear = (): void => {
    feed.clear();
    list.current?.focus();
  };
  return (
    <>
      <h1>Live events</h1>
      <p class="lead">
        The events of <code>/ws</code> in real time. <a href={`${root}docs/events`}>How it works</a>
      </p>
      <div class="live">
        <details id="what" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary>Listen to</summary>
          <ListenForm
            choice={choice}
            error={error}
            change={(value) => setChoice({ ...choice, value })}
            choose={choose}
            listen={begin}
          />
        </details>
        <section id="stream" aria-label="Events" ref={line}>
          <Following />
          <Status {...listening} clear={clear} />
          {feed.cards.length === 0 && <Empty />}
          <ol id="events" ref={list} tabIndex={-1}>
            {feed.cards.map(({ id, view }) => (
              <li key={id}>{view}</li>
            ))}
          </ol>
        </section>
      </div>
    </>
  );
}

mount(Live);
