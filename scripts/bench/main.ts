/**
 * `npm run bench`: measures and prints tables. Absolute times are of this machine; the ratios against peers measured in the same run
 * are what carries over.
 */
import { parseArgs } from 'node:util';
import { benchArchive } from './archive.ts';
import { benchMatcher } from './matcher.ts';
import { benchSearch, engines } from './search.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tweets: { type: 'string', default: '200000,1000000' },
    engines: { type: 'string', default: Object.keys(engines).join(',') },
    queries: { type: 'string', default: '13' },
    json: { type: 'string' },
    plot: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const sizes = values.tweets.split(',').map(Number);
const benches: Record<string, () => Promise<void>> = {
  archive: () => benchArchive(sizes),
  search: () => benchSearch({ sizes, engines: values.engines.split(','), queriesOfEachKind: Number(values.queries), json: values.json, plot: values.plot }),
  matcher: () => benchMatcher({ tweets: Math.min(...sizes, 50_000), queries: 10_000 }),
};
const usage = `usage: npm run bench -- [${Object.keys(benches).join(' | ')}] …

  --tweets N,N     sizes (${'200000,1000000'})
search:
  --engines A,B    of ${Object.keys(engines).join(', ')}; the scan is always there, for it says what is true
  --queries N      queries of each kind (13)
  --json FILE      writes the figures
  --plot DIR       writes a picture of each size
The libraries that search is compared with are installed by: npm install --prefix scripts/bench`;

const chosen = positionals.length === 0 ? Object.keys(benches) : positionals;
if (values.help || chosen.some((name) => !(name in benches)) || !sizes.every((size) => Number.isInteger(size) && size > 0)) {
  console.log(usage);
  process.exit(values.help ? 0 : 2);
}
for (const name of chosen) await benches[name]!();
