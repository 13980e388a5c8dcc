/** Brings /live to life: what is chosen is listened to, what happens is shown, and the address keeps the choice. */
import { element, part } from '../../search/browser/element.ts';
import { drawFault, faultOf } from '../../search/browser/fault.ts';
import { channels, isChannel, type ChannelName } from '../channels.ts';
import { drawCard } from './card.ts';
import { addEvent, addNotice, clearFeed } from './feed.ts';
import { keepKey, knownKey } from './key.ts';
import { listen, type Gap, type Refusal, type State, type Stream } from './stream.ts';
import { wordingOf } from './wording.ts';

const form = part<HTMLFormElement>('listen');
const select = part<HTMLSelectElement>('channel');
const tells = part('tells');
const valueRow = part('value-row');
const valueLabel = part('value-label');
const value = part<HTMLInputElement>('value');
const examples = part('examples');
const key = part<HTMLInputElement>('key');
const fault = part('fault');
const status = part('state');
const stateName = part('state-name');
const stateDetail = part('state-detail');
const countdown = part('countdown');
const retry = part<HTMLButtonElement>('retry');
const stop = part<HTMLButtonElement>('stop');
const pause = part<HTMLButtonElement>('pause');

const narrow = matchMedia('(max-width: 60rem)');

let stream: Stream | undefined;
let state: State = { is: 'idle' };
/** What was last asked for in each channel. */
const values = new Map<ChannelName, string>();

const chosen = (): ChannelName => (isChannel(select.value) ? select.value : 'search:tweets');

function showState(): void {
  const { name, detail } = wordingOf(state);
  status.dataset.is = state.is;
  stateName.textContent = name;
  stateDetail.textContent = detail;
  countDown();
  retry.hidden = state.is !== 'waiting';
  const isOver = state.is === 'idle' || state.is === 'closed' || state.is === 'refused';
  stop.hidden = isOver;
  pause.hidden = isOver;
}

/** Beside the name of the state, which screen readers say: they need not say each second. */
function countDown(): void {
  countdown.textContent = state.is === 'waiting' ? `in ${Math.max(1, Math.ceil((state.at - performance.now()) / 1000))} s` : '';
}

function become(next: State): void {
  state = next;
  if (next.is === 'live' || next.is === 'replaying') keepKey(key.value.trim());
  if (next.is === 'closed' && (next.code === 4001 || next.code === 4005)) {
    keepKey('');
    key.focus();
    key.setAttribute('aria-invalid', 'true');
  }
  showState();
}

function showFault(error?: Pick<Refusal, 'error'> & { readonly position?: number }): void {
  value.setAttribute('aria-invalid', String(error !== undefined));
  if (error === undefined) return fault.replaceChildren();
  const { wrong, meant } = faultOf(error.error);
  const mend = (text: string): void => {
    value.value = text;
    start();
  };
  fault.replaceChildren(element('p', {}, [error.error]), ...drawFault({ at: error.position, wrong, meant }, value.value, mend));
  if (error.position !== undefined) {
    value.focus();
    value.setSelectionRange(error.position, error.position + (wrong?.length ?? 1));
  }
}

function notice({ reason, hint }: Gap): HTMLElement {
  const why = reason === 'retention' ? 'Events are missing here: they are no longer kept.' : 'The server has begun another event log: what happened meanwhile is not known here.';
  return element('li', { class: 'notice' }, hint === '' ? [why] : [why, ' REST has them: ', element('code', {}, [hint])]);
}

/** The address of the event stream, from the page's own: it also holds behind a proxy that adds a prefix. */
function address(apiKey: string): string {
  const url = new URL('./ws', location.href.replace(/[?#].*$/, ''));
  url.protocol = url.protocol.replace('http', 'ws');
  url.search = new URLSearchParams({ api_key: apiKey }).toString();
  return url.href;
}

function start(): void {
  const channel = chosen();
  const given = value.value.trim();
  const { field, params: paramsOf } = channels[channel];
  stream?.stop();
  stream = undefined;
  showFault();
  key.setAttribute('aria-invalid', 'false');
  remember();
  if (field !== undefined && given === '') {
    showFault({ error: `${field}: say what to listen to` });
    return value.focus();
  }
  clearFeed();
  const params = paramsOf(given);
  stream = listen(address(key.value.trim()), { channel, params }, {
    state: become,
    event: (event, frame) => addEvent(() => drawCard(event, frame, params)),
    gap: (gap) => addNotice(() => notice(gap)),
    refused: showFault,
  });
}

/** Keeps the choice behind `#` in the address, where it can be linked to and no server sees it; never the key. */
function remember(): void {
  const channel = chosen();
  const given = value.value.trim();
  values.set(channel, given);
  history.replaceState(null, '', `#${new URLSearchParams({ channel, ...(channels[channel].field === undefined ? {} : { value: given }) })}`);
}

/** Shows the field that the channel needs. */
function showChannel(): void {
  const { tells: about, field, value: usual } = channels[chosen()];
  tells.textContent = `Tells of ${about}.`;
  valueRow.hidden = field === undefined;
  valueLabel.textContent = field ?? '';
  value.value = values.get(chosen()) ?? usual;
  examples.hidden = chosen() !== 'search:tweets';
  showFault();
}

/** Takes the choice from the address, where it has one. */
function recall(): void {
  const given = new URLSearchParams(location.hash.slice(1));
  const channel = given.get('channel') ?? '';
  if (isChannel(channel)) {
    select.value = channel;
    values.set(channel, given.get('value') ?? channels[channel].value);
  }
  showChannel();
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  start();
  // On a phone the events are below the form.
  if (stream !== undefined && narrow.matches) status.scrollIntoView({ block: 'start' });
});
select.addEventListener('change', () => {
  showChannel();
  if (stream !== undefined) start();
});
examples.addEventListener('click', (event) => {
  const button = (event.target as Element).closest('button');
  if (button === null) return;
  value.value = button.textContent ?? '';
  start();
});
key.addEventListener('change', () => void (key.value === '' && keepKey('')));
retry.addEventListener('click', () => stream?.hurry());
stop.addEventListener('click', () => {
  stream?.stop();
  stream = undefined;
});
addEventListener('online', () => stream?.hurry());
addEventListener('hashchange', () => {
  recall();
  if (stream !== undefined) start();
});
setInterval(countDown, 250);

key.value = knownKey();
recall();
clearFeed();
showState();
if (key.value !== '') start();
else key.focus();
