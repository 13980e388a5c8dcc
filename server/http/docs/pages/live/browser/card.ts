/** Renders an event as a card. */
import type { components } from '../../../../../../generated/types.ts';
import { offerCopy } from '../../browser/copy.ts';
import { element } from '../../browser/element.ts';
import {
  drawAvatar,
  drawCounts,
  drawTweet,
  number,
  type Children,
  type Counts,
  type Tweet,
} from '../../browser/tweet.ts';
import { hashOfTag } from '../channels.ts';
import type { Event } from './stream.ts';

type Schemas = components['schemas'];

/** Formats for times of the last day and for older ones, in the time zone of the reader. */
const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const dayMs = 86_400_000;

function drawTime(at: string): HTMLElement {
  const date = new Date(at);
  return element('time', { datetime: at, title: at }, [
    (Date.now() - date.getTime() < dayMs ? clock : day).format(date),
  ]);
}

const names: Readonly<Record<Event['event'], string>> = {
  'tweet.created': 'New',
  'tweet.updated': 'Edited',
  'tweet.deleted': 'Deleted',
  'tweet.unliked': 'Like removed',
  'tweet.engagement': 'Counts',
  'community.joined': 'Joined',
  'community.left': 'Left',
  'pool.status': 'Pool',
};

/** A new tweet needs no label. */
const labelsOf = ({ event, replay }: Event): Children => [
  ...(event === 'tweet.created'
    ? []
    : [element('span', { class: `label ${event.replace('.', '-')}` }, [names[event] ?? event])]),
  ...(replay === true
    ? [element('span', { class: 'label replayed', title: 'Happened while this page was not connected' }, ['Replayed'])]
    : []),
];

/** The last shown counts of each tweet, to compute changes; the oldest are forgotten. */
const lastCounts = new Map<string, Counts>();
const maxShown = 1_000;

function changesOf(id: string, counts: Counts): (name: keyof Counts) => number {
  const previous = lastCounts.get(id);
  lastCounts.delete(id);
  lastCounts.set(id, counts);
  if (lastCounts.size > maxShown) lastCounts.delete(lastCounts.keys().next().value!);
  return (name) => (previous === undefined ? 0 : counts[name] - previous[name]);
}

/** Renders an event that is not a tweet: its subject, then its text. */
const drawOther = (event: Event, subject: Children, body: Children): HTMLElement =>
  element('div', { class: 'other' }, [
    element('div', { class: 'author' }, [element('span', {}, subject), ...labelsOf(event), drawTime(event.timestamp)]),
    ...body,
  ]);

const idOf = (kind: string, id: string): Children => [
  element('span', { class: 'name' }, [kind]),
  ' ',
  element('span', { class: 'id' }, [id]),
];
const fact = (count: number, name: string): HTMLElement =>
  element('span', {}, [element('b', {}, [number.format(count)]), ` ${name}`]);
const facts = (...children: HTMLElement[]): HTMLElement => element('div', { class: 'facts' }, children);

function drawPool(
  event: Event,
  { capable, available, cooling, untested, incapable, capacity }: Schemas['PoolStatus'],
): HTMLElement {
  const counts = Object.entries({ available, cooling, capable, untested, incapable }).map(([name, count]) =>
    fact(count, name),
  );
  const left = `${number.format(capacity.remaining_now)} of ${number.format(capacity.daily_capacity)} questions left today.`;
  return drawOther(
    event,
    [element('span', { class: 'name' }, ['Assistant'])],
    [element('p', { class: 'text' }, [left]), facts(...counts)],
  );
}

function drawCommunity(
  event: Event,
  { id, name, description, role, member_count: members }: Schemas['Community'],
  username: string,
): HTMLElement {
  const user = element('span', { class: 'name' }, [`@${username}`]);
  return element('div', { class: 'tweet' }, [
    drawAvatar({ name, username: id }),
    drawOther(
      event,
      [
        user,
        event.event === 'community.left' ? ' left ' : ' joined ',
        element('bdi', { class: 'name' }, [name]),
        ` as ${role}`,
      ],
      [element('p', { class: 'text', dir: 'auto' }, [description]), facts(fact(members, 'members'))],
    ),
  ]);
}

/** Renders the content of an event. `params`: the parameters of the subscribed channel. */
function drawBody(event: Event, params: Schemas['WsParams']): HTMLElement {
  const { data } = event;
  if ('capacity' in data) return drawPool(event, data);
  if ('text' in data) {
    // The short view and the full view name the counts alike.
    const tweet = data as Tweet;
    return drawTweet(tweet, {
      time: drawTime(tweet.created_at),
      labels: labelsOf(event),
      hrefOf: hashOfTag,
      changeOf: changesOf(tweet.id, tweet),
    });
  }
  if ('tweet_id' in data)
    return drawOther(event, idOf('Tweet', data.tweet_id), [drawCounts(data, changesOf(data.tweet_id, data))]);
  if ('role' in data) return drawCommunity(event, data, (params.username ?? '').replace(/^@/, ''));
  return drawOther(event, idOf('Tweet', data.id), [element('p', { class: 'text' }, ['This tweet was deleted.'])]);
}

/** The received frame as formatted JSON; rendered at the first opening. */
function drawFrame(frame: string): HTMLElement {
  const details = element('details', { class: 'raw' }, [element('summary', {}, ['Raw frame'])]);
  const draw = (): void => {
    const text = JSON.stringify(JSON.parse(frame), null, 2);
    const copy = element('button', { type: 'button' }, ['Copy']);
    offerCopy(copy, () => text);
    details.append(element('pre', { tabindex: '0', 'aria-label': 'The frame as JSON', role: 'region' }, [text]), copy);
  };
  details.addEventListener('toggle', draw, { once: true });
  return details;
}

/** Renders the card of an event. `params`: the parameters of the subscribed channel. */
export const drawCard = (event: Event, frame: string, params: Schemas['WsParams']): HTMLElement =>
  element('li', { class: 'card' }, [drawBody(event, params), drawFrame(frame)]);
