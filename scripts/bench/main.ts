/**
 * `npm run bench -- [archive|stream] [options]`: measures and prints tables. Absolute times are of this machine; the
 * ratios against peers measured in the same run are what carries over.
 */
import { parseArgs } from 'node:util';
import { benchArchive } from './archive.ts';
import { benchStream } from './stream.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tweets: { type: 'string', default: '200000,1000000' },
    listeners: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '5' },
    replayed: { type: 'string', default: '100000' },
    json: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const benches: Record<string, () => Promise<void>> = {
  archive: () => benchArchive(values.tweets.split(',').map(Number)),
  stream: () => benchStream({ listeners: +values.listeners, seconds: +values.seconds, rounds: +values.rounds, replayed: +values.replayed, replaying: 100 }, values.json),
};
const chosen = positionals.length === 0 ? Object.keys(benches) : positionals;
if (values.help || chosen.some((name) => !(name in benches))) {
  console.log(`usage: npm run bench -- [${Object.keys(benches).join('|')}] [options]
archive  --tweets N,N,…   sizes of the archive (200000,1000000)
stream   --listeners N    how many connections (1000)
         --seconds N      about how long each measurement takes (3)
         --rounds N       measurements, of which the median counts (5)
         --replayed N     events of the log that is replayed (100000)
         --json FILE      writes all figures of the stream as JSON`);
  process.exit(values.help ? 0 : 2);
}
for (const name of chosen) await benches[name]!();
