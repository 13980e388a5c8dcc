/** The command line of `npm run bench`. */
import { parseArgs } from 'node:util';

/** The default of each number, and its value with --quick: a load that only tries out the command. */
const defaults = {
  tweets: ['200000', '2000'],
  rounds: ['5', '2'],
  seconds: ['3', '0.2'],
  connections: ['32', '4'],
  listeners: ['1000', '10'],
  queries: ['13', '1'],
  minutes: ['30', '0.2'],
  rate: ['200', '20'],
} as const satisfies Record<string, readonly [usual: string, quick: string]>;
type NumberName = keyof typeof defaults;

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;
const parsed = {
  ...(Object.fromEntries(Object.keys(defaults).map((name) => [name, text])) as Record<NumberName, typeof text>),
  ...{ platform: { ...text, default: 'sqlite' }, engines: text, base: text, json: text },
  ...{ all: flag, quick: flag, help: { ...flag, short: 'h' } },
} as const;

const usual = (name: NumberName): string => `default: ${defaults[name][0]}`;

/** The part of the usage about options. */
export const optionsUsage = `--all            runs all benchmarks, or the named ones, each in a process of its own with a time limit
--json [FILE]    writes the results; without FILE: scripts/bench/results/VERSION.json
--quick          a small load, to try out a command; its results are no measurements
--rounds N       the results are medians of the rounds; ${usual('rounds')}; compare --base: 8
--seconds N      duration of a measurement; ${usual('seconds')}
--tweets N,N     archive, search, assistant, background: numbers of tweets; ${usual('tweets')}
--platform NAME  http, archive, assistant, soak: postgres measures an instance on tables of PostgreSQL; default: sqlite
--connections N  http: concurrent connections; ${usual('connections')}
--listeners N    stream: connections; ${usual('listeners')}
--queries N      search, assistant: queries or questions of each kind; ${usual('queries')}
--engines A,B    search: some of the engines; the scan always runs
--minutes N      soak: duration; ${usual('minutes')}
--rate N         soak: requests a second; ${usual('rate')}`;

/** A call that is not as the usage says; the message is for the user. */
export class CallError extends Error {}

/** What the command line asks for. */
export class Command {
  readonly positionals: readonly string[];
  readonly values: ReturnType<typeof readValues>['values'];
  /** The given options that a benchmark reads, as parameters of another call. */
  readonly given: readonly string[];

  /** Throws CallError. */
  constructor(parameters: readonly string[]) {
    const { values, positionals, given } = readValues(parameters);
    this.values = values;
    this.positionals = positionals;
    this.given = given;
    if (values.platform !== 'sqlite' && values.platform !== 'postgres')
      throw new CallError(`--platform ${values.platform}: expected sqlite or postgres`);
    for (const name of Object.keys(defaults) as NumberName[]) this.numbers(name);
  }

  /** Positive integers, separated by commas; times may have a fraction. */
  numbers(name: NumberName): number[] {
    const written = this.values[name] ?? defaults[name][this.values.quick ? 1 : 0];
    const numbers = written.split(',').map(Number);
    const isTime = name === 'seconds' || name === 'minutes';
    if (!numbers.every((value) => value > 0 && value < Infinity && (isTime || Number.isInteger(value))))
      throw new CallError(`--${name} ${written}: expected positive ${isTime ? 'numbers' : 'integers'}`);
    return numbers;
  }

  number(name: NumberName): number {
    return this.numbers(name)[0] ?? Number.NaN;
  }
}

/** The options of the whole command, which a call for one benchmark does not get. */
const ofTheCommand: ReadonlySet<string> = new Set(['json', 'all', 'base', 'help']);

function readValues(parameters: readonly string[]) {
  // A --json without a file has a default.
  const args = parameters.map((each, index) =>
    each === '--json' && (parameters[index + 1] ?? '--').startsWith('--') ? '--json=' : each,
  );
  try {
    const { values, positionals, tokens } = parseArgs({ args, allowPositionals: true, options: parsed, tokens: true });
    const given = tokens.flatMap((token) => {
      if (token.kind !== 'option' || ofTheCommand.has(token.name)) return [];
      return [token.value === undefined ? `--${token.name}` : `--${token.name}=${token.value}`];
    });
    return { values, positionals, given };
  } catch (error) {
    throw new CallError((error as Error).message);
  }
}
