// Not in `npm run test:fast`: its many imports take six seconds.
// Tests server/import/batch-thread.ts.
/** An input that a thread of its own reads has the outcome of one that this thread reads. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { batchesOf } from '../../server/import/batches.ts';
import { importInput, type ImportOptions, type ImportReport } from '../../server/import/import.ts';
import { openInputs } from '../../server/import/input.ts';
import type { Input } from '../../server/import/input-file.ts';
import { parse } from '../../server/search/language/parse.ts';
import { memorySink } from '../ports/reference/import-sink.ts';
import { temporaryFolder } from '../support/folder.ts';
import { inTurn, isFull } from '../support/rounds.ts';
import { nightlyTest } from '../support/nightly.ts';
import { linesOf, openServiceArchive } from '../support/stored-archive.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.dispose());

const inThread = { threadBytes: 0 };
const inOne = { threadBytes: Number.POSITIVE_INFINITY };

async function inputOf(content: string | Buffer, name = 'input'): Promise<Input> {
  const path = join(folder.path, name);
  await writeFile(path, content);
  const [input] = await openInputs(path);
  if (input === undefined) throw new Error('no input');
  // The fingerprint and the time are the same each time.
  return { ...input, fingerprint: 'input', seenAt: '2026-03-01T00:00:00.000Z' };
}

const words = ['red', 'Green', 'blue', '東京', '👍', 'café', ':)', 'https://example.com/x'];
const text = (n: number): string => [1, 2, 3, 5].map((step) => words[(n * step) % words.length]).join(' ');
const tweet = (n: number, more = {}): object => ({
  kind: 'tweet',
  tweet: { id: String(n), text: text(n), created_at: '2026-01-01T00:00:00Z', author_id: String(n % 5), ...more },
});
const user = (n: number): object => ({
  kind: 'user',
  user: { id: String(n), username: `user_${n}`, name: 'Blue Sky' },
});

/** Values of several formats, some of them broken, repeated, changed or refused. */
function mixed(count = 2500): string {
  const lines: string[] = [];
  for (let n = 1; n <= count; n++) {
    const value = n % 7 === 0 ? tweet(n - 3, { like_count: n, observed_at: '2026-02-01T00:00:00Z' }) : tweet(n);
    lines.push(JSON.stringify(value));
    if (n % 100 === 0) lines.push(JSON.stringify(user(n / 100)), '{"kind":"tweet"}', '{"broken');
    if (n % 500 === 0)
      lines.push(JSON.stringify({ kind: 'delete', tweet_id: String(n - 1), at: '2026-02-02T00:00:00Z' }), '17');
    if (n % 250 === 0)
      lines.push(
        JSON.stringify({ id: String(n + 10_000), text: text(n), created_at: '2026-01-02T00:00:00Z', author_id: '3' }),
      );
  }
  return lines.join('\n');
}

/** What a new archive has after an import, as JSON, which Jest compares in a tenth of the time; and the report. */
async function imported(input: Input, options: ImportOptions): Promise<readonly [ImportReport, unknown]> {
  const place = await temporaryFolder();
  const opened = await openServiceArchive(place.path);
  try {
    const report = await importInput(input, opened.sink, options);
    const found: unknown[] = [];
    for (const query of [...words, '"red green"', 'from:user_3', 'name:blue', '"blue 東京"']) {
      const page = await opened.platform.search(parse(query), 'Latest', { after: undefined, limit: 100 });
      found.push([query, page.items.map((tweet) => JSON.stringify(tweet))]);
    }
    return [report, [found, await linesOf(opened)]];
  } finally {
    await opened.close();
    await place.dispose();
  }
}

describe('an import in a thread', () => {
  test('has the same report, archive and index, also with `restore`', async () => {
    const count = isFull ? 2500 : 1000;
    const input = await inputOf(mixed(count));
    for (const options of inTurn([{}, { restore: true }], 1)) {
      const expected = await imported(input, { ...options, ...inOne });
      expect(expected[0].skipped).toBe(count / 50 + count / 500);
      expect(await imported(input, { ...options, ...inThread })).toEqual(expected);
    }
  });

  test('reports the fault of a truncated input after the values before it', async () => {
    const whole = gzipSync(mixed(), { level: 0 });
    const input = await inputOf(whole.subarray(0, whole.length - 5000), 'input.gz');
    const expected = await importInput(input, memorySink(), inOne);
    expect(expected.fault).toContain('the import was interrupted');
    expect(await importInput(input, memorySink(), inThread)).toEqual(expected);
  });

  test('resumes behind the last batch that the sink has applied', async () => {
    const input = await inputOf(mixed());
    const failing = memorySink(3);
    await expect(importInput(input, failing, inThread)).rejects.toThrow('disk full');
    const { values = 0 } = failing.progress.get('input') ?? {};
    expect(values).toBeGreaterThan(0);
    const sink = memorySink();
    sink.progress.set('input', { values, done: false });
    const report = await importInput(input, sink, inThread);
    expect([report.resumed, report.complete]).toEqual([values, true]);
  });

  nightlyTest('passes the fewer values at a time that a sink wants', async () => {
    const sink = memorySink();
    const some = { resume: sink.resume.bind(sink), apply: sink.apply.bind(sink), maxValues: 100 };
    await importInput(await inputOf(mixed()), some, inThread);
    expect(Math.max(...sink.batches)).toBe(100);
  });

  test('ends where the caller stops early, and closes the input', async () => {
    let isClosed = false;
    const input: Input = {
      ...(await inputOf(mixed())),
      async *read() {
        try {
          for (;;) yield Buffer.from(`${JSON.stringify(tweet(1))}\n`.repeat(1000));
        } finally {
          isClosed = true;
        }
      },
    };
    const stop = new AbortController();
    const options = { ...inThread, signal: stop.signal, onProgress: () => stop.abort() };
    const report = await importInput(input, memorySink(), options);
    expect([report.complete, isClosed]).toEqual([false, true]);
  });

  test('rejects where the input fails by a fault of the program', async () => {
    const input: Input = {
      ...(await inputOf('')),
      // oxlint-disable-next-line require-yield
      async *read() {
        throw new TypeError('a fault');
      },
    };
    await expect(importInput(input, memorySink(), inThread)).rejects.toThrow(new TypeError('a fault'));
  });

  test('reads few batches ahead of a slow caller', async () => {
    let chunks = 0;
    const input: Input = {
      ...(await inputOf('')),
      async *read() {
        for (; chunks < 1000; chunks++) yield Buffer.from(`${JSON.stringify(tweet(chunks))}\n`.repeat(1000));
      },
    };
    const settings = { owner: undefined, seenAt: input.seenAt, skip: 0, restore: false };
    let taken = 0;
    for await (const { values } of batchesOf(input, settings, 0)) {
      expect(values).toBe(++taken * 1000);
      // One chunk for each batch: those of the waiting batches, the one in progress and the one requested ahead.
      expect(chunks).toBeLessThanOrEqual(taken + 8);
      if (taken === 20) break;
    }
  });
});
