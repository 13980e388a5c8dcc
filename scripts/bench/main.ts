/**
 * `npm run bench -- [archive] [--tweets 200000,1000000]`: measures and prints tables. Absolute times are of this machine; the
 * ratios against peers measured in the same run are what carries over.
 */
import { parseArgs } from 'node:util';
import { benchArchive } from './archive.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { tweets: { type: 'string', default: '200000,1000000' }, help: { type: 'boolean', short: 'h', default: false } },
});
const benches: Record<string, () => Promise<void>> = {
  archive: () => benchArchive(values.tweets.split(',').map(Number)),
};
const chosen = positionals.length === 0 ? Object.keys(benches) : positionals;
if (values.help || chosen.some((name) => !(name in benches))) {
  console.log(`usage: npm run bench -- [${Object.keys(benches).join('|')}] [--tweets N,N,…]`);
  process.exit(values.help ? 0 : 2);
}
for (const name of chosen) await benches[name]!();
