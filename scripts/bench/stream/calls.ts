/** Calls from the benchmark to its processes, each answered once, over the channel that Node opens to a child. */
import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';

type Handlers = Record<string, (argument: never) => unknown>;

export interface Process<Its extends Handlers> {
  readonly pid: number;
  /** Rejects with what the process threw. */
  call<Name extends keyof Its & string>(
    name: Name,
    ...argument: Parameters<Its[Name]>
  ): Promise<Awaited<ReturnType<Its[Name]>>>;
  end(): Promise<void>;
}

/** In a process of the benchmark: answers the calls. */
export function answerCalls(handlers: Handlers): void {
  const answer = async ({
    number,
    name,
    argument,
  }: {
    number: number;
    name: string;
    argument: never;
  }): Promise<void> => {
    try {
      process.send!({ number, answer: await handlers[name]!(argument) });
    } catch (error) {
      process.send!({ number, error: (error as Error).stack });
    }
  };
  process.on('message', (call: { number: number; name: string; argument: never }) => void answer(call));
  process.once('disconnect', () => process.exit());
}

/** Whether a process can be held on a core. */
export const hasTaskset = spawnSync('taskset', ['--version']).status === 0;

/** Starts a module as a process, on the core that is named where `taskset` is there to hold it. */
export async function startProcess<Its extends Handlers>(
  module: string,
  core?: number,
  flags: readonly string[] = [],
): Promise<Process<Its>> {
  const options = {
    execArgv: ['--expose-gc', ...flags],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'] as ('ignore' | 'inherit' | 'ipc')[],
  };
  const child = fork(new URL(module, import.meta.url), options);
  if (hasTaskset && core !== undefined) spawnSync('taskset', ['-a', '-c', '-p', String(core), String(child.pid)]);
  const waiting = new Map<number, { resolve: (answer: never) => void; reject: (error: Error) => void }>();
  let calls = 0;
  child.on('message', ({ number, answer, error }: { number: number; answer: never; error?: string }) => {
    const { resolve, reject } = waiting.get(number)!;
    waiting.delete(number);
    if (error === undefined) resolve(answer);
    else reject(new Error(error));
  });
  const ended = once(child, 'exit');
  void ended.then(([code]) => waiting.forEach(({ reject }) => reject(new Error(`${module} ended with code ${code}`))));
  return {
    pid: child.pid!,
    call(name, ...[argument]) {
      return new Promise((resolve, reject) => {
        waiting.set(++calls, { resolve, reject });
        child.send({ number: calls, name, argument });
      });
    },
    async end() {
      child.disconnect();
      await ended;
    },
  };
}

/** Microseconds by the clock that all processes of the machine share. */
export const clock = (): number => Number(process.hrtime.bigint() / 1000n);

/** What this process has used. */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** What this process holds, in bytes, after garbage collection. */
export function memory(): { resident: number; heap: number } {
  for (let n = 0; n < 3; n++) globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  return { resident: rss, heap: heapUsed + external };
}
