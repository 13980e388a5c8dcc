/** Remote calls from a benchmark to its child processes, over Node's IPC channel. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { bindToCore, serverCore, sharedCoreFlags } from './service.ts';

type Handlers = Record<string, (argument: never) => unknown>;

interface Call {
  readonly number: number;
  readonly name: string;
  readonly argument: never;
}
interface Answer {
  readonly number: number;
  readonly result?: never;
  readonly error?: string;
}

/** A child process. `H`: its handlers. */
export interface Process<H extends Handlers> {
  readonly pid: number;
  /** Rejects when the handler throws or the process exits. */
  call<Name extends keyof H & string>(
    name: Name,
    ...argument: Parameters<H[Name]>
  ): Promise<Awaited<ReturnType<H[Name]>>>;
  /** Ends the process. Resolves when it has ended. */
  end(): Promise<void>;
}

/** Handles the calls in a child process, which ends when the channel closes. `close` runs before. */
export function answerCalls(handlers: Handlers, close: () => unknown = () => {}): void {
  const handle = async ({ number, name, argument }: Call): Promise<Answer> => {
    try {
      return { number, result: (await handlers[name]!(argument)) as never };
    } catch (error) {
      return { number, error: error instanceof Error ? error.message : String(error) };
    }
  };
  process.on('message', (call: Call) => void handle(call).then((answer) => process.send?.(answer)));
  process.once('disconnect', () => void Promise.resolve(close()).finally(() => process.exit()));
}

/** Starts a module of this folder as a child process. `isBound`: to the core of the servers. */
export function startProcess<H extends Handlers>(
  module: string,
  {
    args = [],
    flags = [],
    isBound = false,
  }: { args?: readonly string[]; flags?: readonly string[]; isBound?: boolean },
): Process<H> {
  const child = fork(new URL(module, import.meta.url), args, {
    execArgv: ['--expose-gc', ...(isBound ? sharedCoreFlags : []), ...flags],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const pid = child.pid ?? Number.NaN;
  if (isBound) bindToCore(pid, serverCore);
  const pending = new Map<number, PromiseWithResolvers<never>>();
  let calls = 0;
  child.on('message', ({ number, result, error }: Answer) => {
    const waiting = pending.get(number);
    pending.delete(number);
    if (error === undefined) waiting?.resolve(result as never);
    else waiting?.reject(new Error(error));
  });
  const exited = once(child, 'exit');
  void exited.then(([code]) => pending.forEach(({ reject }) => reject(new Error(`${module} ended with ${code}`))));
  return {
    pid,
    call(name, ...[argument]) {
      const waiting = Promise.withResolvers<never>();
      pending.set(++calls, waiting);
      child.send({ number: calls, name, argument });
      return waiting.promise;
    },
    async end() {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}

/** Microseconds of the monotonic clock, which all processes of the machine share. */
export const clock = (): number => Number(process.hrtime.bigint() / 1000n);

/** Microseconds of CPU time since the start of this process. */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
