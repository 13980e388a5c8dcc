/** Runs the server as a child process that restarts on the same port with the same data. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** The result of a start: the URL of the server, or the reason of the failure. */
export type Started = { readonly url: string } | { readonly failure: string };

/** Lines that every start repeats; the output omits them. It shows the keys that a start creates. */
const repeated = /^(?:starting |listening on |$| {2}(?:Social Data|open|live|API keys) )/;
/** Time limit of a stop; the server itself stops within 8 seconds. */
const stopMs = 12_000;
/** The maximum number of reported lines of a failed start. */
const maxErrorLines = 6;

export interface ServiceOptions {
  readonly root: string;
  /** A server that prints `listening on URL`. */
  readonly script: string;
  readonly env: NodeJS.ProcessEnv;
  /** Receives all other lines of the server. */
  readonly onLine: (line: string) => void;
  /** Receives the exit code or signal of a server that ends without a stop. */
  readonly onExit: (reason: string) => void;
}

/** The server of the loop: at most one process at a time. */
export class Service {
  readonly #options: ServiceOptions;
  #child: ChildProcess | undefined;
  #url: string | undefined;
  #port: string | undefined;
  #closed = false;

  constructor(options: ServiceOptions) {
    this.#options = options;
  }

  /** The URL of the server; undefined while it does not listen. */
  get url(): string | undefined {
    return this.#url;
  }

  /** Restarts the server; resolves when it listens or has exited. */
  async restart(): Promise<Started> {
    await this.#stop();
    if (this.#closed) return { failure: 'the session has ended' };
    return this.#start();
  }

  /** Stops the server gracefully: requests in flight finish first. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#stop();
  }

  async #stop(): Promise<void> {
    const child = this.#child;
    this.#child = this.#url = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), stopMs);
    await exited;
    clearTimeout(timer);
  }

  #spawn() {
    const { root, script, env } = this.#options;
    return spawn(process.execPath, [script], {
      cwd: root,
      env: {
        // Most files do not change between starts; the cache of compiled code saves up to a fifth of the start.
        NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled'),
        ...env,
        // PORT=0 selects a free port at the first start; later starts use the same one, so that clients can reconnect.
        ...(this.#port !== undefined && { PORT: this.#port }),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  #start(): Promise<Started> {
    const { onLine, onExit } = this.#options;
    const isFirst = this.#port === undefined;
    const child = this.#spawn();
    this.#child = child;
    // The error output of a start is the reason when the start fails.
    let startErrors: string[] | undefined = [];
    createInterface(child.stderr).on('line', (line) =>
      startErrors === undefined ? onLine(line) : void startErrors.push(line),
    );
    return new Promise((resolve) => {
      createInterface(child.stdout).on('line', (line) => {
        const url = /^listening on (http\S+)$/.exec(line)?.[1];
        if (isFirst || !repeated.test(line)) onLine(line);
        if (url === undefined || this.#child !== child) return;
        startErrors?.forEach(onLine);
        startErrors = undefined;
        this.#url = url;
        this.#port = new URL(url).port;
        resolve({ url });
      });
      child.once('error', (error) => resolve({ failure: error.message }));
      child.once('close', (code, signal) => {
        const reason = signal === null ? `exit code ${code}` : signal;
        resolve({ failure: [...(startErrors ?? []).slice(-maxErrorLines), reason].join('\n') });
        if (this.#child !== child) return;
        const listened = this.#url !== undefined;
        this.#child = this.#url = undefined;
        if (listened) onExit(reason);
      });
    });
  }
}
