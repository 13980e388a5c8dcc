/** Brings /live to life: what is chosen is listened to, and what happens is shown. */
import { element, part } from '../../browser/element.ts';
import { drawQueryError, parseQueryError } from '../../browser/fault.ts';
import { focusKey, enteredKey, keyRejected, keyAccepted } from '../../browser/key.ts';
import { channels } from '../channels.ts';
import { drawCard } from './card.ts';
import { box, selectedChoice, onChoice, restoreChoice, saveChoice } from './choice.ts';
import { addEvent, addNotice, clearFeed, resumeFeed } from './feed.ts';
import { scrollToStatus, showState } from './status.ts';
import { listen, type Gap, type SubscriptionError, type State, type Stream } from './stream.ts';

const what = part<HTMLDetailsElement>('what');
const fault = part('fault');
const narrow = matchMedia('(max-width: 60rem)');

let stream: Stream | undefined;

/** The server's codes for a key that it does not take. */
const keyClosings = new Set([4001, 4002, 4005]);

function become(state: State): void {
  showState(state);
  // On a phone the events come first, as soon as there can be some, and the form where there is something to mend.
  if (state.is === 'live' || state.is === 'replaying') {
    keyAccepted();
    what.open = !narrow.matches;
  }
  if (state.is === 'refused' || state.is === 'closed') what.open = true;
  if (state.is === 'closed' && keyClosings.has(state.code)) keyRejected();
}

function showFault(error?: Pick<SubscriptionError, 'error' | 'position'>): void {
  box.setAttribute('aria-invalid', String(error !== undefined));
  if (error === undefined) return fault.replaceChildren();
  const { wrong, suggestion: meant } = parseQueryError(error.error);
  const mend = (text: string): void => {
    box.value = text;
    start();
  };
  fault.replaceChildren(
    element('p', {}, [error.error]),
    ...drawQueryError({ offset: error.position, wrong, suggestion: meant }, box.value, mend),
  );
  box.focus();
  if (error.position !== undefined) box.setSelectionRange(error.position, error.position + (wrong?.length ?? 1));
}

const losses: Readonly<Record<Gap['reason'], string>> = {
  retention: 'Events are missing here: the server no longer keeps them.',
  epoch: 'The server has begun a new event log: what happened meanwhile is not in it.',
};
const notice = ({ reason, hint }: Gap): HTMLElement =>
  element('li', { class: 'notice' }, [
    losses[reason],
    ...(hint === '' ? [] : [' Ask for them over REST: ', element('code', {}, [hint])]),
  ]);

/** The address of the event stream, from the page's own: it also holds behind a proxy that adds a prefix. */
function address(): string {
  const url = new URL('./ws', location.href.replace(/[?#].*$/, ''));
  url.protocol = url.protocol.replace('http', 'ws');
  url.search = new URLSearchParams({ api_key: enteredKey() }).toString();
  return url.href;
}

function stop(): void {
  stream?.stop();
  stream = undefined;
}

/** Listens to what is chosen, in place of what was listened to. */
function start(): void {
  const choice = selectedChoice();
  const { field, params: paramsOf } = channels[choice.channel];
  stop();
  showFault();
  saveChoice(choice);
  if (field !== undefined && choice.value === '') return showFault({ error: `${field}: say what to listen to` });
  clearFeed();
  resumeFeed();
  const params = paramsOf(choice.value);
  stream = listen(
    address(),
    { channel: choice.channel, params },
    {
      state: become,
      event: (event, frame) => addEvent(() => drawCard(event, frame, params)),
      gap: (gap) => addNotice(() => notice(gap)),
      rejected: showFault,
    },
  );
}

function changed(): void {
  showFault();
  if (stream !== undefined) start();
}

onChoice(changed, () => {
  start();
  if (stream !== undefined && narrow.matches) scrollToStatus();
});
part('retry').addEventListener('click', () => stream?.reconnectNow());
part('stop').addEventListener('click', stop);
addEventListener('online', () => stream?.reconnectNow());
addEventListener('hashchange', () => {
  restoreChoice();
  changed();
});
// A wide page has no summary to open it with.
narrow.addEventListener('change', () => void (what.open = true));

showState({ is: 'idle' });
restoreChoice();
if (enteredKey() === '') focusKey();
else start();
