/**
 * The compliance check: X says which of the held posts and accounts were deleted, suspended or protected. A job takes a file of ids
 * and gives a file of results. It costs no reads.
 *
 * The addresses of the files come from X. They are used only where they name the storage host of its documentation, by `https:`,
 * or the origin of the configured API. The token is not sent with them: the addresses are signed.
 */
import type { ArchivedTweet, ArchiveRecord } from '../../domain/records.ts';
import { fields, isFields, text, timestamp, type Fields } from '../../formats/recognised.ts';
import { SourceError, type LiveBatch } from '../../ports/live-source.ts';
import type { HeldPart } from '../../ports/held-records.ts';
import { StoreError } from '../../ports/storage.ts';
import { messageOf } from '../../text/error-text.ts';
import type { HttpResponse } from '../http.ts';
import { isId } from './ids.ts';
import { LineSplitter } from './lines.ts';
import type { SourceParts } from './options.ts';

const jobsRoute = '/2/compliance/jobs';
const jobRoute = `${jobsRoute}/:id`;
const storageHost = 'storage.googleapis.com';
/** The ids of a job, so that its file stays below 10 MB. */
const maxIds = 500_000;
const maxLineBytes = 64 * 1024;
const maxBatch = 500;
/** The time between two questions for the status of a job, and the maximum time of a job with its files. Jobs take minutes to hours. */
const wait = { firstMs: 5000, maxMs: 300_000, totalMs: 6 * 60 * 60 * 1000 } as const;

type JobType = 'tweets' | 'users';
/** The reasons that concern the account of an author. */
const accountReasons = new Set(['suspended', 'deactivated', 'protected']);

export async function* complianceCheck(
  parts: SourceParts,
  tweets: AsyncIterable<ArchivedTweet>,
  signal: AbortSignal,
): AsyncGenerator<LiveBatch, void> {
  const authors = new Set<string>();
  for await (const ids of portions(tweets, authors)) yield* check(parts, 'tweets', ids, signal);
  for await (const ids of portions([...authors].map((id) => ({ id })))) yield* check(parts, 'users', ids, signal);
}

type Portioned = Pick<ArchivedTweet, 'id'> & Partial<Pick<ArchivedTweet, 'uri' | 'author_id'>>;

/** The ids in portions of a job. Adds the authors of the posts to a set. */
async function* portions(
  items: Iterable<Portioned> | AsyncIterable<Portioned>,
  authors?: Set<string>,
): AsyncGenerator<string[], void> {
  let ids: string[] = [];
  for await (const { id, uri, author_id } of items) {
    // A post with an address is of another platform.
    if (uri !== undefined) continue;
    if (author_id !== undefined) authors?.add(author_id);
    ids.push(id);
    if (ids.length < maxIds) continue;
    yield ids;
    ids = [];
  }
  if (ids.length > 0) yield ids;
}

async function* check(
  parts: SourceParts,
  type: JobType,
  ids: readonly string[],
  outer: AbortSignal,
): AsyncGenerator<LiveBatch, void> {
  const { clock } = parts;
  // A storage that does not answer must not hold up the next check.
  const timeout = new AbortController();
  const over = new AbortController();
  void clock.sleep(wait.totalMs, over.signal).then(() => timeout.abort());
  const signal = AbortSignal.any([outer, timeout.signal]);
  try {
    yield* checkWithin(parts, type, ids, signal);
  } catch (error) {
    if (!timeout.signal.aborted || outer.aborted) throw error;
    throw new SourceError(`a compliance job of X was not complete after ${wait.totalMs / 3_600_000} hours`);
  } finally {
    over.abort();
  }
}

