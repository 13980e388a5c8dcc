/**
 * Asks the server whether it is ready: ends with 0 when it is, with 1 when not, and says so in one line. For a container's health
 * check, and for a service manager that waits until a start is done.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ConfigError, readConfig } from '../config/config.ts';

const usage = `Usage: node server/deploy/health.ts [--wait SECONDS [--pid ID]] [URL]

Asks URL, unless given /readyz of the server that HOST and PORT name; 0.0.0.0 and :: stand for this machine.

  --wait SECONDS  asks again until the server is ready, so long at most
  --pid ID        gives up at once when this process is gone
  --help          shows this`;

/** How long one answer may take, and how long to wait before asking again, in milliseconds. */
const [answerMs, pauseMs] = [3_000, 250];

/** Where the server of this environment tells whether it is ready. Throws ConfigError. */
function readyUrl(env: NodeJS.ProcessEnv): string {
  const { host, port } = readConfig(env);
  if (port === 0) throw new ConfigError(['PORT=0 does not say where the server listens: give the URL']);
  const reached = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}/readyz`;
}

/** Undefined when the server is ready, else why not. */
async function fault(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(answerMs) });
    const body = await response.text();
    return response.ok ? undefined : `${response.status} ${body}`;
  } catch (error) {
    const { message, cause } = error as Error;
    return `no answer: ${(cause as Error | undefined)?.message || message}`;
  }
}

/** Whether a process is there; without an id nobody knows that it is not. */
function isThere(pid: number | undefined): boolean {
  try {
    return pid === undefined || process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

interface Arguments {
  readonly url: string;
  readonly waitMs: number;
  readonly pid: number | undefined;
}

function readArguments(): Arguments {
  try {
    const options = {
      wait: { type: 'string' },
      pid: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    if (values.help) {
      console.log(usage);
      process.exit(0);
    }
    const { wait = '0', pid } = values;
    if (!/^\d{1,6}$/.test(wait)) fail(`--wait ${wait}: expected a whole number of seconds`);
    if (pid !== undefined && !/^[1-9]\d{0,9}$/.test(pid)) fail(`--pid ${pid}: expected the id of a process`);
    const [url = readyUrl(process.env), ...more] = positionals;
    if (more.length > 0 || !URL.canParse(url)) fail(`${positionals.join(' ')}: expected one URL\n\n${usage}`);
    return { url, waitMs: Number(wait) * 1000, pid: pid === undefined ? undefined : Number(pid) };
  } catch (error) {
    return fail((error as Error).message);
  }
}

const { url, waitMs, pid } = readArguments();
const until = performance.now() + waitMs;
let problem = await fault(url);
while (problem !== undefined && isThere(pid) && performance.now() < until) {
  await sleep(pauseMs);
  problem = await fault(url);
}
if (problem !== undefined) fail(`not ready: ${url}: ${problem}`);
console.log('ready');
