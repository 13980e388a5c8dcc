/** The command line of `npm run bench`. */
import { parseArgs } from 'node:util';
import { engines } from './search.ts';

/** The default of each option, and its value with --quick: a load that only tries out the command. */
const defaults = {
  tweets: ['200000,1000000', '3000'],
  queries: ['13', '1'],
  listeners: ['1000', '10'],
  seconds: ['3', '0.2'],
  rounds: ['5', '2'],
  replayed: ['100000', '500'],
  calls: ['500', '20'],
  requests: ['3000', '50'],
  revocations: ['1000', '10'],
  connections: ['32', '4'],
  minutes: ['30', '0.2'],
  rate: ['200', '20'],
  events: ['60000', '500'],
  compression: ['50', '50'],
} as const satisfies Record<string, readonly [usual: string, quick: string]>;
type NumberOption = keyof typeof defaults;

const text = { type: 'string' } as const;
const options = {
  ...(Object.fromEntries(Object.keys(defaults).map((name) => [name, text])) as Record<NumberOption, typeof text>),
  engines: { type: 'string', default: Object.keys(engines).join(',') },
  platform: { type: 'string', default: 'sqlite' },
  hours: text,
  base: text,
  plot: text,
  json: text,
  all: { type: 'boolean', default: false },
  quick: { type: 'boolean', default: false },
  resume: { type: 'boolean', default: false },
  verbose: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

const usual = (name: NumberOption): string => `default: ${defaults[name][0]}`;

export const usage = `Usage: npm run bench -- [archive | delete | background | search | cluster | matcher | http | stream | follow | assistant | client | pages | edit-loop | soak] … [options]
       npm run bench -- --all [BENCHMARK …] [--json [FILE]] [--quick] [--resume]
       npm run bench -- compare BEFORE.json AFTER.json
       npm run bench -- compare --base REVISION [BENCHMARK …]
       npm run bench -- page

archive     import, start, memory and durable writes
delete      deletions, and the start after them
background  requests beside an import, a compaction, a backup, deletions and searches by engagement
search      mixed queries, compared with a linear scan and search libraries
cluster     several instances on one PostgreSQL, compared with the embedded service; runs only when it is named, and with --all
matcher     the percolator, compared with the evaluation of each query in turn
http        pages and small responses, compared with bare node:http and other frameworks
stream      events to many listeners, compared with a bare ws loop
follow      frames of a live platform into a durable archive, compared with a bare ws loop
assistant   responses of immediate providers, compared with a bare server and a GET request
client      the client package, compared with fetch, openapi-fetch and two SDKs
pages       the pages in Chromium, from the navigation to the first data and the main control
edit-loop   from a saved spec to its types and type errors, compared with other commands
soak        mixed load for minutes: no errors and constant memory; runs only when it is named, and with --all

--all            runs all benchmarks, or the named ones, each in a separate process with a time limit; for a release
compare          says which differences between two results are changes, and which are noise. Exit code 1: there is a loss.
                 With --base, the rounds of this project and of the revision alternate; --rounds N, default: 8
page             writes the tables and the page of the results in scripts/bench/results again, as --all does
--json [FILE]    writes the results; with --all, default: scripts/bench/results/VERSION.json, which the page shows
--resume         with --all: continues an interrupted run; what its file of results has is not measured again
--quick          a small load, to try out a command; its results are no measurements
--verbose        compare: lists the rows that did not change too

archive, delete, background, search and cluster
  --tweets N,N     numbers of tweets; ${usual('tweets')}
search
  --engines A,B    some of ${options.engines.default}; the scan always runs
  --queries N      queries per kind; ${usual('queries')}
background, stream, http and cluster
  --seconds N      approximate duration of a measurement; ${usual('seconds')}
http and cluster
  --connections N  concurrent connections; ${usual('connections')}
http and archive
  --platform NAME  postgres: an instance on tables of PostgreSQL; http: beside the embedded service; default: sqlite
stream
  --listeners N    connections; ${usual('listeners')}
  --replayed N     replayed events; ${usual('replayed')}
follow
  --events N       frames; ${usual('events')}
  --hours N        instead: hours of a whole network, with a simulated clock and RETAIN
  --compression N  the rate of 500 events a second and RETAIN=1000000 are divided by N; ${usual('compression')}
assistant
  --calls N        calls per kind and round; ${usual('calls')}
soak
  --minutes N      duration; ${usual('minutes')}. The memory check needs 25 minutes.
  --rate N         requests per second; ${usual('rate')}
client
  --requests N     calls per measurement; ${usual('requests')}
cluster
  --revocations N  revoked keys; ${usual('revocations')}. DATABASE_URL: another PostgreSQL than that of the tests
delete, background, matcher, http, stream, follow, assistant, client, pages, edit-loop and cluster
  --rounds N       rounds; results are medians of the rounds; ${usual('rounds')}
search, http, stream, follow --hours, edit-loop and soak
  --plot DIR       write the plots

Install the compared libraries of search, http and client with: npm install --prefix scripts/bench`;

/** A call that is not as the usage says; the message is for the user. */
export class CallError extends Error {}

/** What the command line asks for. */
export class Command {
  readonly positionals: readonly string[];
  readonly values: ReturnType<typeof readValues>['values'];
  /** The options that were given and that a benchmark reads, as parameters of another call. */
  readonly given: readonly string[];

  /** Throws CallError. */
  constructor(parameters: readonly string[]) {
    const { values, positionals, given } = readValues(parameters);
    this.values = values;
    this.positionals = positionals;
    this.given = given;
    const unknown = this.engines.find((name) => !(name in engines));
    if (unknown !== undefined) throw new CallError(`--engines: unknown engine ${unknown}`);
    if (this.values.platform !== 'sqlite' && this.values.platform !== 'postgres')
      throw new CallError(`--platform ${this.values.platform}: expected sqlite or postgres`);
    for (const name of Object.keys(defaults) as NumberOption[]) this.numbers(name);
  }

  get engines(): string[] {
    return this.values.engines.split(',');
  }

  /** Positive integers, separated by commas; times may have a fraction. */
  numbers(name: NumberOption | 'hours'): number[] {
    const usualOrQuick = name === 'hours' ? '' : defaults[name][this.values.quick ? 1 : 0];
    const written = this.values[name] ?? usualOrQuick;
    const parsed = written.split(',').map(Number);
    const isTime = name === 'seconds' || name === 'minutes';
    if (!parsed.every((value) => value > 0 && value < Infinity && (isTime || Number.isInteger(value))))
      throw new CallError(`--${name} ${written}: expected positive ${isTime ? 'numbers' : 'integers'}`);
    return parsed;
  }

  number(name: NumberOption | 'hours'): number {
    const [first] = this.numbers(name);
    if (first === undefined) throw new CallError(`--${name} is empty`);
    return first;
  }
}

/** The options of the whole command, which a call for one benchmark does not get. */
const ofTheCommand: ReadonlySet<string> = new Set(['json', 'all', 'resume', 'base', 'verbose', 'help', 'plot']);

function readValues(parameters: readonly string[]) {
  // With --all, a --json without a file has a default.
  const withFile = parameters.map((each, index) =>
    each === '--json' && (parameters[index + 1] ?? '--').startsWith('--') ? '--json=' : each,
  );
  try {
    const { values, positionals, tokens } = parseArgs({
      args: withFile,
      allowPositionals: true,
      options,
      tokens: true,
    });
    const given = tokens.flatMap((token) =>
      token.kind !== 'option' || ofTheCommand.has(token.name)
        ? []
        : [token.value === undefined ? `--${token.name}` : `--${token.name}=${token.value}`],
    );
    return { values, positionals, given };
  } catch (error) {
    throw new CallError((error as Error).message);
  }
}
