/** The process of the measured server. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { key } from './requests.ts';

const root = new URL('../../../', import.meta.url).pathname;

export interface Server {
  readonly port: number;
  /** Resolves when the server has logged a message again since the last such call. Rejects when the server ends. */
  logged(message: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the server on a data directory. `purgeWithin`: when removed texts leave its disk. */
export async function startServer(dataDir: string, purgeWithin: string): Promise<Server> {
  const child = spawn(process.execPath, ['--max-old-space-size=8192', '--max-semi-space-size=16', 'server/main.ts'], {
    cwd: root,
    env: {
      ...process.env,
      ...{ DATA_DIR: dataDir, PORT: '0', DEMO: '0', API_KEYS: key, RATE_LIMIT: 'off' },
      ...{ PURGE_WITHIN: purgeWithin, LOG_LEVEL: 'info' },
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  let output = '';
  // The log of every request would grow without limit.
  const maxOutput = 1_000_000;
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => void (output = (output + text).slice(-maxOutput)));
  const until = async <Value>(find: () => Value | undefined): Promise<Value> => {
    for (;;) {
      const value = find();
      if (value !== undefined) return value;
      if (child.exitCode !== null) throw new Error(`the server ended: ${output.slice(-2000)}`);
      await pause(20);
    }
  };
  const port = await until(() => /^listening on http:\/\/\S+:(\d+)$/m.exec(output)?.[1]);
  return {
    port: Number(port),
    async logged(message) {
      await until(() => output.includes(message) || undefined);
      output = output.slice(output.indexOf(message) + message.length);
    },
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
