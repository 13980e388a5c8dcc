/**
 * Health check: requests the readiness of the server, prints one line, and exits with 0 when the server is ready, else
 * with 1. It serves the health check of a container, and a service manager that waits for the end of a start.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readConfig } from '../config/config.ts';
import { ConfigError } from '../config/variables.ts';
import { codeOf, messageOf } from '../text/error-text.ts';

const usage = `Usage: node server/deploy/health.ts [--wait SECONDS [--pid ID]] [URL]

Requests URL. The default is /readyz of the server at HOST and PORT; 0.0.0.0 and :: mean this machine.

  --wait SECONDS  repeats the request until the server is ready, for at most this time
  --pid ID        stops at once when this process has ended
  --help          shows this text`;

/** Time limit of one request, and the delay between requests, in milliseconds. */
const [requestTimeoutMs, retryDelayMs] = [3_000, 250];

/** The readiness URL of the server that the environment configures. Throws ConfigError. */
function readyUrl(env: NodeJS.ProcessEnv): string {
  const { host, port } = readConfig(env);
  if (port === 0) throw new ConfigError(['PORT=0 does not name the port of the server: pass the URL']);
  const address = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}/readyz`;
}

/** Requests readiness. Returns undefined when the server is ready, else the reason. */
async function checkReadiness(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(requestTimeoutMs) });
    const body = await response.text();
    return response.ok ? undefined : `${response.status} ${body}`;
  } catch (error) {
    const { message, cause } = error as Error;
    return `no response: ${(cause as Error | undefined)?.message || message}`;
  }
}

/** Whether a process exists; without an id the result is true. */
function isRunning(pid: number | undefined): boolean {
  try {
    return pid === undefined || process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
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
    const [url = readyUrl(process.env), ...extra] = positionals;
    if (extra.length > 0 || !URL.canParse(url)) fail(`${positionals.join(' ')}: expected one URL\n\n${usage}`);
    return { url, waitMs: Number(wait) * 1000, pid: pid === undefined ? undefined : Number(pid) };
  } catch (error) {
    return fail(messageOf(error));
  }
}

const { url, waitMs, pid } = readArguments();
const deadline = performance.now() + waitMs;
let problem = await checkReadiness(url);
while (problem !== undefined && isRunning(pid) && performance.now() < deadline) {
  await sleep(retryDelayMs);
  problem = await checkReadiness(url);
}
if (problem !== undefined) fail(`not ready: ${url}: ${problem}`);
console.log('ready');
