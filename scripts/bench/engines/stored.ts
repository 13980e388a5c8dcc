/** The search of this service, in an archive that `npm run import` has filled. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readConfig } from '../../../server/config/config.ts';
import { openStoredArchive, type StoredArchive } from '../../../server/engines/open-archive.ts';
import { SqliteDatabase } from '../../../server/engines/sqlite/sqlite-database.ts';
import { databaseFile } from '../../../server/storage/database-file.ts';
import { firstMoment, idOf, numberOf } from '../../sample/many-tweets.ts';
import { parse } from '../../../server/search/language/parse.ts';
import { importFile, startService } from '../service.ts';
import { createPlace, type Place } from '../stored-archive.ts';
import type { Engine } from './engine.ts';

/** From so many tweets on, a SQLite file has a table of those with the most engagement. */
const minTopTweets = 10_000;

/** Runs a service until it has merged the words and filled that table, as after some time of a service. */
async function tidy({ folder, variables }: Place): Promise<void> {
  const service = await startService(variables);
  const database = new SqliteDatabase(join(folder, databaseFile), { readOnly: true });
  try {
    const tweets = database.first<{ n: number }>('SELECT count(*) AS n FROM tweet_count')?.n ?? 0;
    const isBuilt = (): boolean => database.first("SELECT value FROM meta WHERE name = 'top_tweets'") !== undefined;
    while (tweets >= minTopTweets && !isBuilt()) await pause(100);
  } finally {
    database.close();
    await service.stop();
  }
}

/** An engine on a platform. A build includes the records themselves, which the peers do not store. */
export async function createStoredEngine(platform: 'sqlite' | 'postgres'): Promise<Engine> {
  const place = await createPlace(platform);
  let archive: StoredArchive | undefined;
  const opened = (): StoredArchive => {
    if (archive === undefined) throw new Error('the archive is not open');
    return archive;
  };
  return {
    async build(file) {
      await importFile(file, place.variables);
      await place.maintain();
      if (platform === 'sqlite') await tidy(place);
      archive = await openStoredArchive(readConfig(place.variables));
    },

    async search({ text }, { limit, after }) {
      const position = after === undefined ? undefined : [firstMoment + after * 1000, idOf(after)];
      const { items } = await opened().engine.search.latest(parse(text), { after: position, limit }, Date.now());
      return items.map(numberOf);
    },

    async top({ text }, limit) {
      const { items } = await opened().engine.search.top(parse(text), { after: undefined, limit }, Date.now());
      return items.map(numberOf);
    },

    size: () => place.size(),

    async close() {
      await archive?.close();
      await place.remove();
    },
  };
}
