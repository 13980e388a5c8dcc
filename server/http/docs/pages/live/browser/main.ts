/** The script of /live: subscribes to the selected channel and shows its events. */
import { element, part } from '../../browser/element.ts';
import { drawQueryError, parseQueryError } from '../../browser/fault.ts';
import { askForKey, enteredKey, keyRejected, onKeyChange } from '../../browser/key.ts';
import { channels } from '../channels.ts';
import { drawCard } from './card.ts';
import { box, selectedChoice, onChoice, restoreChoice, saveChoice } from './choice.ts';
import { showFollowing } from './following.ts';
import { addEvent, addNotice, clearFeed, resumeFeed } from './feed.ts';
import { scrollToStatus, showState } from './status.ts';
import { listen, type Gap, type SubscriptionError, type State, type Stream } from './stream.ts';

const formDetails = part<HTMLDetailsElement>('what');
const errorBox = part('fault');
const narrow = matchMedia('(max-width: 60rem)');

let stream: Stream | undefined;

/** The close codes for a rejected API key. */
const keyCloseCodes = new Set([4001, 4002, 4005]);

function showStreamState(state: State): void {
  showState(state);
  // On a narrow screen the form collapses when events can arrive, and opens when the reader must correct it.
  if (state.is === 'live' || state.is === 'replaying') {
    formDetails.open = !narrow.matches;
  }
  if (state.is === 'refused' || state.is === 'ended' || state.is === 'closed') formDetails.open = true;
  if (state.is === 'closed' && keyCloseCodes.has(state.code)) keyRejected();
}

function showError(error?: Pick<SubscriptionError, 'error' | 'position'>): void {
  box.setAttribute('aria-invalid', String(error !== undefined));
  if (error === undefined) return errorBox.replaceChildren();
  const { wrong: unknownName, suggestion } = parseQueryError(error.error);
  const useSuggestion = (text: string): void => {
    box.value = text;
    start();
  };
  errorBox.replaceChildren(
    element('p', {}, [error.error]),
    ...drawQueryError({ offset: error.position, wrong: unknownName, suggestion }, box.value, useSuggestion),
  );
  box.focus();
  if (error.position !== undefined) box.setSelectionRange(error.position, error.position + (unknownName?.length ?? 1));
}

const gapTexts: Readonly<Record<Gap['reason'], string>> = {
  retention: 'Events are missing here: the server no longer retains them.',
  epoch: 'The server has started a new event log: the missed events are not in it.',
};
const notice = ({ reason, hint }: Gap): HTMLElement =>
  element('li', { class: 'notice' }, [
    gapTexts[reason],
    ...(hint === '' ? [] : [' Load them from REST: ', element('code', {}, [hint])]),
  ]);

/** The URL of the event stream, relative to the page, so that it also works behind a proxy that adds a prefix. */
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

/** Subscribes to the selected channel in place of the previous subscription. */
function start(): void {
  const choice = selectedChoice();
  const { field, params: paramsOf } = channels[choice.channel];
  stop();
  showError();
  saveChoice(choice);
  if (field !== undefined && choice.value === '') return showError({ error: `${field}: type a value` });
  clearFeed();
  resumeFeed();
  const params = paramsOf(choice.value);
  stream = listen(
    address(),
    { channel: choice.channel, params },
    {
      state: showStreamState,
      event: (event, frame) => addEvent(() => drawCard(event, frame, params)),
      gap: (gap) => addNotice(() => notice(gap)),
      rejected: showError,
    },
  );
}

function onChannelChange(): void {
  showError();
  if (stream !== undefined) start();
}

onChoice(onChannelChange, () => {
  start();
  if (stream !== undefined && narrow.matches) scrollToStatus();
});
part('retry').addEventListener('click', () => stream?.reconnectNow());
part('stop').addEventListener('click', stop);
addEventListener('online', () => stream?.reconnectNow());
addEventListener('hashchange', () => {
  restoreChoice();
  onChannelChange();
});
// A wide page shows no summary to open the form with.
narrow.addEventListener('change', () => void (formDetails.open = true));

showState({ is: 'idle' });
showFollowing();
restoreChoice();
if (enteredKey() === '') askForKey();
else start();
onKeyChange(() => (enteredKey() === '' ? stop() : start()));
