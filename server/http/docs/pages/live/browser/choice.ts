/** The selected channel and its parameter, which the URL of the page stores. */
import { part } from '../../browser/element.ts';
import { hashOfChoice, channels, isChannel, type ChannelName } from '../channels.ts';

export interface Choice {
  readonly channel: ChannelName;
  readonly value: string;
}

const form = part<HTMLFormElement>('listen');
const select = part<HTMLSelectElement>('channel');
const channelText = part('channel-text');
const row = part('value-row');
const label = part('value-label');
const examples = part('examples');
export const box = part<HTMLInputElement>('value');

/** The last value of each channel. */
const values = new Map<ChannelName, string>();

export function selectedChoice(): Choice {
  return { channel: isChannel(select.value) ? select.value : 'search:tweets', value: box.value.trim() };
}

/** Stores the choice in the URL; never the API key. */
export function saveChoice({ channel, value }: Choice): void {
  values.set(channel, value);
  history.replaceState(null, '', hashOfChoice(channel, value));
}

/** Shows the field that the channel needs, with its last value. */
function showChannel(): void {
  const { channel } = selectedChoice();
  const { description, field, value: defaultValue } = channels[channel];
  channelText.textContent = `Events: ${description}.`;
  row.hidden = field === undefined;
  label.textContent = field ?? '';
  box.value = values.get(channel) ?? defaultValue;
  examples.hidden = channel !== 'search:tweets';
}

/** Restores the choice from the URL, if it contains one. */
export function restoreChoice(): void {
  const parameters = new URLSearchParams(location.hash.slice(1));
  const channel = parameters.get('channel') ?? '';
  if (isChannel(channel)) {
    select.value = channel;
    values.set(channel, parameters.get('value') ?? channels[channel].value);
  }
  showChannel();
}

/** `onChange` is called when the reader selects another channel, `onSubmit` when the reader starts the subscription. */
export function onChoice(onChange: () => void, onSubmit: () => void): void {
  select.addEventListener('change', () => {
    showChannel();
    onChange();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    onSubmit();
  });
  examples.addEventListener('click', (event) => {
    const button = (event.target as Element).closest('button');
    if (button === null) return;
    box.value = button.textContent ?? '';
    onSubmit();
  });
}
