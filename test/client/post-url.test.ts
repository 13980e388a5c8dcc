import { expect, test } from '@jest/globals';
import { postUrl, type Tweet, type TweetShort } from '../../client/src/index.ts';
import { tidOfId } from '../../server/domain/tid.ts';
import { exampleAnswer } from '../support/contract.ts';
import fc from '../support/property.ts';
import { rounds } from '../support/rounds.ts';

const post = (username: string, id: string) => ({ id, author: { username } });

test.each([
  ['mira_codes', '1890000000000000001', 'https://x.com/mira_codes/status/1890000000000000001'],
  ['alice.example.com', '1728652679052295174', 'https://bsky.app/profile/alice.example.com/post/3jzfcijpj2z2a'],
  ['alice.example.com', '0', 'https://bsky.app/profile/alice.example.com/post/2222222222222'],
  ['alice.example.com', '9223372036854775807', 'https://bsky.app/profile/alice.example.com/post/bzzzzzzzzzzzz'],
  ['alice.example.com', '9223372036854775808', undefined],
  ['123456789012.invalid', '1728652679052295174', undefined],
  ['', '1728652679052295174', undefined],
])('the address of a tweet of %j with the id %s is %s', (username, id, url) => {
  expect(postUrl(post(username, id))).toBe(url);
});

test('a retweet has the address of the retweeted tweet; a tweet of the service has the right type', () => {
  const original = post('alice.example.com', '1728652679052295174');
  expect(postUrl({ ...post('bob.example.com', '1728652679052295175'), retweeted_tweet: original })).toBe(
    postUrl(original),
  );
  const [full] = (exampleAnswer('getUserLastTweets') as { tweets: Tweet[] }).tweets;
  const [short] = (exampleAnswer('searchTweets') as { tweets: TweetShort[] }).tweets;
  for (const tweet of [full, short]) expect(tweet && postUrl(tweet)).toMatch(/^https:\/\/x\.com\/\w+\/status\/\d+$/);
});

test('the record key in the address is the one that the server made the id of', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map(String), (id) => {
      expect(postUrl(post('alice.example.com', id))).toBe(
        `https://bsky.app/profile/alice.example.com/post/${tidOfId(id)}`,
      );
    }),
    { numRuns: rounds(500) },
  );
});
