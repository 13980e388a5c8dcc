/** `npm run verify -- BASE-URL`: checks a running server against its contract, as an external client. */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { SingleBar } from 'cli-progress';
import { parse } from 'yaml';
import { ContractError, readContract, type Contract } from './contract.ts';
import { jsonReport, junitReport, textReport } from './report.ts';
import { Unreachable } from './send.ts';
import { KeyRefused, verify, type Report } from './verify.ts';

const usage = `Usage: npm run verify -- [options] BASE-URL

Makes valid and invalid calls of every operation of the contract to a running server, and checks each answer: status, headers, media
type, schema, errors, HEAD, conditional requests, pages, and where the links of the contract lead. A failure is made as small as it
gets, and told as a line for curl.

Nothing is changed unless --write is given, and little is spent: see --costly.

  --key KEY           the API key; otherwise the variable API_KEY
  --spec FILE|URL     the contract; otherwise BASE-URL/openapi.json
  --operation ID      only this operation; may be given again
  --seed N            what the random calls are made from; a fresh one when left out
  --runs N            random calls of each operation, beside those that are always made (50)
  --value NAME=VALUE  a real value of a parameter, where the examples of the contract do not exist; may be given again
  --write             also makes valid calls of operations that change something
  --costly N          calls that succeed of operations where success costs something, at most (10)
  --max-failures N    ends after so many failures of different causes; otherwise all are looked for
  --allow-header NAME a header that a proxy on the way adds; may be given again
  --timeout SECONDS   for one answer (30)
  --concurrency N     calls under way at once (4); 429 makes all of them wait as long as it says
  --format FORMAT     text (default), json or junit
  --help              shows this

Exit code: 0 when the server keeps the contract, 1 when it does not, 2 for a wrong call or a server that cannot be reached.`;

const formats = { text: textReport, json: jsonReport, junit: junitReport } satisfies Record<
  string,
  (report: Report) => string
>;

/** Invalid command-line arguments; the message names the fault. */
class UsageError extends Error {}

function wholeNumber(name: string, text: string, min: number): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isSafeInteger(value) || value < min)
    throw new UsageError(`--${name} ${text}: expected a whole number from ${min} on`);
  return value;
}

/** Parses the base URL and removes its trailing slash. Throws a UsageError for an invalid URL. */
function readBase(text: string | undefined): string {
  if (text === undefined) throw new UsageError('the base URL of the server is missing');
  const url = URL.parse(text);
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError(`${text} is no http or https URL, such as http://127.0.0.1:3000`);
  if (url.search !== '' || url.hash !== '') throw new UsageError(`${text}: the base URL has no query and no fragment`);
  return url.href.replace(/\/$/, '');
}

/** Reads the contract from a file or URL. Throws a UsageError when it is unreadable or invalid. */
async function readSpec(location: string): Promise<Contract> {
  let text: string;
  try {
    if (/^https?:/.test(location)) {
      const response = await fetch(location);
      if (!response.ok) throw new Error(`it was answered with ${response.status}`);
      text = await response.text();
    } else text = await readFile(location, 'utf8');
  } catch (error) {
    const { message, cause } = error as Error;
    throw new UsageError(
      `the contract ${location} cannot be read: ${(cause as Error | undefined)?.message || message}`,
    );
  }
  try {
    return readContract(parse(text));
  } catch (error) {
    throw new UsageError(`${location}: ${(error as Error).message}`);
  }
}

/** Shows the progress on standard error: a bar on a terminal, otherwise a line every 10 seconds. */
function showProgress(): { update(done: number, all: number, operation: string): void; stop(): void } {
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
      console.error(`${done} of ${all}: ${operation}`);
    },
    stop() {},
  };
}

/** Runs the command; returns the exit code. Throws a UsageError for a fault that the user can correct. */
async function run(parameters: readonly string[]): Promise<0 | 1> {
  const { values, positionals } = parseArgs({
    args: [...parameters],
    allowPositionals: true,
    options: {
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
    },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const { format } = values;
  if (!Object.hasOwn(formats, format))
    throw new UsageError(`--format ${format}: expected ${Object.keys(formats).join(', ')}`);
  if (positionals.length > 1) throw new UsageError(`one base URL, not ${positionals.length}`);
  const base = readBase(positionals[0]);
  const key = values.key ?? process.env.API_KEY;
  if (!key) throw new UsageError('no API key: give --key KEY, or set API_KEY');
  const numbers = {
    seed: values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : wholeNumber('seed', values.seed, 0),
    runs: wholeNumber('runs', values.runs, 0),
    costly: wholeNumber('costly', values.costly, 0),
    timeoutMs: wholeNumber('timeout', values.timeout, 1) * 1000,
    concurrency: wholeNumber('concurrency', values.concurrency, 1),
  };
  const realValues = new Map<string, string[]>();
  for (const pair of values.value) {
    const equals = pair.indexOf('=');
    if (equals < 1) throw new UsageError(`--value ${pair}: expected NAME=VALUE`);
    realValues.set(pair.slice(0, equals), [...(realValues.get(pair.slice(0, equals)) ?? []), pair.slice(equals + 1)]);
  }

  const contract = await readSpec(values.spec ?? `${base}/openapi.json`);
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort(new UsageError('stopped before the end')));
  const progress = showProgress();
  const report = await verify({
    ...numbers,
    base,
    contract,
    key,
    operations: values.operation,
    ...(values['max-failures'] !== undefined && {
      maxFailures: wholeNumber('max-failures', values['max-failures'], 1),
    }),
    write: values.write,
    values: realValues,
    allowedHeaders: values['allow-header'],
    signal: stop.signal,
    onProgress: progress.update,
  }).finally(progress.stop);
  console.log(formats[format as keyof typeof formats](report));
  return report.ok ? 0 : 1;
}

if (import.meta.main) {
  try {
    process.exitCode = await run(process.argv.slice(2));
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    const hasInvalidArguments = code?.startsWith('ERR_PARSE_ARGS') ?? false;
    const isExpected =
      hasInvalidArguments ||
      [UsageError, ContractError, Unreachable, KeyRefused, RangeError].some((type) => error instanceof type);
    console.error(isExpected ? `verify: ${message}${hasInvalidArguments ? `\n\n${usage}` : ''}` : error);
    process.exitCode = 2;
  }
}
