/** Uploads of the operator, in parts that resume after any interruption, and their import. */
import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { badRequest, notFound, ServiceError, unavailable } from '../contract/service-error.ts';
import { importInput, type ImportReport } from '../import/import.ts';
import { InputError } from '../import/input-file.ts';
import { openInputs } from '../import/input.ts';
import { besideRequests } from '../import/shared-sink.ts';
import type { ImportSink } from '../ports/import-sink.ts';
import { messageOf } from '../text/error-text.ts';

/** The file that the operator uploads, as the browser knows it. The same file resumes its upload. */
export interface FileFacts {
  readonly name: string;
  /** Its size in bytes. */
  readonly bytes: number;
  /** When it was changed last, in milliseconds since 1970. */
  readonly modified: number;
}

/** The report of one input. */
interface InputSummary extends Pick<
  ImportReport,
  'taken' | 'updated' | 'unchanged' | 'skipped' | 'resumed' | 'added' | 'complete' | 'leftOut' | 'fault'
> {
  readonly input: string;
  readonly reasons: readonly { readonly reason: string; readonly count: number; readonly lines: readonly number[] }[];
}

/** An upload and its import. */
export interface UploadView {
  readonly id: string;
  readonly name: string;
  readonly bytes: number;
  /** Bytes that are on the disk of the server. The next part begins here. */
  readonly received: number;
  readonly state: 'uploading' | 'importing' | 'done' | 'failed';
  /** What the import has read so far. */
  readonly progress: { readonly input: string; readonly values: number; readonly bytes: number; readonly of: number };
  readonly reports: readonly InputSummary[];
  /** Why the import failed. */
  readonly error: string | null;
}

/** Limits of uploads. */
const maxBytes = 64 * 1024 ** 3;
const maxUploads = 20;
/** What must stay free on the disk. */
const reservedBytes = 1024 ** 3;
/** An unfinished upload is removed after this time without a further part. */
const keepMs = 7 * 24 * 60 * 60 * 1000;
/** Reasons in a summary, and lines of each. */
const [maxReasons, maxLines] = [100, 20];

const idOf = ({ name, bytes, modified }: FileFacts): string =>
  createHash('sha256')
    .update(JSON.stringify([name, bytes, modified]))
    .digest('hex')
    .slice(0, 32);

class Upload {
  readonly id: string;
  readonly facts: FileFacts;
  received: number;
  state: UploadView['state'] = 'uploading';
  progress = { input: '', values: 0, bytes: 0, of: 0 };
  reports: InputSummary[] = [];
  error: string | null = null;
  /** Whether a part is being written. */
  isWriting = false;

  constructor(id: string, facts: FileFacts, received: number) {
    this.id = id;
    this.facts = facts;
    this.received = received;
  }

  view(): UploadView {
    const { id, facts, received, state, progress, reports, error } = this;
    // A copy: the import goes on while a response is prepared.
    return { id, name: facts.name, bytes: facts.bytes, received, state, progress, reports: [...reports], error };
  }
}

function summaryOf(report: ImportReport, name: string, path: string): InputSummary {
  const { reasons, unlisted, input, fault, ...rest } = report;
  const counted = Array.from(reasons, ([reason, lines]) => ({
    reason,
    count: lines.length + (unlisted.get(reason) ?? 0),
    // A document can have all its values on one line.
    lines: [...new Set(lines)].slice(0, maxLines),
  }));
  const listed = counted.toSorted((a, b) => b.count - a.count).slice(0, maxReasons);
  return {
    ...rest,
    ...(fault === undefined ? {} : { fault: fault.replaceAll(path, name) }),
    input: inputName(input, name),
    reasons: listed,
  };
}

/** The name of an input for the operator: the uploaded file, and the file in it. The path on the server stays secret. */
function inputName(input: string, name: string): string {
  const inner = /: ([^/]+)$/.exec(input)?.[1];
  return inner === undefined ? name : `${name}: ${inner}`;
}

/** The uploads of this process. Their files are in a folder of the data directory. */
export class Uploads {
  readonly #folder: string;
  readonly #sink: ImportSink;
  readonly #uploads = new Map<string, Upload>();
  readonly #onFault: (error: unknown) => void;
  readonly #stop = new AbortController();
  /** Imports run one after another. */
  #running: Promise<void> = Promise.resolve();

  /** `onFault` gets the errors that are no fault of a file. */
  constructor(folder: string, sink: ImportSink, onFault: (error: unknown) => void) {
    this.#folder = folder;
    this.#sink = besideRequests(sink);
    this.#onFault = onFault;
  }

