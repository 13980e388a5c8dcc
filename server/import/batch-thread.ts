/** The thread that reads the batches of a large input: it parses, validates and converts values. */
import { parentPort, workerData } from 'node:worker_threads';
import { BatchReader, type BatchSettings, type Chunk, type ImportBatch } from './batch-reader.ts';
import { NoteTexts, type NotesBySecond } from '../formats/note-tweets.ts';
import { InputError } from './input-file.ts';
import { lowerThreadPriority } from '../process/thread-priority.ts';

/** How the thread reads an input: what a message can transfer. */
export interface ThreadSettings extends Omit<BatchSettings, 'notes'> {
  readonly notes: NotesBySecond | undefined;
}
/** What the thread gets: a chunk that it requested, the end of the input, or the notice that its caller took a batch. */
export type ThreadRequest =
  | { readonly kind: 'chunk'; readonly data: Uint8Array<ArrayBuffer>; readonly read: number }
  | { readonly kind: 'end'; readonly fault: string | undefined }
  | { readonly kind: 'taken' };
/** What the thread sends: a batch, or the request of a chunk. */
export type ThreadAnswer = { readonly kind: 'batch'; readonly batch: ImportBatch } | { readonly kind: 'wanted' };

/** The number of batches that wait for the caller at most. */
const maxAhead = 3;

const port = parentPort;
if (port === null) throw new Error('this module runs in a thread');
const { notes, ...settings } = workerData as ThreadSettings;
// A sink with a maximum also answers requests.
if (settings.maxValues !== undefined) lowerThreadPriority();

let chunk = Promise.withResolvers<ThreadRequest>();
let taken = Promise.withResolvers<void>();
let ahead = 0;

const reader = new BatchReader({ ...settings, ...(notes === undefined ? {} : { notes: new NoteTexts(notes) }) });

port.on('message', (request: ThreadRequest) => {
  if (request.kind !== 'taken') return chunk.resolve(request);
  ahead--;
  taken.resolve();
});

const want = (): void => {
  chunk = Promise.withResolvers();
  port.postMessage({ kind: 'wanted' } satisfies ThreadAnswer);
};

/** The chunks of the input. Requests the next one before the caller uses this one. */
async function* chunks(): AsyncGenerator<Chunk, void> {
  for (want(); ;) {
    const next = await chunk.promise;
    if (next.kind === 'end' && next.fault !== undefined) throw new InputError(next.fault);
    if (next.kind !== 'chunk') return;
    want();
    yield { data: Buffer.from(next.data.buffer), read: next.read };
  }
}

for await (const { records: _parsedByTheCaller, ...batch } of reader.read(chunks())) {
  while (ahead >= maxAhead) {
    taken = Promise.withResolvers();
    await taken.promise;
  }
  ahead++;
  port.postMessage({ kind: 'batch', batch } satisfies ThreadAnswer);
}
