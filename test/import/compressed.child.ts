// Prints by how many bytes the buffers in use grew while a gzip file of one line of 200 MB was imported.
// A process of its own: to collect garbage takes long in one that has loaded much.
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { importInput } from '../../server/import/import.ts';
import { openInputs } from '../../server/import/input.ts';
import { memorySink } from '../ports/reference/import-sink.ts';
import { temporaryFolder } from '../support/folder.ts';
import { liveBytes } from '../support/live-bytes.ts';

const megabyte = 1024 * 1024;
const tweet = { id: '1', text: 'tweet 1', created_at: '2026-01-01T00:00:00Z', author_id: '1' };
async function* lines(): AsyncGenerator<Buffer> {
  yield Buffer.from('{"text":"');
  for (let n = 0; n < 200; n++) yield Buffer.alloc(megabyte, 48);
  yield Buffer.from(`"}\n${JSON.stringify({ kind: 'tweet', tweet })}\n`);
}

const folder = await temporaryFolder();
try {
  const path = join(folder.path, 'bomb.gz');
  await pipeline(lines(), createGzip({ level: 1 }), createWriteStream(path));
  const before = liveBytes();
  let max = 0;
  const [input] = await openInputs(path);
  if (input === undefined) throw new Error('no input');
  async function* measured(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let bytes = 0;
    for await (const chunk of chunks) {
      // The import may transfer the chunk to its thread.
      const next = bytes + chunk.length;
      yield chunk;
      // Once for each 10 MB.
      if (Math.floor(next / (10 * megabyte)) > Math.floor(bytes / (10 * megabyte)))
        max = Math.max(max, liveBytes() - before);
      bytes = next;
    }
  }
  const report = await importInput({ ...input, read: (onRead) => measured(input.read(onRead)) }, memorySink());
  console.log(JSON.stringify({ max, taken: report.taken }));
} finally {
  await folder.dispose();
}
