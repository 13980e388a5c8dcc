/** What other programs read in the file of an archive. */
import { expect, test } from '@jest/globals';
import { SqliteArchiveDatabase } from '../../../server/engines/sqlite/sqlite-archive-database.ts';
import { SqliteDatabase } from '../../../server/engines/sqlite/sqlite-database.ts';
import { SqliteWriter } from '../../../server/engines/sqlite/sqlite-writer.ts';
import { createTables } from '../../../server/engines/sqlite/sqlite-search-rows.ts';
import type { ArchiveRecord } from '../../../server/domain/records.ts';
import { archiveOn } from '../../archive/engines.ts';

const ids = ['0', '7', '1234567890123456789', '9223372036854775807', '9223372036854775808', '9999999999999999999'];

test('the views have ids, times and names as the API has them, and words are found with plain SQL', async () => {
  const database = new SqliteDatabase(':memory:');
  createTables(database);
  await archiveOn({ database: new SqliteArchiveDatabase(new SqliteWriter(database)) }).apply([
    { kind: 'user', user: { id: '9999999999999999999', username: 'Mira', name: 'Mira L', verified: true } },
    ...ids.map((id, index): ArchiveRecord => ({
      kind: 'tweet',
      tweet: {
        ...{ id, author_id: '9999999999999999999', text: `coffee ${index}`, lang: index === 1 ? 'en' : 'de' },
        ...{
          created_at: new Date(Date.UTC(1969, 11, 31, 23, 59, 59, 250) + index * 500).toISOString(),
          like_count: index,
        },
      },
    })),
  ]);
  const tweets = database.all('SELECT id, created_at, username, text, like_count FROM tweets ORDER BY like_count');
  expect(tweets.map(({ id }) => id)).toEqual(ids);
  expect(tweets[1]).toEqual({
    ...{ id: '7', created_at: '1969-12-31T23:59:59.750Z', username: 'mira', text: 'coffee 1', like_count: 1 },
  });
  expect(database.first('SELECT in_reply_to_id, quoted_tweet_id FROM tweets')).toEqual({
    ...{ in_reply_to_id: null, quoted_tweet_id: null },
  });
  expect(database.all('SELECT id, username, name, verified, description FROM users')).toEqual([
    { id: '9999999999999999999', username: 'Mira', name: 'Mira L', verified: 1, description: null },
  ]);
  const found = database.all(
    `SELECT username, text FROM search WHERE words MATCH '"coffee" AND "lang:en"' ORDER BY created_at`,
  );
  expect(found).toEqual([{ username: 'mira', text: 'coffee 1' }]);
  database.close();
});
