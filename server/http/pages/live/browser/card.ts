/** Draws an event as a card. Whatever an event says goes in as text. */
import type { components } from '../../../../../generated/types.ts';
import { element } from '../../search/browser/element.ts';
import type { Event } from './stream.ts';

type Schemas = components['schemas'];
type Tweet = Schemas['Tweet'];
type Counts = Omit<Schemas['WsEngagement'], 'tweet_id'>;
type Children = (Node | string)[];

const number = new Intl.NumberFormat('en');
const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const dayMs = 86_400_000;

const labels: Readonly<Record<Event['event'], string>> = {
  'tweet.created': 'New',
  'tweet.updated': 'Edited',
  'tweet.deleted': 'Deleted',
  'tweet.unliked': 'Like taken back',
  'tweet.engagement': 'Counts',
  'community.joined': 'Joined',
  'community.left': 'Left',
  'pool.status': 'Pool',
};

const countNames: readonly (readonly [keyof Counts, one: string, many: string])[] = [
  ['like_count', 'like', 'likes'],
  ['retweet_count', 'retweet', 'retweets'],
  ['quote_count', 'quote', 'quotes'],
  ['reply_count', 'reply', 'replies'],
  ['bookmark_count', 'bookmark', 'bookmarks'],
  ['view_count', 'view', 'views'],
];

/** The counts that were last shown of each tweet, so that a change can be; the oldest are forgotten. */
const shown = new Map<string, Counts>();
const mostShown = 1_000;

function changesOf(id: string, counts: Counts): (name: keyof Counts) => number {
  const before = shown.get(id);
  shown.delete(id);
  shown.set(id, counts);
  if (shown.size > mostShown) shown.delete(shown.keys().next().value!);
  return (name) => (before === undefined ? 0 : counts[name] - before[name]);
}

/** Counts in words; those that are 0 and have not changed are left out where `all` is not asked for. */
function drawCounts(id: string, counts: Counts, all: boolean): HTMLElement {
  const change = changesOf(id, counts);
  const children = countNames.flatMap(([name, one, many]) => {
    const [count, by] = [counts[name], change(name)];
    if (!all && count === 0 && by === 0) return [];
    const more: Children = by === 0 ? [] : [' ', element('i', {}, [`${by > 0 ? '+' : '−'}${number.format(Math.abs(by))}`])];
    return [element('span', {}, [element('b', {}, [number.format(count)]), ` ${count === 1 ? one : many}`, ...more])];
  });
  return element('div', { class: 'facts' }, children);
}

function drawTime(at: string): HTMLElement {
  const date = new Date(at);
  return element('time', { datetime: at, title: at }, [(Date.now() - date.getTime() < dayMs ? clock : day).format(date)]);
}

const drawAuthor = ({ name, username }: { name: string; username: string }): Children => [
  element('bdi', { class: 'name' }, [name || username || 'unknown']),
  ' ',
  element('span', { class: 'username' }, [username === '' ? '' : `@${username}`]),
];

const mediaNames = { photo: ['photo', 'photos'], video: ['video', 'videos'], animated_gif: ['GIF', 'GIFs'] } as const;

/** What a tweet has besides its text; only the full form tells. */
function drawExtras({ media = [], card, article, quoted_tweet: quoted, retweeted_tweet: retweeted }: Partial<Tweet>): Children {
  const hints: string[] = [];
  for (const [type, all] of Map.groupBy(media, (each) => each.type)) hints.push(`${all.length} ${mediaNames[type][all.length === 1 ? 0 : 1]}`);
  if (card !== undefined) hints.push(`link: ${card.title} · ${card.domain}`);
  if (article !== undefined) hints.push(`article: ${article.title}`);
  const nested = quoted ?? retweeted ?? undefined;
  return [
    ...hints.map((hint) => element('span', { class: 'hint-chip' }, [hint])),
    ...(nested === undefined ? [] : [element('blockquote', {}, [
      element('div', { class: 'author' }, [retweeted ? 'Retweet of ' : '', ...drawAuthor(nested.author)]),
      element('p', { class: 'text', dir: 'auto' }, [nested.text]),
    ])]),
  ];
}

function drawBody({ data, event, params }: Event & { params: Schemas['WsParams'] }): Children {
  if ('capacity' in data) {
    const { capable, available, cooling, untested, incapable, capacity } = data;
    const facts = { available, cooling, capable, untested, incapable };
    return [
      element('p', { class: 'text' }, [`${capacity.remaining_now} of ${capacity.daily_capacity} questions left today.`]),
      element('div', { class: 'facts' }, Object.entries(facts).map(([name, count]) => element('span', {}, [element('b', {}, [number.format(count)]), ` ${name}`]))),
    ];
  }
  if ('text' in data) {
    return [
      element('p', { class: 'text', dir: 'auto' }, [data.text]),
      ...drawExtras(data as Partial<Tweet>),
      drawCounts(data.id, data, false),
    ];
  }
  if ('tweet_id' in data) return [drawCounts(data.tweet_id, data, true)];
  if ('role' in data) {
    return [
      element('p', { class: 'text' }, [`@${(params.username ?? '').replace(/^@/, '')} ${event === 'community.left' ? 'left' : 'joined'} `, element('bdi', { class: 'name' }, [data.name]), ` as ${data.role}.`]),
      element('p', { class: 'text quiet', dir: 'auto' }, [data.description]),
      element('div', { class: 'facts' }, [element('span', {}, [element('b', {}, [number.format(data.member_count)]), ' members'])]),
    ];
  }
  return [element('p', { class: 'text' }, ['This tweet is gone.'])];
}

/** What the card is about, in its head. */
function drawSubject({ data }: Event): Children {
  if ('author' in data) return drawAuthor(data.author);
  if ('tweet_id' in data) return [element('span', { class: 'name' }, ['Tweet']), ' ', element('span', { class: 'id' }, [data.tweet_id])];
  if ('capacity' in data) return [element('span', { class: 'name' }, ['Assistant'])];
  return [element('span', { class: 'name' }, ['role' in data ? 'Community' : 'Tweet']), ' ', element('span', { class: 'id' }, [data.id])];
}

/** The frame as it came, readable; made when it is asked for. */
function drawFrame(frame: string): HTMLElement {
  const text = element('pre', { tabindex: '0' });
  const details = element('details', { class: 'raw' }, [element('summary', {}, ['Raw frame']), text]);
  details.addEventListener('toggle', () => (text.textContent = details.open ? JSON.stringify(JSON.parse(frame), null, 2) : ''));
  return details;
}

/** The card of an event. `params`: what was listened to. */
export function drawCard(event: Event, frame: string, params: Schemas['WsParams']): HTMLElement {
  return element('li', { class: 'card' }, [
    element('div', { class: 'head' }, [
      element('span', { class: `kind ${event.event.replace('.', '-')}` }, [labels[event.event] ?? event.event]),
      ...(event.replay === true ? [element('span', { class: 'kind again' }, ['Replayed'])] : []),
      element('span', { class: 'author' }, drawSubject(event)),
      drawTime(event.timestamp),
    ]),
    ...drawBody({ ...event, params }),
    drawFrame(frame),
  ]);
}
