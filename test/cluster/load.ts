/** Requests to instances and an import from another host, without a pause, and what went wrong. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import type { StoredArchive } from '../../server/engines/open-archive.ts';
import { StoreError } from '../../server/ports/storage.ts';
import { readExposition } from '../support/exposition.ts';
import { openArchiveAt } from '../support/stored-archive.ts';
import type { Listener } from '../support/stream.ts';
import type { Instance } from './instances.ts';

const time = (second: number): string => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();
export const idOf = (n: number): string => String(100_000 + n);

/** The author 7. */
export const ada: ArchiveRecord = {
  kind: 'user',
  user: { id: '7', username: 'ada', created_at: time(0), observed_at: time(0) },
};

/** An import from another host, which opens the database itself. Returns the outcomes. */
export async function importInto(
  url: string,
  file: string,
  records: readonly ArchiveRecord[],
): Promise<readonly string[]> {
  const { sink, close } = await openArchiveAt(url);
  try {
    return await sink.apply(file, { values: records.length, done: true }, [...records]);
  } finally {
    await close();
  }
}

/** A tweet of the author 7, and a like of it. */
export const tweetWithLike = (n: number): ArchiveRecord[] => [
  {
    kind: 'tweet',
    tweet: { id: idOf(n), author_id: '7', text: `tweet ${n}`, created_at: time(n), observed_at: time(n) },
  },
  { kind: 'like', tweet_id: idOf(n), created_at: time(n) },
];

export const unlike = (instance: Instance, id: string): Promise<Response> =>
  instance.request('/social/tweet/unlike', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ tweet_id: id }),
  });

/** The ids of all tweets of the author that an instance finds, newest first. */
export async function foundBy(instance: Instance): Promise<string[]> {
  const ids: string[] = [];
  for (let next = ''; ;) {
    const target = `/social/tweet/advanced_search?query=from%3Aada&limit=100${next}`;
    const page = (await (await instance.request(target)).json()) as {
      tweets: { id: string }[];
      next_cursor: string | null;
      has_next_page: boolean;
    };
    ids.push(...page.tweets.map(({ id }) => id));
    if (!page.has_next_page || page.next_cursor === null) return ids;
    next = `&cursor=${encodeURIComponent(page.next_cursor)}`;
  }
}

/** The value of a metric; undefined if it is not there. */
export async function valueOf(
  instance: Instance,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): Promise<number | undefined> {
  const { series } = readExposition(await (await instance.request('/metrics')).text());
  return series.find(
    (each) => each.name === name && Object.entries(labels).every(([label, value]) => each.labels[label] === value),
  )?.value;
}

/** The events of a kind that a listener got, with their tweets. */
export const eventsOf = (listening: Listener, kind: string): { readonly id: string }[] =>
  listening
    .of('event')
    .filter(({ event }) => event === kind)
    .map(({ data }) => data as { id: string });

interface LoadOptions {
  readonly instances: readonly Instance[];
  /** The database. */
  readonly url: string;
  /** A key that the database stores. */
  readonly stored: string;
  /** The first tweet that is imported. Those before are there, each with a like. */
  readonly from: number;
}

/** The time between two requests of a loop, in milliseconds. */
const pauseMs = 20;
/** After this time without contact, stored keys are refused. */
const staleSeconds = 10;

/** The documented answer while the database is away. */
const isRefusal = ({ status, headers }: Response): boolean => status === 503 && Number(headers.get('retry-after')) > 0;

export class Load {
  readonly faults: string[] = [];
  /** The number of tweets whose import is acknowledged. */
  imported: number;
  refusedImports = 0;
  /** The number of reads that were answered. */
  reads = 0;
  /** The number of reads that were refused with the documented answer. */
  refusedReads = 0;
  /** The tweets of which an instance has acknowledged the removal of the like. */
  readonly unliked: string[] = [];
  /** The changes that were refused with the documented answer, by instance. */
  readonly refused: { unlikes: number; asks: number }[];
  readonly #options: LoadOptions;
  readonly #remote: StoredArchive;
  readonly #loops: Promise<void>[] = [];
  #isEnded = false;
  #ended: Promise<void> | undefined;

