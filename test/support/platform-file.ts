/** A server that follows a platform in memory instead of Bluesky: a test writes into a file what happens on the platform. */
import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What the platform reads from its file, one JSON text a line. */
export type PlatformCommand =
  | { readonly do: 'publish'; readonly account: string; readonly text: string }
  | { readonly do: 'remove'; readonly id: string }
  | { readonly do: 'refuse'; readonly message: string }
  | { readonly do: 'cut' | 'accept' };

export interface PlatformFile {
  /** Variables for `startServer`. */
  readonly env: Readonly<Record<string, string>>;
  publish(account: string, text: string): Promise<void>;
  send(command: PlatformCommand): Promise<void>;
}

/** The accounts `alice.example.com` and `bob.example.com` exist. The ids of the posts are 1000, 1001 … in each process. */
export async function createPlatformFile(folder: string): Promise<PlatformFile> {
  const file = join(folder, 'platform.jsonl');
  await writeFile(file, '');
  const send = (command: PlatformCommand): Promise<void> => appendFile(file, `${JSON.stringify(command)}\n`);
  return {
    env: {
      PLATFORM_FILE: file,
      NODE_OPTIONS: `--import=${new URL('../follow/preload/platform.ts', import.meta.url).href}`,
    },
    send,
    publish: (account, text) => send({ do: 'publish', account, text }),
  };
}
