/** What is asked for: the data that all contestants have, and the requests. */

/** The key that all contestants know. */
export const key = 'sd_bench_http_key_of_the_load';

export const userCount = 400;
export const tweetsOfUser = 50;
const letters = 'abcdefghijklmnopqrst';

/** A handle of 12 letters. */
export const username = (user: number): string =>
  `${letters[user % 20]}${letters[Math.floor(user / 20) % 20]}benchperson`.slice(0, 12);

/** The data: people, a community for each of them, and tweets with everything that a tweet may have. */
export function* records(): Generator<object, void> {
  yield {
    kind: 'community',
    community: {
      id: '77',
      name: 'Bench',
      description: 'People who measure.',
      member_count: userCount,
      moderator_count: 1,
      join_policy: 'open',
    },
  };
  for (let user = 0; user < userCount; user += 1) {
    const id = String(1000 + user);
    yield {
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
    yield { kind: 'membership', community_id: '77', user_id: id, role: 'member' };
    for (let n = 0; n < tweetsOfUser; n += 1) {
      const number = user * tweetsOfUser + n;
      yield {
        kind: 'tweet',
        tweet: {
          id: String(1_890_000_000_000_000_000n + BigInt(number)),
          text: `Measurement ${number}: the page of twenty was answered in time again ☕, and the café next door had room. What was counted is told in full, with the machine, the load and the hour, so that whoever measures after us can tell a change from the weather. Notes at https://example.org/notes/${number} #bench #node $NODE`,
          created_at: new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString(),
          author_id: id,
          retweet_count: n,
          reply_count: n * 2,
          like_count: n * 3,
          quote_count: 1,
          bookmark_count: 2,
          view_count: n * 100,
          media:
            n % 4 === 0
              ? [
                  {
                    type: 'photo',
                    url: `https://images.example/photo-${number}.jpg`,
                    expanded_url: `https://example.org/status/${number}/photo/1`,
                  },
                ]
              : [],
          ...(n % 5 === 0
            ? {
                card: {
                  url: `https://example.org/notes/${number}`,
                  title: 'Notes of a measurement',
                  description: 'What was measured, and how.',
                  image: 'https://images.example/notes.png',
                  domain: 'example.org',
                },
              }
            : {}),
        },
      };
    }
  }
}

/** Requests: the same again and again, or each with parameters that never came before; a page of 20 tweets, or a small answer. */
export const shapes = {
  'page, repeated': 'the same page of 20 full tweets',
  'small, repeated': 'the same small answer',
  'page, new': 'a page of 20 full tweets, parameters never seen before',
  'small, new': 'a small answer, parameters never seen before',
} as const;
export type Shape = keyof typeof shapes;

/** Handles may be written in large and small letters: 4,096 ways for each. */
function spelling(count: number): string {
  const name = username(count % userCount);
  const way = Math.floor(count / userCount);
  return Array.from(name, (letter, place) => ((way >> place) & 1 ? letter.toUpperCase() : letter)).join('');
}

/** Gives the target of one request after the other. */
export function targetsOf(shape: Shape): () => string {
  const path = shape.startsWith('page') ? '/social/user/last_tweets' : '/social/community/members';
  if (shape.endsWith('repeated')) return () => `${path}?username=${username(7)}`;
  let count = 0;
  return () => `${path}?username=${spelling(userCount + count++)}`;
}
