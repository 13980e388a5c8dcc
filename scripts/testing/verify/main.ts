/** `npm run verify -- BASE-URL`: checks a running server against its contract, as an external client. */
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { SingleBar } from 'cli-progress';
import {
  loadSpec,
  UnreadableSpecError,
  withoutFaults,
  filesOf,
  type ReadFile,
} from '../../contract-tools/files/index.ts';
import {
  ContractError,
  readContract,
  type Contract,
  jsonReport,
  junitReport,
  textReport,
  UnreachableError,
  KeyRejectedError,
  type Report,
} from '../../contract-tools/verify/index.ts';
import { verify } from './verify.ts';

const usage = `Usage: npm run verify -- [options] BASE-URL

Sends valid and invalid calls of every operation of the contract to a running server, and checks each response: status, headers, media
type, schema, errors, HEAD, conditional requests, defaults, pages, and links; then the event stream /ws and the pages that the contract
links to. A part of the calls goes through the generated client. A failure is reduced to the smallest call and reported as a curl command.

Without --write, no call changes data. With it, calls change what --value names and what the service lists, so use data of a test. They
delete only what this run has made and its response has named in Location. --costly limits the calls that have a cost.

  --key KEY           API key; default: the variable API_KEY. A contract without security needs none
  --spec FILE|URL     contract; default: BASE-URL/openapi.json
  --operation ID      check only this operation (repeatable)
  --seed N            seed of the random calls; default: random
  --runs N            random calls per operation, in addition to the systematic calls; default: 50
  --value NAME=VALUE  existing value of a parameter, if the examples of the contract do not exist (repeatable)
  --write             also make valid calls of operations that change data
  --costly N          maximum number of successful calls of operations with a cost; default: 10
  --max-failures N    stop after this number of failures with different causes; default: unlimited
  --allow-header NAME header that a proxy adds (repeatable)
  --timeout SECONDS   time limit of a response; default: 30
  --concurrency N     maximum number of concurrent calls; default: 4. All calls wait after a 429.
  --format FORMAT     text, json or junit; default: text
  --help              print this help

Exit code: 0 if the server conforms to the contract, 1 if it does not, 2 for invalid arguments or an unreachable server.`;

const formats = { text: textReport, json: jsonReport, junit: junitReport } satisfies Record<
  string,
  (report: Report) => string
>;

/** Where the command writes. */
type Output = Pick<Console, 'log' | 'error'>;

/** Invalid command-line arguments; the message names the fault. */
class UsageError extends Error {}

function integer(name: string, text: string, min: number): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isSafeInteger(value) || value < min)
    throw new UsageError(`--${name} ${text}: expected an integer of at least ${min}`);
  return value;
}

/** Parses the base URL and removes its trailing slash. Throws a UsageError for an invalid URL. */
function readBase(text: string | undefined): string {
  if (text === undefined) throw new UsageError('the base URL is missing');
  const url = URL.parse(text);
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError(`${text}: expected an http or https URL, such as http://127.0.0.1:3000`);
  if (url.search !== '' || url.hash !== '')
    throw new UsageError(`${text}: the base URL must not have a query or a fragment`);
  return url.href.replace(/\/$/, '');
}

/** The text of a URL. Throws a UsageError where it cannot be read. */
async function download(location: string): Promise<string> {
  try {
    const response = await fetch(location);
    if (!response.ok) throw new Error(`status ${response.status}`);
    return await response.text();
  } catch (error) {
    const { message, cause } = error as Error;
    throw new UsageError(`cannot read the contract ${location}: ${(cause as Error | undefined)?.message || message}`);
  }
}

/** Reads the contract from a file, with those that it refers to, or from a URL. Throws a UsageError when it is unreadable or invalid. */
async function readSpec(location: string): Promise<Contract> {
  const isUrl = /^https?:/.test(location);
  const text = isUrl ? await download(location) : undefined;
  const read: ReadFile = isUrl
    ? (path) => Promise.resolve(path === location ? text : undefined)
    : filesOf(process.cwd());
  try {
    return readContract(withoutFaults(await loadSpec(location, read), 'nothing was checked'));
  } catch (error) {
    if (error instanceof ContractError) throw new UsageError(`${location}: ${error.message}`);
    throw error instanceof UnreadableSpecError ? new UsageError(`cannot read the contract: ${error.message}`) : error;
  }
}