async function* checkWithin(
  parts: SourceParts,
  type: JobType,
  ids: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<LiveBatch, void> {
  const { api } = parts;
  const created = await api.json({ method: 'POST', route: jobsRoute, body: { type, name: 'social-data' } }, signal);
  const job = fields(created.data);
  if (!isId(job.id)) throw new SourceError('X did not create a compliance job');
  await upload(parts, storageUrl(parts, job.upload_url), ids, signal);
  const complete = await completed(parts, job.id, signal);
  const response = await storageRequest(
    parts,
    'GET',
    storageUrl(parts, complete.download_url ?? job.download_url),
    signal,
  );
  yield* results(parts, type, new Set(ids), response, signal);
}

/** Reads the address of a file. Throws SourceError for one that is not of X. */
function storageUrl({ api }: SourceParts, value: unknown): URL {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  const isStorage = url?.protocol === 'https:' && url.hostname === storageHost && url.port === '';
  if (url === undefined || !(isStorage || url.origin === api.origin) || url.username !== '' || url.password !== '')
    throw new SourceError(`X named an address for compliance that is not at ${storageHost}: it is not used`, {
      isPermanent: true,
    });
  return url;
}

async function upload(parts: SourceParts, url: URL, ids: readonly string[], signal: AbortSignal): Promise<void> {
  const response = await storageRequest(parts, 'PUT', url, signal, `${ids.join('\n')}\n`);
  response.discard();
}

/** A request to the storage, without the token. The messages do not contain the address, because its signature is a secret. */
async function storageRequest(
  { send, observer }: SourceParts,
  method: 'GET' | 'PUT',
  url: URL,
  signal: AbortSignal,
  body?: string,
): Promise<HttpResponse> {
  const headers: Record<string, string> =
    body === undefined ? {} : { 'content-type': 'text/plain', 'content-length': String(Buffer.byteLength(body)) };
  try {
    const response = await send({ method, url, headers, signal, ...(body === undefined ? {} : { body }) });
    observer.requested(response.status);
    if (response.status >= 200 && response.status < 300) return response;
    response.discard();
    throw new SourceError(`the storage of X answers a compliance job with status ${response.status}`);
  } catch (error) {
    if (error instanceof SourceError) throw error;
    observer.requested(0);
    throw new SourceError(`the storage of X cannot be reached: ${messageOf(error).replaceAll(url.search, '')}`);
  }
}

/** Waits for the end of a job. */
async function completed({ api, clock }: SourceParts, id: string, signal: AbortSignal): Promise<Fields> {
  for (let pause = wait.firstMs as number; ; pause = Math.min(wait.maxMs, pause * 2)) {
    await clock.sleep(pause, signal);
    signal.throwIfAborted();
    const job = fields((await api.json({ route: jobRoute, path: { id } }, signal)).data);
    if (job.status === 'complete') return job;
    if (job.status === 'failed' || job.status === 'expired')
      throw new SourceError(`the compliance job ${id} of X ${job.status === 'failed' ? 'failed' : 'expired'}`);
  }
}

async function* results(
  parts: SourceParts,
  type: JobType,
  asked: ReadonlySet<string>,
  response: HttpResponse,
  signal: AbortSignal,
): AsyncGenerator<LiveBatch, void> {
  const { observer } = parts;
  const lines = new LineSplitter(maxLineBytes, () => observer.rejected('line too long'));
  const withdrawn = new Set<string>();
  let found: Result[] = [];
  const read = (line: string | undefined): void => {
    if (line === undefined || line === '') return;
    const result = parsed(line);
    if (result === undefined || !isId(result.id) || !asked.has(result.id))
      return observer.rejected('compliance result');
    found.push({ id: result.id, result });
  };
  try {
    for await (const chunk of response.body) {
      for (const line of lines.add(chunk)) read(line);
      if (found.length >= maxBatch) yield* batches(parts, type, found.splice(0), withdrawn);
    }
  } catch (error) {
    if (signal.aborted || error instanceof StoreError) throw error;
    throw new SourceError('the results of a compliance job broke off');
  }
  read(lines.end());
  yield* batches(parts, type, found, withdrawn);
}

/** A result about the tweet or the user with an id. */
interface Result {
  readonly id: string;
  readonly result: Fields;
}

/** The removals that results require. Adds the accounts that they withdraw to a set. */
async function* batches(
  { held }: SourceParts,
  type: JobType,
  results: readonly Result[],
  withdrawn: Set<string>,
): AsyncGenerator<LiveBatch, void> {
  for (let from = 0; from < results.length; from += maxBatch) {
    const some = results.slice(from, from + maxBatch);
    const ids = some.map(({ id }) => id);
    const part = await held.read(type === 'tweets' ? { tweets: ids, users: [] } : { tweets: [], users: ids });
    const tweets = some.map(({ id }) => (type === 'tweets' ? part.tweet(id) : undefined));
    const users = type === 'users' ? ids : tweets.flatMap((tweet) => tweet?.author_id ?? []);
    const accounts = await held.read({ tweets: [], users });
    const records = some.flatMap(({ id, result }, index) =>
      recordsOf(accounts, { type, id, result, tweet: tweets[index] }, withdrawn),
    );
    if (records.length > 0) yield { records, events: { delete: records.length } };
  }
}

function parsed(line: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The removals that a result asks for. */
function recordsOf(
  accounts: Pick<HeldPart, 'isWithdrawn'>,
  { type, id, result, tweet }: Result & { readonly type: JobType; readonly tweet: ArchivedTweet | undefined },
  withdrawn: Set<string>,
): ArchiveRecord[] {
  const reason = text(result.reason) ?? text(result.action) ?? '';
  const at = timestamp(result.redacted_at);
  const time = at === undefined ? {} : { at };
  const isGeo = result.action === 'scrub_geo' || reason === 'scrub_geo';
  if (type === 'tweets' && !accountReasons.has(reason)) {
    if (isGeo) return [{ kind: 'scrub_geo', tweet_id: id, ...time }];
    return [{ kind: 'delete', tweet_id: id, ...time, reason: 'deleted' }];
  }
  const userId = type === 'users' ? id : tweet?.author_id;
  if (userId === undefined || isGeo || withdrawn.has(userId) || accounts.isWithdrawn(userId)) return [];
  withdrawn.add(userId);
  return [{ kind: 'withdraw', user_id: userId, ...time }];
}
