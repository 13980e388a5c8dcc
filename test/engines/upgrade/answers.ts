/** What a service answers to the operations that read. */
import { WebSocket } from 'ws';
import { key } from '../../support/service.ts';
import { communities, tweetId, users } from './history.ts';

/** A request and its answer. */
export interface Answer {
  readonly target: string;
  readonly status: number;
  readonly body: unknown;
}

const queries = [
  ...[
    'coffee',
    '"coffee code"',
    'from:u1005',
    '-coffee',
    '#release',
    '$BTC',
    '@u1007',
    'to:u1002',
    'min_faves:300',
    'list:u1003/press',
  ],
  ...[
    '日本語',
    'café',
    'ångström',
    'coffee OR storm',
    'filter:media',
    'filter:replies lang:en',
    'since:2026-01-05 until:2026-01-06',
  ],
];

/** The first request of each list and each record. */
const targets = [
  ...queries.flatMap((query) =>
    ['Latest', 'Top'].map(
      (type) => `/social/tweet/advanced_search?${new URLSearchParams({ query, query_type: type })}`,
    ),
  ),
  ...[...users, '2000'].flatMap((id) => [
    `/social/user/info?user_id=${id}`,
    `/social/user/last_tweets?user_id=${id}&include_replies=1`,
    `/social/user/highlights?user_id=${id}`,
    `/social/user/followings?user_id=${id}&limit=2`,
    `/social/user/mentions?username=u${id}`,
    `/social/community/members?username=u${id}`,
  ]),
  ...Array.from({ length: 60 }, (_, n) => tweetId(n * 41)).flatMap((id) =>
    ['info', 'thread', 'replies', 'retweeters'].map((name) => `/social/tweet/${name}?tweet_id=${id}`),
  ),
  ...communities.flatMap((id) => ['discover', 'media'].map((name) => `/social/community/${name}?id=${id}`)),
  '/social/space/detail?id=s1',
  '/social/space/detail?id=s2',
];

/** Members of responses that version 1.2.0 does not have. */
const addedMembers = ['liked'];

/** The answer to a request, without `addedMembers`. */
export async function answerOf(url: string, target: string): Promise<Answer> {
  const response = await fetch(url + target, { headers: { 'x-api-key': key } });
  const body = (await response.json()) as object;
  const known = Object.entries(body).filter(([name]) => !addedMembers.includes(name));
  return { target, status: response.status, body: Object.fromEntries(known) };
}

/** The request of the page behind an answer; undefined for the last page. */
export function nextOf({ target, body }: Answer): string | undefined {
  const { next_cursor: cursor } = body as { readonly next_cursor?: string | null };
  return cursor ? `${target.replace(/&cursor=.*/, '')}&cursor=${encodeURIComponent(cursor)}` : undefined;
}

/** The answers to all first requests, and to those of the two pages behind each of them. */
export async function pagesOf(url: string): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const first of targets) {
    let target: string | undefined = first;
    for (let page = 0; page < 3 && target !== undefined; page++) {
      const answer = await answerOf(url, target);
      answers.push(answer);
      target = nextOf(answer);
    }
  }
  return answers;
}

/** The subscriptions of each connection: a message says one channel only, so no two of them have the same events. */
const subscriptions = [
  users.slice(0, 8).map((id) => ({ channel: 'user:tweets', params: { user_id: id } })),
  communities.map((id) => ({ channel: 'community:tweets', params: { id } })),
];

/** The events after a number as subscriptions to the tweets of some authors, and to those of all communities, get them. */
export async function eventsAfter(url: string, seq: number): Promise<unknown[]> {
  const { headers } = await fetch(`${url}/social/user/info?user_id=${users[0]}`, { headers: { 'x-api-key': key } });
  const [epoch, head] = headers.get('x-event-cursor')!.split('.');
  const events: string[] = [];
  for (const each of subscriptions)
    for (const message of await heard(url, `${epoch}.${seq}`, each))
      events.push(JSON.stringify({ ...message, subs: undefined, timestamp: undefined }));
  return [{ epoch, head }, ...events.toSorted().map((event) => JSON.parse(event) as unknown)];
}

/** The events that a connection gets until a second passes without one. */
async function heard(url: string, cursor: string, subscribed: readonly object[]): Promise<object[]> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws?api_key=${key}`);
  const messages: { readonly type: string }[] = [];
  let last = Date.now();
  socket.on('message', (data) => {
    last = Date.now();
    messages.push(JSON.parse(String(data)) as { type: string });
  });
  await new Promise((resolve) => socket.once('open', resolve));
  for (const [index, each] of subscribed.entries())
    socket.send(JSON.stringify({ type: 'subscribe', id: `s${index}`, cursor, ...each }));
  while (Date.now() - last < 1_000) await new Promise((resolve) => setTimeout(resolve, 100));
  socket.close();
  return messages.filter(({ type }) => type === 'event');
}