  /** Begins an upload, or finds the one of the same file: after a reload of the page, or a restart of the server. */
  async begin(facts: FileFacts): Promise<UploadView> {
    if (facts.bytes > maxBytes) throw new ServiceError(413, `a file has at most ${maxBytes / 1024 ** 3} GB`);
    const id = idOf(facts);
    const known = this.#uploads.get(id);
    if (known !== undefined && known.state !== 'done' && known.state !== 'failed') return known.view();
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await this.#removeOld();
    const received = (await stat(this.#path(id)).catch(() => undefined))?.size ?? 0;
    const { bavail, bsize } = await statfs(this.#folder);
    if (facts.bytes - received > bavail * bsize - reservedBytes)
      throw new ServiceError(413, 'the disk of the server has no room for this file');
    this.#forget();
    const upload = new Upload(id, facts, Math.min(received, facts.bytes));
    this.#uploads.set(id, upload);
    return upload.view();
  }

  /** Adds a part. Its offset must be the number of received bytes (409). It is on the disk when the promise resolves. */
  async add(id: string, offset: number, part: Buffer): Promise<UploadView> {
    const upload = this.#find(id);
    if (upload.state !== 'uploading' || upload.isWriting || offset !== upload.received)
      throw new ServiceError(409, `the next part of this upload begins at byte ${upload.received}`);
    if (offset + part.length > upload.facts.bytes) throw badRequest('the parts are longer than the file');
    upload.isWriting = true;
    try {
      const file = await open(this.#path(id), offset === 0 ? 'w' : 'r+', 0o600);
      try {
        await file.write(part, 0, part.length, offset);
        await file.sync();
      } finally {
        await file.close();
      }
      upload.received = offset + part.length;
    } catch (error) {
      throw unavailable(`the part cannot be written: ${messageOf(error).split(',', 1)[0]}`, 5);
    } finally {
      upload.isWriting = false;
    }
    return upload.view();
  }

  /** Imports an upload that is complete. Resolves when the import has begun; `list` shows its progress. */
  start(id: string, restore: boolean, onEnd: (view: UploadView) => Promise<void>): UploadView {
    const upload = this.#find(id);
    if (upload.state !== 'uploading' || upload.received < upload.facts.bytes)
      throw new ServiceError(409, 'this upload is not complete, or its import has begun');
    upload.state = 'importing';
    this.#running = this.#running
      .then(() => this.#import(upload, restore))
      .then(() => onEnd(upload.view()))
      .catch(this.#onFault);
    return upload.view();
  }

  /** All uploads since the start of the server, newest first. */
  list(): UploadView[] {
    return [...this.#uploads.values()].map((upload) => upload.view()).toReversed();
  }

  /** Stops the import that runs after its current batch. The next upload of the same file continues it. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #import(upload: Upload, restore: boolean): Promise<void> {
    const { id, facts } = upload;
    const path = this.#path(id);
    const { signal } = this.#stop;
    try {
      for (const input of await openInputs(path)) {
        if (signal.aborted) break;
        const onProgress = (values: number, bytes: number): void => {
          upload.progress = { input: inputName(input.name, facts.name), values, bytes, of: input.bytes };
        };
        upload.reports.push(
          summaryOf(await importInput(input, this.#sink, { onProgress, signal, restore }), facts.name, path),
        );
      }
      upload.state = signal.aborted || upload.reports.some(({ fault }) => fault !== undefined) ? 'failed' : 'done';
      upload.error = signal.aborted ? 'the server stopped; upload the file again to continue' : faultOf(upload.reports);
    } catch (error) {
      upload.state = 'failed';
      const isFileFault = error instanceof InputError;
      upload.error = isFileFault
        ? error.message.replaceAll(path, facts.name)
        : 'the import failed: see the log of the server';
      if (!isFileFault) this.#onFault(error);
    }
    if (!signal.aborted) await rm(path, { force: true });
  }

  #path(id: string): string {
    return join(this.#folder, id);
  }

  #find(id: string): Upload {
    const upload = this.#uploads.get(id);
    if (upload === undefined) throw notFound('this upload');
    return upload;
  }

  /** Makes room in the list. */
  #forget(): void {
    for (const [id, { state }] of this.#uploads) {
      if (this.#uploads.size < maxUploads) return;
      if (state === 'done' || state === 'failed') this.#uploads.delete(id);
    }
    if (this.#uploads.size >= maxUploads) throw new ServiceError(409, `at most ${maxUploads} uploads at a time`);
  }

  async #removeOld(): Promise<void> {
    for (const name of await readdir(this.#folder)) {
      const changed = (await stat(this.#path(name)).catch(() => undefined))?.mtimeMs;
      if (changed !== undefined && !this.#uploads.has(name) && Date.now() - changed > keepMs)
        await rm(this.#path(name), { force: true });
    }
  }
}

const faultOf = (reports: readonly InputSummary[]): string | null =>
  reports.find(({ fault }) => fault !== undefined)?.fault ?? null;
