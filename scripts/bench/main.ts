/**
 * `npm run bench`: measures and prints tables. Absolute times are of this machine; the ratios against peers measured in the same run
 * are what carries over.
 */
import { parseArgs } from 'node:util';
import { benchArchive } from './archive.ts';
import { benchAssistant } from './assistant.ts';
import { benchClient } from './client.ts';
import { benchDelete } from './delete.ts';
import { benchEditLoop } from './edit-loop.ts';
import { benchHttp } from './http.ts';
import { benchMatcher } from './matcher.ts';
import { benchSearch, engines } from './search.ts';
import { benchSoak } from './soak.ts';
import { benchStream } from './stream.ts';

const options = {
  tweets: { type: 'string', default: '200000,1000000' },
  engines: { type: 'string', default: Object.keys(engines).join(',') },
  queries: { type: 'string', default: '13' },
  plot: { type: 'string' },
  listeners: { type: 'string', default: '1000' },
  seconds: { type: 'string', default: '3' },
  rounds: { type: 'string', default: '5' },
  replayed: { type: 'string', default: '100000' },
  calls: { type: 'string', default: '500' },
  requests: { type: 'string', default: '3000' },
  connections: { type: 'string', default: '32' },
  minutes: { type: 'string', default: '10' },
  rate: { type: 'string', default: '200' },
  json: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

const usage = `usage: npm run bench -- [archive | delete | search | matcher | http | stream | assistant | client | edit-loop | soak] … [options]

archive     import, start, memory, durable unlikes
delete      deletions, the start after them, the purge of the disk
search      pages of mixed queries, beside a scan and search libraries
matcher     one tweet against many standing queries, beside asking each in turn
http        requests for pages and for small answers, beside bare node:http and other frameworks
stream      events to many listeners, beside a bare ws loop
assistant   answers of providers that take no time, beside a bare server and a plain GET
client      the client package, beside fetch, openapi-fetch and two SDKs
edit-loop   from a saved spec to its types and to what no longer compiles, beside the same by hand
soak        everything at once for minutes: no error, and memory that does not grow; only where it is named

archive, delete and search
  --tweets N,N     sizes (${options.tweets.default})
search
  --engines A,B    of ${options.engines.default}; the scan is always there, for it says what is true
  --queries N      queries of each kind (${options.queries.default})
stream and http
  --seconds N      about how long each measurement takes (${options.seconds.default})
http
  --connections N  at once (${options.connections.default})
stream
  --listeners N    connections (${options.listeners.default})
  --replayed N     events of the log that is replayed (${options.replayed.default})
assistant
  --calls N        of each kind in each round (${options.calls.default})
soak
  --minutes N      how long (${options.minutes.default}); memory is judged from 5 on
  --rate N         requests a second (${options.rate.default})
client
  --requests N     in a measurement (${options.requests.default})
delete, http, stream, assistant, client and edit-loop
  --rounds N       measurements, of which the median counts; delete takes the smallest (${options.rounds.default})
search, http, stream, assistant, client, edit-loop and soak
  --json FILE      writes all figures
  --plot DIR       writes pictures: of each size, of the speeds, of the delivery, of the loop, of the soak

The libraries that search, http and client are compared with are installed by: npm install --prefix scripts/bench`;

function refuse(problem: string): never {
  console.error(`${problem}\n\n${usage}`);
  process.exit(2);
}

function readCommand() {
  try {
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    return refuse((error as Error).message);
  }
}
const { values, positionals } = readCommand();

/** Whole numbers above zero, separated by commas. */
function numbers(
  name:
    | 'tweets'
    | 'queries'
    | 'listeners'
    | 'seconds'
    | 'rounds'
    | 'replayed'
    | 'calls'
    | 'requests'
    | 'connections'
    | 'minutes'
    | 'rate',
): number[] {
  const read = values[name].split(',').map(Number);
  return read.every((value) => Number.isInteger(value) && value > 0)
    ? read
    : refuse(`--${name} ${values[name]}: expected whole numbers above zero`);
}
const [queriesOfEachKind, listeners, seconds, rounds, replayed, calls, requests, connections, minutes, rate] = (
  [
    'queries',
    'listeners',
    'seconds',
    'rounds',
    'replayed',
    'calls',
    'requests',
    'connections',
    'minutes',
    'rate',
  ] as const
).map((name) => numbers(name)[0]!) as [number, number, number, number, number, number, number, number, number, number];
const sizes = numbers('tweets');
const chosenEngines = values.engines.split(',');
const unknown = chosenEngines.find((name) => !(name in engines));
if (unknown !== undefined) refuse(`--engines: no engine is called ${unknown}`);

const benches: Record<string, () => Promise<void>> = {
  archive: () => benchArchive(sizes),
  delete: () => benchDelete(sizes, rounds),
  search: () => benchSearch({ sizes, engines: chosenEngines, queriesOfEachKind, json: values.json, plot: values.plot }),
  matcher: () => benchMatcher({ tweets: Math.min(...sizes, 50_000), queries: 10_000 }),
  http: () => benchHttp({ rounds, seconds, connections }, { json: values.json, plot: values.plot }),
  stream: () =>
    benchStream({ listeners, seconds, rounds, replayed, replaying: 100 }, { json: values.json, plot: values.plot }),
  assistant: () => benchAssistant({ rounds, calls }, values.json),
  'edit-loop': () => benchEditLoop(rounds, { json: values.json, plot: values.plot }),
  client: () => benchClient({ rounds, calls: requests, atOnce: [1, 16] }, values.json),
  soak: () => benchSoak({ minutes, rate, listeners: 20, tweets: 20_000 }, { json: values.json, plot: values.plot }),
};
if (values.help) {
  console.log(usage);
  process.exit(0);
}
const chosen = positionals.length === 0 ? Object.keys(benches).filter((name) => name !== 'soak') : positionals;
for (const name of chosen) if (!(name in benches)) refuse(`there is no benchmark called ${name}`);
for (const name of chosen) await benches[name]!();
