/**
 * The batches of an input: read in this thread where it is small, and otherwise in a thread of its own, so that this one only
 * applies the records.
 */
import { Worker } from 'node:worker_threads';
import { BatchReader, type BatchSettings, type Chunk, type ImportBatch } from './batch-reader.ts';
import type { ThreadAnswer, ThreadRequest, ThreadSettings } from './batch-thread.ts';
import { ThreadResults } from '../process/thread-results.ts';
import { InputError, type Input } from './input-file.ts';

/** An input with less decompressed content is read in this thread: a thread of its own takes longer to start. */
const minThreadBytes = 4 * 1024 * 1024;
/** The same beside requests: to parse and convert one value of this size with very many parts takes a few milliseconds. */
const minBesideRequests = 128 * 1024;

/** Reads the batches of an input. Closes the input also if the caller stops early. Throws only errors of the program. */
export async function* batchesOf(
  input: Input,
  settings: BatchSettings,
  threadBytes = settings.maxValues === undefined ? minThreadBytes : minBesideRequests,
): AsyncGenerator<ImportBatch, void> {
  const chunks = chunksOf(input);
  const head: Chunk[] = [];
  let fault: unknown;
  try {
    let bytes = 0;
    let isWhole = false;
    while (bytes < threadBytes && !isWhole) {
      const next = await chunks.next().catch((error: unknown) => void (fault = error));
      if (next?.value !== undefined) bytes += head.push(next.value) && next.value.data.length;
      isWhole = next === undefined || next.done === true;
    }
    const all = async function* (): AsyncGenerator<Chunk, void> {
      yield* head.splice(0);
      if (fault !== undefined) throw fault;
      yield* chunks;
    };
    yield* isWhole ? new BatchReader(settings).read(all()) : readInThread(all(), settings);
  } finally {
    await chunks.return();
  }
}

async function* chunksOf(input: Input): AsyncGenerator<Chunk, void> {
  let read = 0;
  for await (const data of input.read((bytes) => (read = bytes))) yield { data, read };
}

async function* readInThread(
  chunks: AsyncGenerator<Chunk, void>,
  settings: BatchSettings,
): AsyncGenerator<ImportBatch, void> {
  const thread = new BatchThread(chunks, settings);
  try {
    for (let batch = await thread.next(); batch !== undefined; batch = await thread.next()) {
      yield batch;
      if (batch.end !== undefined) return;
    }
  } finally {
    await thread.end();
  }
}

/** The thread that reads batches. It requests the chunks of the input; it may be some batches ahead of the caller. */
class BatchThread {
  readonly #chunks: AsyncGenerator<Chunk, void>;
  readonly #worker: Worker;
  readonly #batches: ThreadResults<ImportBatch>;

  constructor(chunks: AsyncGenerator<Chunk, void>, settings: BatchSettings) {
    this.#chunks = chunks;
    const { notes, ...others } = settings;
    const workerData: ThreadSettings = { ...others, notes: notes?.bySecond };
    this.#worker = new Worker(new URL('batch-thread.ts', import.meta.url), { workerData });
    this.#batches = new ThreadResults(this.#worker, 'reads the input');
    this.#worker.on('message', (answer: ThreadAnswer) => this.#take(answer));
  }

  /** The next batch. Rejects where the thread has failed. */
  async next(): Promise<ImportBatch> {
    const batch = await this.#batches.next();
    this.#send({ kind: 'taken' });
    return batch;
  }

  /** Ends the thread. */
  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #take(answer: ThreadAnswer): void {
    if (answer.kind === 'wanted') return void this.#pass();
    this.#batches.add(answer.batch);
  }

  /** Passes the next chunk to the thread, or the end of the input. */
  async #pass(): Promise<void> {
    try {
      const { value } = await this.#chunks.next();
      if (value === undefined) return this.#send({ kind: 'end', fault: undefined });
      // A chunk that is alone in its memory is passed without a copy: its source does not read it any more.
      const isAlone = value.data.byteLength === value.data.buffer.byteLength;
      const data = isAlone ? (value.data as Uint8Array<ArrayBuffer>) : new Uint8Array(value.data);
      this.#send({ kind: 'chunk', data, read: value.read }, [data.buffer]);
    } catch (error) {
      if (error instanceof InputError) this.#send({ kind: 'end', fault: error.message });
      else this.#batches.fail(error);
    }
  }

  #send(request: ThreadRequest, transfer: readonly ArrayBuffer[] = []): void {
    this.#worker.postMessage(request, transfer);
  }
}
