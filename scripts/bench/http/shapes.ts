/** The data that all servers hold, and the requests. */

const userCount = 400;
const tweetsOfUser = 50;
const letters = 'abcdefghijklmnopqrst';

/** A handle of 12 letters. */
const username = (user: number): string =>
  `${letters[user % 20]}${letters[Math.floor(user / 20) % 20]}benchperson`.slice(0, 12);

function userRecord(user: number): object {
  const id = String(1000 + user);
  return {
    kind: 'user',
    user: {
      id,
      username: username(user),
      name: `Person ${user}`,
      description: 'Writes benchmarks.',
      profile_image: `https://images.example/${id}.png`,
      followers_count: user * 7,
      following_count: 12,
      verified: user % 3 === 0,
      created_at: '2020-01-01T00:00:00Z',
    },
  };
}

/** A tweet; every fourth one has a photo, every fifth one a card. `index`: its index among the author's tweets. */
function tweetRecord(user: number, index: number): object {
  const number = user * tweetsOfUser + index;
  const photo = {
    type: 'photo',
    url: `https://images.example/photo-${number}.jpg`,
    expanded_url: `https://example.org/status/${number}/photo/1`,
  };
  const card = {
    url: `https://example.org/notes/${number}`,
    title: 'Notes of a measurement',
    description: 'The method and the results.',
    image: 'https://images.example/notes.png',
    domain: 'example.org',
  };
  return {
    kind: 'tweet',
    tweet: {
      id: String(1_890_000_000_000_000_000n + BigInt(number)),
      text:
        `Measurement ${number}: the page of twenty tweets arrived in time again ☕, and the café next door had free tables. ` +
        'The report lists the machine, the load, the hour and all results, so that later measurements can be compared with ' +
        `these ones. Notes at https://example.org/notes/${number} #bench #node $NODE`,
      created_at: new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString(),
      author_id: String(1000 + user),
      retweet_count: index,
      reply_count: index * 2,
      like_count: index * 3,
      quote_count: 1,
      bookmark_count: 2,
      view_count: index * 100,
      media: index % 4 === 0 ? [photo] : [],
      ...(index % 5 === 0 && { card }),
    },
  };
}

/** The data: a community, its members, and their tweets with media, cards, hashtags and links. */
export function* records(): Generator<object, void> {
  const community = {
    id: '77',
    name: 'Bench',
    description: 'Benchmark authors.',
    member_count: userCount,
    moderator_count: 1,
    join_policy: 'open',
  };
  yield { kind: 'community', community };
  for (let user = 0; user < userCount; user += 1) {
    yield userRecord(user);
    yield { kind: 'membership', community_id: community.id, user_id: String(1000 + user), role: 'member' };
    for (let index = 0; index < tweetsOfUser; index += 1) yield tweetRecord(user, index);
  }
}

/** The requests: a page of 20 full tweets or a small response, the same request repeatedly or new parameters each time; and new searches. */
export const shapes = ['page, repeated', 'small, repeated', 'page, new', 'small, new', 'search, new'] as const;
export type Shape = (typeof shapes)[number];

/** A handle in one of its 4,096 spellings with upper and lower case letters. */
function spelling(count: number): string {
  const name = username(count % userCount);
  const variant = Math.floor(count / userCount);
  return Array.from(name, (letter, index) => ((variant >> index) & 1 ? letter.toUpperCase() : letter)).join('');
}

const searchedWords = [
  'measurement',
  'page',
  'twenty',
  'arrived',
  'café',
  'tables',
  'report',
  'machine',
  'load',
  'hour',
  'results',
  'later',
];

/** Two words, one of 144 pairs, in a spelling with upper and lower case letters that no search before had. */
function searchFor(count: number): string {
  const all = searchedWords.length;
  const word = (place: number): string => searchedWords[place % all] ?? '';
  const text = `${word(count)} ${word(Math.floor(count / all))}`;
  const variant = Math.floor(count / all ** 2);
  return Array.from(text, (letter, index) => ((variant >> index) & 1 ? letter.toUpperCase() : letter)).join('');
}

/** A generator of request targets. */
export function targetsOf(shape: Shape): () => string {
  if (shape === 'search, new') {
    let searched = 0;
    return () => `/social/tweet/advanced_search?query=${encodeURIComponent(searchFor(searched++))}`;
  }
  const path = shape.startsWith('page') ? '/social/user/last_tweets' : '/social/community/members';
  if (shape.endsWith('repeated')) return () => `${path}?username=${username(7)}`;
  let count = 0;
  return () => `${path}?username=${spelling(userCount + count++)}`;
}
