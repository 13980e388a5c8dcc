/** Runs the server as a child process that restarts on the same port with the same data. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** The result of a start: the URL of the server, or the reason of the failure. */
export type Started = { readonly url: string } | { readonly failure: string };

export interface Service {
  /** Restarts the server; resolves when it listens or has exited. */
  restart(): Promise<Started>;
  /** The URL of the server; undefined while it does not listen. */
  readonly url: string | undefined;
  /** Stops the server gracefully: requests in flight finish first. */
  close(): Promise<void>;
}

/** Log lines that every start repeats; the output omits them. */
const repeated = /^(listening on|docs:|live events:) /;
/** Time limit of a stop; the server itself stops within 8 seconds. */
const stopMs = 12_000;
/** The maximum number of reported lines of a failed start. */
const maxErrorLines = 6;

/**
 * `script` says `listening on URL` when it does; what else it writes goes to `say`.
 * A server that ends by itself is told to `ended`, with its exit code or signal.
 */
export function createService(
  { root, script, env }: { readonly root: string; readonly script: string; readonly env: NodeJS.ProcessEnv },
  { say, ended }: { say(line: string): void; ended(how: string): void },
): Service {
  let child: ChildProcess | undefined;
  let url: string | undefined;
  let port: string | undefined;
  let closed = false;

  async function stop(): Promise<void> {
    const stopping = child;
    child = url = undefined;
    if (stopping === undefined || stopping.exitCode !== null || stopping.signalCode !== null) return;
    const gone = once(stopping, 'exit');
    stopping.kill('SIGTERM');
    const late = setTimeout(() => stopping.kill('SIGKILL'), stopMs);
    await gone;
    clearTimeout(late);
  }

  async function start(): Promise<Started> {
    if (closed) return { failure: 'it was to end for good' };
    const first = port === undefined;
    const started = spawn(process.execPath, [script], {
      cwd: root,
      env: {
        // Most files are the same at the next start: what Node made of them is kept, so that a start takes up to a fifth less.
        NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled'),
        ...env,
        // PORT=0 takes a free one: the next start must have the same, or whoever talks to it is lost.
        ...(port !== undefined && { PORT: port }),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = started;
    // Until it listens, what it complains of is the reason why it did not start.
    let complaints: string[] | undefined = [];
    createInterface(started.stderr).on('line', (line) =>
      complaints === undefined ? say(line) : void complaints.push(line),
    );
    return new Promise((resolve) => {
      createInterface(started.stdout).on('line', (line) => {
        const listening = /^listening on (http\S+)$/.exec(line)?.[1];
        if (first || !repeated.test(line)) say(line);
        if (listening === undefined || child !== started) return;
        complaints?.forEach(say);
        complaints = undefined;
        url = listening;
        port = new URL(listening).port;
        resolve({ url });
      });
      started.once('error', (error) => resolve({ failure: error.message }));
      started.once('close', (code, signal) => {
        const how = signal === null ? `exit code ${code}` : signal;
        resolve({ failure: [...(complaints ?? []).slice(-maxErrorLines), how].join('\n') });
        if (child !== started) return;
        const listened = url !== undefined;
        child = url = undefined;
        if (listened) ended(how);
      });
    });
  }

  return {
    async restart() {
      await stop();
      return start();
    },
    get url() {
      return url;
    },
    async close() {
      closed = true;
      await stop();
    },
  };
}