  private constructor(options: LoadOptions, remote: StoredArchive) {
    this.#options = options;
    this.#remote = remote;
    this.imported = options.from;
    this.refused = options.instances.map(() => ({ unlikes: 0, asks: 0 }));
  }

  static async start(options: LoadOptions): Promise<Load> {
    const load = new Load(options, await openArchiveAt(options.url));
    void load.#repeat(() => load.#import());
    for (const [index, instance] of options.instances.entries()) {
      void load.#repeat(() => load.#read(instance));
      void load.#repeat(() => load.#readWithStoredKey(instance));
      let next = index;
      void load.#repeat(async () => {
        if (await load.#unlike(index, instance, next)) next += options.instances.length;
      });
    }
    return load;
  }

  get instances(): readonly Instance[] {
    return this.#options.instances;
  }

  /** Asks all instances too: each question must be refused. */
  startToAsk(): { readonly end: () => Promise<void> } {
    const asking = new AbortController();
    const loops = this.instances.map((instance, index) =>
      this.#repeat(
        () => this.#ask(index, instance),
        () => asking.signal.aborted,
      ),
    );
    return {
      end: async () => {
        asking.abort();
        await Promise.all(loops);
      },
    };
  }

  /** Ends all loops. Can be called more than once. */
  end(): Promise<void> {
    return (this.#ended ??= this.#end());
  }

  async #end(): Promise<void> {
    this.#isEnded = true;
    await Promise.all(this.#loops);
    await this.#remote.close();
  }

  #repeat(step: () => Promise<void>, isEnded = (): boolean => false): Promise<void> {
    const run = async (): Promise<void> => {
      while (!this.#isEnded && !isEnded()) {
        try {
          await step();
        } catch (error) {
          this.faults.push(String(error));
        }
        await sleep(pauseMs);
      }
    };
    const loop = run();
    this.#loops.push(loop);
    return loop;
  }

  async #import(): Promise<void> {
    const n = this.imported;
    try {
      // The same records again change nothing.
      await this.#remote.sink.apply(`tweet ${n}`, { values: 1, done: true }, tweetWithLike(n));
      this.imported++;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      this.refusedImports++;
    }
  }

  async #read(instance: Instance): Promise<void> {
    const response = await instance.request('/social/tweet/advanced_search?query=tweet');
    const body = await response.text();
    if (response.status === 200) this.reads++;
    else if (isRefusal(response)) this.refusedReads++;
    else this.faults.push(`a read: ${response.status} ${body}`);
  }

  /** The key is refused only after a time without contact. */
  async #readWithStoredKey(instance: Instance): Promise<void> {
    const response = await instance.request('/social/tweet/advanced_search?query=tweet', { key: this.#options.stored });
    const body = await response.text();
    if (response.status === 200) return void this.reads++;
    if (isRefusal(response)) return void this.refusedReads++;
    const silent = (await valueOf(instance, 'database_silent_seconds')) ?? 0;
    // The database may be back in between.
    const isBack = silent < 1;
    if (response.status !== 503 || !(isBack || silent > staleSeconds))
      this.faults.push(`a read with a stored key after ${silent} s: ${response.status} ${body}`);
  }

  /** Returns whether the removal is acknowledged. */
  async #unlike(index: number, instance: Instance, n: number): Promise<boolean> {
    const response = await unlike(instance, idOf(n));
    const body = await response.text();
    if (response.status === 200) {
      this.unliked.push(idOf(n));
      return true;
    }
    this.#noteRefusal(index, 'unlikes', response, body);
    return false;
  }

  async #ask(index: number, instance: Instance): Promise<void> {
    const response = await instance.request(`/social/tweet/assistant?tweet_id=${idOf(0)}`);
    this.#noteRefusal(index, 'asks', response, await response.text());
  }

  #noteRefusal(index: number, kind: 'unlikes' | 'asks', response: Response, body: string): void {
    const counts = this.refused[index];
    if (counts === undefined || !isRefusal(response)) this.faults.push(`${kind}: ${response.status} ${body}`);
    else counts[kind]++;
  }
}
