/** Uploads of the operator, in parts that resume after any interruption, and their import. */
import { createHash } from 'node:crypto';
import { badRequest, notFound, ServiceError, unavailable } from '../contract/service-error.ts';
import type { ImportReport } from '../import/import.ts';
import { InputError } from '../import/input-file.ts';
import { besideRequests } from '../import/shared-sink.ts';
import type { ImportSink } from '../ports/import-sink.ts';
import { messageOf } from '../text/error-text.ts';
import { UploadFiles, type FileFacts } from './upload-files.ts';

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
/** An unfinished upload is removed after this time without a further part: its file may hold what was erased meanwhile. */
const keepMs = 24 * 60 * 60 * 1000;
/** The time between two searches for such uploads. */
const expiryMs = 10 * 60 * 1000;
/** An upload without a further part for this time makes room for a new one where there are too many. */
const idleMs = 60 * 1000;
const gigabyte = 1024 ** 3;
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
  /** The number of parts that are arriving. */
  arriving = 0;
  /** When it was begun, or the last part arrived, in milliseconds since 1970. */
  activeAt: number;
  /** Aborts when the operator cancels it, or it expires. */
  readonly cancelled = new AbortController();

  constructor(id: string, facts: FileFacts, received: number, activeAt: number) {
    this.id = id;
    this.facts = facts;
    this.received = received;
    this.activeAt = activeAt;
  }

  /** Whether it is not complete, or not imported, and nobody has used it since a time. */
  isIdleSince(time: number): boolean {
    return this.state === 'uploading' && this.arriving === 0 && this.activeAt <= time;
  }

  /** The bytes that are still to come. */
  get remaining(): number {
    return this.state === 'uploading' ? this.facts.bytes - this.received : 0;
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
  readonly #files: UploadFiles;
  readonly #media: string;
  readonly #sink: ImportSink;
  readonly #uploads = new Map<string, Upload>();
  readonly #onFault: (error: unknown) => void;
  readonly #now: () => number;
  readonly #stop = new AbortController();
  #expiry: NodeJS.Timeout | undefined;
  /** Imports run one after another. */
  #running: Promise<void> = Promise.resolve();

  /** `media`: the folder of media files; `onFault` gets the errors that are no fault of a file; `now`: milliseconds since 1970. */
  constructor(
    folder: string,
    media: string,
    sink: ImportSink,
    onFault: (error: unknown) => void,
    now: () => number = Date.now,
  ) {
    this.#files = new UploadFiles(folder);
    this.#media = media;
    this.#sink = besideRequests(sink);
    this.#onFault = onFault;
    this.#now = now;
  }

  /** Finds the uploads that an earlier process has begun, removes expired ones, and does so until `stop`. */
  async open(): Promise<void> {
    for (const { id, facts, received, activeAt } of await this.#files.list())
      if (facts !== undefined) this.#uploads.set(id, new Upload(id, facts, Math.min(received, facts.bytes), activeAt));
    await this.expire();
    this.#expiry = setInterval(() => void this.expire().catch(this.#onFault), expiryMs).unref();
  }

  /** Removes the uploads that have got no part for a day, with their files. */
  async expire(): Promise<void> {
    const before = this.#now() - keepMs;
    for (const upload of this.#uploads.values()) if (upload.isIdleSince(before)) await this.#remove(upload);
    for (const { id, activeAt } of await this.#files.list())
      if (!this.#uploads.has(id) && activeAt <= before) await this.#files.remove(id);
  }

  /** Begins an upload, or finds the one of the same file: after a reload of the page, or a restart of the server. */
  async begin(facts: FileFacts): Promise<UploadView> {
    if (facts.bytes > maxBytes) throw new ServiceError(413, `a file has at most ${maxBytes / gigabyte} GB`);
    const id = idOf(facts);
    const known = this.#uploads.get(id);
    if (known !== undefined && known.state !== 'done' && known.state !== 'failed') {
      known.activeAt = this.#now();
      return known.view();
    }
    await this.#files.prepare();
    const received = Math.min(await this.#files.received(id), facts.bytes);
    await this.#makeRoom(facts.bytes - received);
    const begun = this.#uploads.get(id);
    // Another call has begun it meanwhile.
    if (begun !== undefined && begun !== known) return begun.view();
    const upload = new Upload(id, facts, received, this.#now());
    this.#uploads.set(id, upload);
    await this.#files.describe(id, facts);
    return upload.view();
  }

  /**
   * Adds a part, which `read` returns. Its offset must be the number of received bytes (409). It is on the disk when the promise
   * resolves. Rejects as `read` does, too.
   */
  async add(id: string, offset: number, read: () => Promise<Buffer>): Promise<UploadView> {
    const upload = this.#find(id);
    upload.arriving++;
    try {
      const part = await read();
      if (upload.state !== 'uploading' || upload.isWriting || offset !== upload.received)
        throw new ServiceError(409, `the next part of this upload begins at byte ${upload.received}`);
      if (offset + part.length > upload.facts.bytes) throw badRequest('the parts are longer than the file');
      await this.#write(upload, part);
      return upload.view();
    } finally {
      upload.arriving--;
      upload.activeAt = this.#now();
    }
  }

  async #write(upload: Upload, part: Buffer): Promise<void> {
    const { id, received } = upload;
    if (upload.cancelled.signal.aborted) throw notFound('this upload');
    upload.isWriting = true;
    try {
      await this.#files.write(id, received, part);
      upload.received = received + part.length;
    } catch (error) {
      throw unavailable(`the part cannot be written: ${messageOf(error).split(',', 1)[0]}`, 5);
    } finally {
      upload.isWriting = false;
    }
    if (!upload.cancelled.signal.aborted) return;
    if (!this.#uploads.has(id)) await this.#files.remove(id);
    throw notFound('this upload');
  }

  /**
   * Cancels an upload: its file is removed, and an import that runs ends after its current batch; what it has taken stays. An upload
   * whose import has ended only leaves the list.
   */
  async cancel(id: string): Promise<UploadView> {
    const upload = this.#find(id);
    const view = upload.view();
    if (upload.state === 'importing') upload.cancelled.abort();
    else await this.#remove(upload);
    return view;
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

  /** The unfinished uploads, and all others since the start of the server, newest first. */
  list(): UploadView[] {
    return [...this.#uploads.values()].map((upload) => upload.view()).toReversed();
  }

  /** Stops the import that runs after its current batch. The next upload of the same file continues it. */
  async stop(): Promise<void> {
    clearInterval(this.#expiry);
    this.#stop.abort();
    await this.#running;
  }

  async #import(upload: Upload, restore: boolean): Promise<void> {
    const { id, facts, cancelled } = upload;
    const path = this.#files.path(id);
    const signal = AbortSignal.any([this.#stop.signal, cancelled.signal]);
    try {
      const settings = { mediaFolder: this.#media, signal };
      // The formats are loaded at the first import.
      const { importInput } = await import('../import/import.ts');
      const { openInputs } = await import('../import/input.ts');
      for (const input of signal.aborted ? [] : await openInputs(path, settings)) {
        if (signal.aborted) break;
        const onProgress = (values: number, bytes: number): void => {
          upload.progress = { input: inputName(input.name, facts.name), values, bytes, of: input.bytes };
        };
        upload.reports.push(
          summaryOf(await importInput(input, this.#sink, { onProgress, signal, restore }), facts.name, path),
        );
      }
      upload.state = signal.aborted || upload.reports.some(({ fault }) => fault !== undefined) ? 'failed' : 'done';
      upload.error = signal.aborted ? endOf(cancelled.signal) : faultOf(upload.reports);
    } catch (error) {
      upload.state = 'failed';
      const isFileFault = error instanceof InputError;
      upload.error = isFileFault
        ? error.message.replaceAll(path, facts.name)
        : 'the import failed: see the log of the server';
      if (!isFileFault) this.#onFault(error);
    }
    if (!this.#stop.signal.aborted || cancelled.signal.aborted) await this.#files.remove(id);
  }

  #find(id: string): Upload {
    const upload = this.#uploads.get(id);
    if (upload === undefined) throw notFound('this upload');
    return upload;
  }

  async #remove(upload: Upload): Promise<void> {
    upload.cancelled.abort();
    this.#uploads.delete(upload.id);
    await this.#files.remove(upload.id);
  }

  /**
   * Makes room in the list and on the disk for an upload of this size: those that have ended leave the list, and those that are idle
   * are removed, the one that is idle for the longest time first. Throws 409 and 413 where that is not enough, without a removal.
   */
  async #makeRoom(bytes: number): Promise<void> {
    const isFull = (): boolean => this.#uploads.size >= maxUploads;
    for (const [id, { state }] of this.#uploads)
      if (isFull() && (state === 'done' || state === 'failed')) this.#uploads.delete(id);
    const idle = [...this.#uploads.values()]
      .filter((upload) => upload.isIdleSince(this.#now() - idleMs))
      .toSorted((a, b) => a.activeAt - b.activeAt);
    if (isFull() && idle.length === 0)
      throw new ServiceError(409, `at most ${maxUploads} uploads at a time: ${howToMakeRoom}`);
    if (bytes > (await this.#room()) + idle.reduce((sum, { facts }) => sum + facts.bytes, 0))
      throw new ServiceError(
        413,
        `the disk of the server has no room for this file beside the others: ${howToMakeRoom}`,
      );
    for (const upload of idle) {
      if (!isFull() && bytes <= (await this.#room())) return;
      await this.#remove(upload);
    }
  }

  /** The bytes that new uploads can have on the disk, without what the others still need. */
  async #room(): Promise<number> {
    const needed = [...this.#uploads.values()].reduce((sum, { remaining }) => sum + remaining, 0);
    return (await this.#files.free()) - reservedBytes - needed;
  }
}

const howToMakeRoom =
  'cancel one on /import (DELETE /operate/api/imports/ID), or wait until one is imported or has got no part for a minute';

/** Why an import has ended before its end. */
const endOf = (cancelled: AbortSignal): string =>
  cancelled.aborted
    ? 'the import was cancelled: what it had taken stays'
    : 'the server stopped; upload the file again to continue';

const faultOf = (reports: readonly InputSummary[]): string | null =>
  reports.find(({ fault }) => fault !== undefined)?.fault ?? null;
