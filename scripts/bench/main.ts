/**
 * `npm run bench`: measures and prints tables. Absolute times depend on the machine; compare the ratios to the peers of the
 * same run.
 */
import { parseArgs } from 'node:util';
import { benchArchive } from './archive.ts';
import { benchAssistant } from './assistant.ts';
import { benchClient } from './client.ts';
import { benchCluster } from './cluster.ts';
import { benchDelete } from './delete.ts';
import { benchEditLoop } from './edit-loop.ts';
import { benchFollow } from './follow.ts';
import { benchNetwork } from './follow/network.ts';
import { benchHttp } from './http.ts';
import { benchMatcher } from './matcher.ts';
import { benchPages } from './pages.ts';
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
  revocations: { type: 'string', default: '1000' },
  connections: { type: 'string', default: '32' },
  minutes: { type: 'string', default: '10' },
  rate: { type: 'string', default: '200' },
  events: { type: 'string', default: '60000' },
  hours: { type: 'string' },
  compression: { type: 'string', default: '50' },
  json: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

const usage = `Usage: npm run bench -- [archive | delete | search | cluster | matcher | http | stream | follow | assistant | client | pages | edit-loop | soak] … [options]

archive     import, start, memory and durable writes
delete      deletions, the start after them, and the purge of the disk
search      mixed queries, compared with a linear scan and search libraries
cluster     several instances on one PostgreSQL, compared with the embedded service; runs only when it is named
matcher     the percolator, compared with the evaluation of each query in turn
http        pages and small responses, compared with bare node:http and other frameworks
stream      events to many listeners, compared with a bare ws loop
follow      frames of a live platform into a durable archive, compared with a bare ws loop
assistant   responses of immediate providers, compared with a bare server and a GET request
client      the client package, compared with fetch, openapi-fetch and two SDKs
pages       the pages in Chromium, from the navigation to the first data and the main control
edit-loop   from a saved spec to its types and type errors, compared with other commands
soak        mixed load for minutes: no errors and constant memory; runs only when it is named

archive, delete, search and cluster
  --tweets N,N     numbers of tweets; default: ${options.tweets.default}
search
  --engines A,B    some of ${options.engines.default}; the scan always runs
  --queries N      queries per kind; default: ${options.queries.default}
delete, stream, http and cluster
  --seconds N      approximate duration of a measurement; default: ${options.seconds.default}
http and cluster
  --connections N  concurrent connections; default: ${options.connections.default}
stream
  --listeners N    connections; default: ${options.listeners.default}
  --replayed N     replayed events; default: ${options.replayed.default}
follow
  --events N       frames; default: ${options.events.default}
  --hours N        instead: hours of a whole network, with a simulated clock and RETAIN; with --json FILE, writes the table
  --compression N  the rate of 500 events a second and RETAIN=1000000 are divided by N; default: ${options.compression.default}
assistant
  --calls N        calls per kind and round; default: ${options.calls.default}
soak
  --minutes N      duration; default: ${options.minutes.default}. The memory check needs 5 minutes.
  --rate N         requests per second; default: ${options.rate.default}
client
  --requests N     calls per measurement; default: ${options.requests.default}
cluster
  --revocations N  revoked keys; default: ${options.revocations.default}. DATABASE_URL: another PostgreSQL than that of the tests
delete, http, stream, follow, assistant, client, pages, edit-loop and cluster
  --rounds N       rounds; results are medians of the rounds; default: ${options.rounds.default}
search, http, stream, assistant, client, pages, edit-loop, soak and cluster
  --json FILE      write all results
  --plot DIR       write the plots

Install the compared libraries of search, http and client with: npm install --prefix scripts/bench`;

/** Prints the problem and the usage, and exits with 2. */
function exitWithUsage(problem: string): never {
  console.error(`${problem}\n\n${usage}`);
  process.exit(2);
}

function readCommand() {
  try {
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    return exitWithUsage((error as Error).message);
  }
}
const { values, positionals } = readCommand();

type NumberOption = Exclude<keyof typeof options, 'engines' | 'plot' | 'json' | 'help' | 'hours'>;

/** Positive integers, separated by commas. */
function positives(name: string, text: string): number[] {
  const parsed = text.split(',').map(Number);
  return parsed.every((value) => Number.isInteger(value) && value > 0)
    ? parsed
    : exitWithUsage(`--${name} ${text}: expected positive integers`);
}
const positive = (name: string, text: string): number =>
  positives(name, text)[0] ?? exitWithUsage(`--${name} is empty`);
const numbers = (name: NumberOption): number[] => positives(name, values[name]);
const number = (name: NumberOption): number => numbers(name)[0] ?? exitWithUsage(`--${name} is empty`);

const [listeners, seconds, rounds] = [number('listeners'), number('seconds'), number('rounds')];
const [queriesOfEachKind, replayed, calls] = [number('queries'), number('replayed'), number('calls')];
const [requests, connections] = [number('requests'), number('connections')];
const [minutes, rate] = [number('minutes'), number('rate')];
const sizes = numbers('tweets');
const chosenEngines = values.engines.split(',');
const unknown = chosenEngines.find((name) => !(name in engines));
if (unknown !== undefined) exitWithUsage(`--engines: unknown engine ${unknown}`);

const benches: Record<string, () => Promise<void>> = {
  archive: () => benchArchive(sizes),
  delete: () => benchDelete(sizes, rounds, seconds),
  search: () => benchSearch({ sizes, engines: chosenEngines, queriesOfEachKind, json: values.json, plot: values.plot }),
  matcher: () => benchMatcher({ tweets: Math.min(...sizes, 50_000), queries: 10_000 }),
  http: () => benchHttp({ rounds, seconds, connections }, { json: values.json, plot: values.plot }),
  stream: () =>
    benchStream({ listeners, seconds, rounds, replayed, replaying: 100 }, { json: values.json, plot: values.plot }),
  follow: () =>
    values.hours === undefined
      ? benchFollow(number('events'), rounds)
      : benchNetwork(positive('hours', values.hours), 500 / number('compression'), values.json),
  assistant: () => benchAssistant({ rounds, calls }, values.json),
  'edit-loop': () => benchEditLoop(rounds, { json: values.json, plot: values.plot }),
  cluster: () =>
    benchCluster(
      { tweets: sizes[0] ?? 200_000, rounds, seconds, connections, revocations: number('revocations') },
      values.json,
    ),
  client: () => benchClient({ rounds, calls: requests, concurrencies: [1, 16] }, values.json),
  pages: () => benchPages(rounds, values.json),
  soak: () =>
    benchSoak({ minutes, rate, listeners: 20, tweets: 20_000, followed: 20 }, { json: values.json, plot: values.plot }),
};
if (values.help) {
  console.log(usage);
  process.exit(0);
}
const chosen =
  positionals.length === 0 ? Object.keys(benches).filter((name) => name !== 'soak' && name !== 'cluster') : positionals;
for (const name of chosen) if (!(name in benches)) exitWithUsage(`unknown benchmark ${name}`);
for (const name of chosen) await benches[name]?.();
