/** The clocks of a server process, moved by a test: nothing has to wait for time to pass, and nothing may be late. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { RunningServer } from './server.ts';

export interface ServerClock {
  /** Variables for `startServer`. */
  readonly env: Record<string, string>;
  /** From now on the clock of the system is set wrong by so many milliseconds. Resolves when the server goes by it. */
  setWrong(milliseconds: number, server: RunningServer): Promise<void>;
  /** So many milliseconds pass, on both clocks, that of the system and the monotonic one. Resolves as `setWrong`. */
  pass(milliseconds: number, server: RunningServer): Promise<void>;
  /** The same as `setWrong`, for a server that starts later. */
  setWrongForNextStart(milliseconds: number): Promise<void>;
}

const preload = fileURLToPath(new URL('../faults/preload/clock.ts', import.meta.url));

/** A clock that is right at first. `folder` is for its files. */
export function serverClock(folder: string): ServerClock {
  const file = join(folder, 'clock');
  let [wrong, passed] = [0, 0];
  const text = (): string => `${wrong} ${passed}`;
  async function tell(server: RunningServer): Promise<void> {
    await writeFile(file, text());
    server.child.kill('SIGUSR2');
    while ((await readFile(`${file}.read`, 'utf8')) !== text()) await sleep(5);
  }
  return {
    env: { CLOCK_FILE: file, NODE_OPTIONS: `--import=${preload}` },
    setWrong(milliseconds, server) {
      wrong = milliseconds;
      return tell(server);
    },
    pass(milliseconds, server) {
      passed += milliseconds;
      return tell(server);
    },
    setWrongForNextStart(milliseconds) {
      wrong = milliseconds;
      return writeFile(file, text());
    },
  };
}
