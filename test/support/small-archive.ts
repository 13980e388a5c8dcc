/** An archive of two posts, for servers that need no more: it opens at once. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './server.ts';

export const buildTweet = { id: '1001', text: 'We moved the build: nine minutes are two now.' };
/** Names a token by symbol, name and address. */
export const tokenTweet = { id: '1002', text: 'Pond ($POND) on Solana: PoNd1111111111111111111111111111111111pond' };

/** Fills the archive of a data folder while no server runs. */
export async function importSmallArchive(folder: string, dataDir: string): Promise<void> {
  const file = join(folder, 'small.jsonl');
  const tweets = [buildTweet, tokenTweet].map((tweet) => ({
    kind: 'tweet',
    tweet: { ...tweet, created_at: '2026-01-01T00:00:00Z', author_id: '1' },
  }));
  const records = [{ kind: 'user', user: { id: '1', username: 'ada', name: 'Ada' } }, ...tweets];
  await writeFile(file, records.map((record) => JSON.stringify(record)).join('\n'));
  const { code, stdout, stderr } = await run('scripts/cli/import.ts', [file], { DATA_DIR: dataDir });
  if (code !== 0) throw new Error(`the import failed: ${stdout}${stderr}`);
}
