/** Remote calls from the benchmark to its child processes, over Node's IPC channel. */
import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { ownMemory } from '../process-usage.ts';

type Handlers = Record<string, (argument: never) => unknown>;

/** A child process. `H`: its handlers. */
export interface Process<H extends Handlers> {
  readonly pid: number;
  /** Rejects when the handler throws or the process exits. */
  call<Name extends keyof H & string>(
    name: Name,
    ...argument: Parameters<H[Name]>
  ): Promise<Awaited<ReturnType<H[Name]>>>;
  end(): Promise<void>;
}

/** Handles the calls in a child process. */
export function answerCalls(handlers: Handlers): void {
  const handle = async ({
    number,
    name,
    argument,
  }: {
    number: number;
    name: string;
    argument: never;
  }): Promise<void> => {
    try {
      process.send!({ number, result: await handlers[name]!(argument) });
    } catch (error) {
      process.send!({ number, error: (error as Error).stack });
    }
  };
  process.on('message', (call: { number: number; name: string; argument: never }) => void handle(call));
  process.once('disconnect', () => process.exit());
}

/** Whether `taskset` is installed, which binds a process to a core. */
export const hasTaskset = spawnSync('taskset', ['--version']).status === 0;

/**
 * Options of Node for processes that are measured in turn on one core. V8 then has one thread beside the main one, as in the service, and does not
 * collect garbage some seconds after a load has ended: that would fall into the measurement of another process.
 */
export const sharedCoreFlags: readonly string[] = ['--v8-pool-size=0', '--no-memory-reducer'];

/** Starts a module as a child process, bound to a core when `taskset` is installed. The module is relative to this file. */
export async function startProcess<H extends Handlers>(
  module: string,
  core?: number,
  flags: readonly string[] = [],
): Promise<Process<H>> {
  const options = {
    execArgv: ['--expose-gc', ...sharedCoreFlags, ...flags],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'] as ('ignore' | 'inherit' | 'ipc')[],
  };
  const child = fork(new URL(module, import.meta.url), options);
  if (hasTaskset && core !== undefined) spawnSync('taskset', ['-a', '-c', '-p', String(core), String(child.pid)]);
  const pending = new Map<number, { resolve: (result: never) => void; reject: (error: Error) => void }>();
  let calls = 0;
  child.on('message', ({ number, result, error }: { number: number; result: never; error?: string }) => {
    const { resolve, reject } = pending.get(number)!;
    pending.delete(number);
    if (error === undefined) resolve(result);
    else reject(new Error(error));
  });
  const exited = once(child, 'exit');
  void exited.then(([code]) =>
    pending.forEach(({ reject }) => reject(new Error(`${module} exited with code ${code}`))),
  );
  return {
    pid: child.pid!,
    call(name, ...[argument]) {
      return new Promise((resolve, reject) => {
        pending.set(++calls, { resolve, reject });
        child.send({ number: calls, name, argument });
      });
    },
    async end() {
      child.disconnect();
      await exited;
    },
  };
}

/** Microseconds of the monotonic clock, which all processes of the machine share. */
export const clock = (): number => Number(process.hrtime.bigint() / 1000n);

/** Microseconds of processor time since the start of this process. */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Bytes of memory of this process after garbage collection. */
export function memory(): { resident: number; heap: number } {
  for (let n = 0; n < 3; n++) globalThis.gc?.();
  const { resident, heap, external } = ownMemory();
  return { resident, heap: heap + external };
}
