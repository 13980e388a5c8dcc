/**
 * Opens the archive of a data directory, with its saved tables or with `journal` by a replay of the journal, and prints the CPU seconds, the
 * number of tweets and the resident bytes as JSON.
 */
import { parse } from '../../../server/search/language/parse.ts';
import { openArchive } from '../../../server/platforms/archive/open-archive.ts';
import { openLowdbStore } from '../../../server/storage/lowdb/lowdb-store.ts';

const [directory = '', source] = process.argv.slice(2);
const store = await openLowdbStore(directory);
const before = process.cpuUsage();
const began = performance.now();
const { archive, restoredSeq } = await openArchive(source === 'journal' ? { ...store, saved: undefined } : store);
if (restoredSeq > 0 !== (source !== 'journal')) throw new Error('the start did not read what it should');
// The first search computes what a start leaves for later.
archive.index.search(parse('settled'), 'Latest', { after: undefined, limit: 1 });
const { user, system } = process.cpuUsage(before);
const seconds = (performance.now() - began) / 1000;
console.log(
  JSON.stringify({ cpu: (user + system) / 1e6, seconds, tweets: archive.size, rss: process.memoryUsage.rss() }),
);
await store.close();