/** Shows the progress on standard error: a bar on a terminal, otherwise a line every 10 seconds. */
function createProgress(output: Output): { update(done: number, all: number, operation: string): void; stop(): void } {
  if (process.stderr.isTTY) {
    const bar = new SingleBar({
      format: '{bar} {percentage}% | {value}/{total} | {operation}',
      hideCursor: true,
      clearOnComplete: true,
    });
    let started = false;
    return {
      update(done, all, operation) {
        if (!started) bar.start(all, 0, { operation });
        started = true;
        bar.update(done, { operation });
      },
      stop: () => bar.stop(),
    };
  }
  let last = Date.now();
  return {
    update(done, all, operation) {
      if (Date.now() - last < 10_000) return;
      last = Date.now();
      output.error(`${done} of ${all}: ${operation}`);
    },
    stop() {},
  };
}

const options = {
  key: { type: 'string' },
  spec: { type: 'string' },
  operation: { type: 'string', multiple: true, default: [] },
  seed: { type: 'string' },
  runs: { type: 'string', default: '50' },
  value: { type: 'string', multiple: true, default: [] },
  write: { type: 'boolean', default: false },
  costly: { type: 'string', default: '10' },
  'max-failures': { type: 'string' },
  'allow-header': { type: 'string', multiple: true, default: [] },
  timeout: { type: 'string', default: '30' },
  concurrency: { type: 'string', default: '4' },
  format: { type: 'string', default: 'text' },
  help: { type: 'boolean', short: 'h', default: false },
} as const satisfies ParseArgsOptionsConfig;

/** Parses `NAME=VALUE` arguments. Throws a UsageError for any other text. */
function readValues(pairs: readonly string[]): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const pair of pairs) {
    const equals = pair.indexOf('=');
    if (equals < 1) throw new UsageError(`--value ${pair}: expected NAME=VALUE`);
    const name = pair.slice(0, equals);
    values.set(name, [...(values.get(name) ?? []), pair.slice(equals + 1)]);
  }
  return values;
}

const isFormat = (name: string): name is keyof typeof formats => Object.hasOwn(formats, name);

/** Runs the command; returns the exit code. Throws a UsageError for a fault that the user can correct. */
async function run(parameters: readonly string[], output: Output): Promise<0 | 1> {
  const { values, positionals } = parseArgs({ args: [...parameters], allowPositionals: true, options });
  if (values.help) {
    output.log(usage);
    return 0;
  }
  const { format } = values;
  if (!isFormat(format)) throw new UsageError(`--format ${format}: expected ${Object.keys(formats).join(', ')}`);
  if (positionals.length > 1) throw new UsageError(`expected one base URL, received ${positionals.length}`);
  const base = readBase(positionals[0]);
  const key = values.key ?? process.env.API_KEY ?? '';
  const maxFailures = values['max-failures'];
  const settings = {
    seed: values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : integer('seed', values.seed, 0),
    runs: integer('runs', values.runs, 0),
    costly: integer('costly', values.costly, 0),
    timeoutMs: integer('timeout', values.timeout, 1) * 1000,
    concurrency: integer('concurrency', values.concurrency, 1),
    ...(maxFailures !== undefined && { maxFailures: integer('max-failures', maxFailures, 1) }),
    operations: values.operation,
    write: values.write,
    values: readValues(values.value),
    allowedHeaders: values['allow-header'],
  };
  const contract = await readSpec(values.spec ?? `${base}/openapi.json`);
  if (key === '' && contract.operations.some(({ keyLocations }) => keyLocations.length > 0))
    throw new UsageError('the API key is missing: pass --key KEY or set API_KEY');
  const stop = new AbortController();
  const interrupt = (): void => stop.abort(new UsageError('interrupted'));
  process.once('SIGINT', interrupt);
  const progress = createProgress(output);
  const { signal } = stop;
  const report = await verify({ ...settings, base, contract, key, signal, onProgress: progress.update }).finally(() => {
    progress.stop();
    process.off('SIGINT', interrupt);
  });
  output.log(formats[format](report));
  return report.ok ? 0 : 1;
}

/** Runs the command, and writes its report or what prevents it; returns the exit code. */
export async function runVerify(parameters: readonly string[], output: Output): Promise<0 | 1 | 2> {
  try {
    return await run(parameters, output);
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    const hasInvalidArguments = code?.startsWith('ERR_PARSE_ARGS') ?? false;
    const isExpected =
      hasInvalidArguments ||
      [UsageError, ContractError, UnreachableError, KeyRejectedError, RangeError].some((type) => error instanceof type);
    output.error(isExpected ? `verify: ${message}${hasInvalidArguments ? `\n\n${usage}` : ''}` : error);
    return 2;
  }
}

if (import.meta.main) process.exitCode = await runVerify(process.argv.slice(2), console);
