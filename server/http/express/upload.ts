/** Receives files of request bodies: into temporary files, which are removed after the response. */
import { createWriteStream, openAsBlob } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** The temporary files of one request. */
export class Uploads {
  #folder: Promise<string> | undefined;
  #count = 0;

  /** `response`: the files are removed when it has been sent, or can no longer be sent. */
  constructor(response: ServerResponse) {
    response.once('close', () => void this.#remove());
  }

  /** Writes a stream to a file of its own; resolves with the bytes when all have arrived. */
  async receive(stream: Readable, type: string): Promise<Blob> {
    this.#folder ??= mkdtemp(join(tmpdir(), 'social-data-upload-'));
    const path = join(await this.#folder, String((this.#count += 1)));
    // Nobody else on the machine may read what callers send.
    await pipeline(stream, createWriteStream(path, { mode: 0o600 }));
    return openAsBlob(path, { type });
  }

  async #remove(): Promise<void> {
    const folder = await this.#folder?.catch(() => undefined);
    // A file that cannot be removed is left to the operating system: there is no caller to tell.
    if (folder !== undefined) await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  }
}

/** A stream that fails by `error` after more than `bytes` bytes. */
export function limitBytes(bytes: number, error: () => Error): Transform {
  let received = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length;
      if (received > bytes) done(error());
      else done(null, chunk);
    },
  });
}
