/** The measured server, and what it logs. */
import { setTimeout as pause } from 'node:timers/promises';
import { startService } from '../service.ts';
import { key } from './requests.ts';

export interface Server {
  readonly port: number;
  /** Resolves when the server has logged a message again since the last such call. Rejects when the server ends. */
  logged(message: string): Promise<void>;
  stop(): Promise<unknown>;
}

/** The log has a line for each request: only the newest ones are kept. */
const maxLines = 10_000;

/** Starts the server on a data directory. `purgeWithin`: when removed texts leave its disk. */
export async function startServer(dataDir: string, purgeWithin: string): Promise<Server> {
  const lines: string[] = [];
  const service = await startService(
    { DATA_DIR: dataDir, API_KEYS: key, PURGE_WITHIN: purgeWithin, LOG_LEVEL: 'info' },
    {
      flags: ['--max-old-space-size=8192'],
      log: (line) => {
        lines.push(line);
        if (lines.length > maxLines) lines.shift();
      },
    },
  );
  return {
    port: service.port,
    stop: service.stop,
    async logged(message) {
      for (;;) {
        const found = lines.findIndex((line) => line.includes(message));
        if (found >= 0) return void lines.splice(0, found + 1);
        if (service.hasEnded()) throw new Error(`the server ended: ${lines.slice(-10).join('\n')}`);
        await pause(20);
      }
    },
  };
}
