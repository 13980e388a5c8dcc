/** Calls of functions in another thread. A StoreError or ServiceError of the other thread stays one. */
import { Worker, type MessagePort } from 'node:worker_threads';
import { ServiceError } from '../../contract/service-error.ts';
import { StoreError } from '../../ports/storage.ts';
import { DatabaseFileError, type FileFault } from './sqlite-error.ts';
import { messageOf } from '../../text/error-text.ts';

interface Call {
  readonly call: number;
  readonly name: string;
  readonly args: readonly unknown[];
}
export interface SentError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly status: number | undefined;
  readonly headers: Record<string, string> | undefined;
  readonly fault: FileFault | undefined;
}
type Answer =
  | { readonly call: number; readonly result: unknown }
  | { readonly call: number; readonly error: SentError }
  /** What the thread sends without a call. */
  | { readonly notice: unknown };

/** The functions of a thread, by name. */
export type ThreadFunctions = Readonly<Record<string, (...args: never[]) => unknown>>;

export interface ThreadParts {
  readonly module: URL;
  /** What the module gets as `workerData`. */
  readonly data: object;
  /** What the thread does, for errors: `writes to the database`. */
  readonly task: string;
  readonly onNotice?: (notice: unknown) => void;
  /** The thread has ended although nobody closed it. */
  readonly onEnded: (reason: string) => void;
}

/** A thread starts at its first call, or with `start`. */
export class CalledThread {
  readonly #parts: ThreadParts;
  #worker: Worker | undefined;
  readonly #calls = new Map<number, PromiseWithResolvers<unknown>>();
  #last = 0;
  #ended: StoreError | undefined;

  constructor(parts: ThreadParts) {
    this.#parts = parts;
  }

  get isStarted(): boolean {
    return this.#worker !== undefined;
  }

  start(): void {
    this.#worker ??= this.#open();
  }

  #open(): Worker {
    const { module, data, task, onNotice, onEnded } = this.#parts;
    const worker = new Worker(module, { workerData: data });
    worker.on('message', (answers: readonly Answer[]) => {
      for (const answer of answers)
        if ('notice' in answer) onNotice?.(answer.notice);
        else this.#settle(answer);
    });
    const end = (reason: string): void => {
      if (this.#ended !== undefined) return;
      const message = `the thread that ${task} has ended: ${reason}`;
      this.#end(message);
      onEnded(message);
    };
    worker.on('error', (error) => end(messageOf(error)));
    worker.on('exit', (code) => end(`exit code ${code}`));
    return worker;
  }

  /** Rejects as the function does, and with StoreError where the thread has ended. */
  call<Result>(name: string, ...args: readonly unknown[]): Promise<Result> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    const done = Promise.withResolvers<unknown>();
    const call = ++this.#last;
    this.#calls.set(call, done);
    this.#worker ??= this.#open();
    this.#worker.postMessage({ call, name, args } satisfies Call);
    return done.promise as Promise<Result>;
  }

  /** Ends the thread. Calls without an answer reject. */
  async close(): Promise<void> {
    this.#end('the store is closed');
    await this.#worker?.terminate();
  }

  #settle(answer: Exclude<Answer, { notice: unknown }>): void {
    const done = this.#calls.get(answer.call);
    this.#calls.delete(answer.call);
    if ('error' in answer) done?.reject(errorOf(answer.error));
    else done?.resolve(answer.result);
  }

  #end(reason: string): void {
    this.#ended ??= new StoreError(reason);
    for (const done of this.#calls.values()) done.reject(this.#ended);
    this.#calls.clear();
  }
}

/**
 * Sends answers and notices to the thread that started this one. A notice is sent with the next answer of the same turn of the event loop: a
 * transaction has two notices and an answer, and each separate message costs both threads as much as a small statement.
 */
export class ThreadPort {
  readonly #port: MessagePort;
  readonly #notices: Answer[] = [];

  constructor(port: MessagePort) {
    this.#port = port;
  }

  notify(notice: unknown): void {
    if (this.#notices.push({ notice }) === 1) setImmediate(() => this.#send());
  }

  /** Answers the calls of the other thread. */
  serve(functions: ThreadFunctions): void {
    this.#port.on('message', ({ call, name, args }: Call) => {
      const run = async (): Promise<unknown> => functions[name]?.(...(args as never[]));
      run().then(
        (result) => this.#send({ call, result }),
        (error: unknown) => this.#send({ call, error: sentError(error) }),
      );
    });
  }

  #send(...answers: readonly Answer[]): void {
    const sent = [...this.#notices.splice(0), ...answers];
    if (sent.length > 0) this.#port.postMessage(sent);
  }
}

export function sentError(error: unknown): SentError {
  const { name, stack } = error instanceof Error ? error : new Error();
  const service = error instanceof ServiceError ? error : undefined;
  return {
    ...{ name, message: messageOf(error), stack, status: service?.status },
    headers: service && { ...service.headers },
    fault: error instanceof DatabaseFileError ? error.fault : undefined,
  };
}

export function errorOf({ name, message, stack, status, headers, fault }: SentError): Error {
  if (fault !== undefined) return new DatabaseFileError(message, fault, undefined);
  if (name === 'StoreError') return new StoreError(message);
  if (status !== undefined) return new ServiceError(status as ServiceError['status'], message, headers);
  return Object.assign(new Error(message), { name, stack });
}
