/** What the reader chooses to listen to: a channel and its parameter. The page's address keeps it. */
import { part } from '../../browser/element.ts';
import { hashOfChoice, channels, isChannel, type ChannelName } from '../channels.ts';

export interface Choice {
  readonly channel: ChannelName;
  readonly value: string;
}

const form = part<HTMLFormElement>('listen');
const select = part<HTMLSelectElement>('channel');
const tells = part('tells');
const row = part('value-row');
const label = part('value-label');
const examples = part('examples');
export const box = part<HTMLInputElement>('value');

/** What was last given for each channel. */
const values = new Map<ChannelName, string>();

export function selectedChoice(): Choice {
  return { channel: isChannel(select.value) ? select.value : 'search:tweets', value: box.value.trim() };
}

/** Keeps the choice in the address; never the key. */
export function saveChoice({ channel, value }: Choice): void {
  values.set(channel, value);
  history.replaceState(null, '', hashOfChoice(channel, value));
}

/** Shows the field that the channel needs, with what was last in it. */
function showChannel(): void {
  const { channel } = selectedChoice();
  const { description: about, field, value: usual } = channels[channel];
  tells.textContent = `Tells of ${about}.`;
  row.hidden = field === undefined;
  label.textContent = field ?? '';
  box.value = values.get(channel) ?? usual;
  examples.hidden = channel !== 'search:tweets';
}

/** Takes the choice from the address, where it has one. */
export function restoreChoice(): void {
  const given = new URLSearchParams(location.hash.slice(1));
  const channel = given.get('channel') ?? '';
  if (isChannel(channel)) {
    select.value = channel;
    values.set(channel, given.get('value') ?? channels[channel].value);
  }
  showChannel();
}

/** `changed`: another channel was chosen. `wanted`: the reader wants to listen to what is chosen. */
export function onChoice(changed: () => void, wanted: () => void): void {
  select.addEventListener('change', () => {
    showChannel();
    changed();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    wanted();
  });
  examples.addEventListener('click', (event) => {
    const button = (event.target as Element).closest('button');
    if (button === null) return;
    box.value = button.textContent ?? '';
    wanted();
  });
}
