/** The search of this service, in an archive that `npm run import` has filled. */
import { setTimeout as pause } from 'node:timers/promises';
import { readConfig } from '../../../server/config/config.ts';
import { sql } from '../../../server/archive/sql.ts';
import { openStoredArchive, type StoredArchive } from '../../../server/engines/open-archive.ts';
import { firstMoment, idOf, numberOf } from '../../sample/many-tweets.ts';
import { parse } from '../../../server/search/language/parse.ts';
import { importFile } from '../service.ts';
import { createPlace } from '../stored-archive.ts';
import type { Engine } from './engine.ts';

/** From so many tweets on, a SQLite file has a table of those with the most engagement. */
const minTopTweets = 10_000;

/** Waits for the table that the engine fills after it has been opened. */
async function topTable({ engine }: StoredArchive): Promise<void> {
  const [{ tweets } = { tweets: 0 }] = await engine.run<{ tweets: number }>(sql`SELECT count(*) AS tweets FROM tweet`);
  const isBuilt = async (): Promise<boolean> =>
    (await engine.run(sql`SELECT value FROM meta WHERE name = 'top_tweets'`)).length > 0;
  while (Number(tweets) >= minTopTweets && !(await isBuilt())) await pause(100);
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
      archive = await openStoredArchive(readConfig(place.variables));
      if (platform === 'sqlite') await topTable(archive);
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
