/** A platform that is filled from a Bluesky in memory, over an archive on disk. */
import { createBlueskySource } from '../../../server/follow/bluesky/source.ts';
import { Filler } from '../../../server/follow/fill/filler.ts';
import { FillingPlatform } from '../../../server/follow/fill/filling-platform.ts';
import type { FillOutcome } from '../../../server/follow/follow-metrics.ts';
import type { Page, PageRequest } from '../../../server/contract/page.ts';
import type { ArchivedUser, ArchiveRecord } from '../../../server/domain/records.ts';
import { StoreError } from '../../../server/ports/storage.ts';
import { AppViewServer } from '../../support/bluesky/app-view.ts';
import { RecordingObserver } from '../../support/bluesky/harness.ts';
import { openServiceArchive, type ServiceArchive } from '../../support/stored-archive.ts';
import { strictHeld } from '../../support/strict-held.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { World } from '../../support/bluesky/world.ts';
import { temporaryFolder } from '../../support/folder.ts';

interface Opened {
  readonly archive: ServiceArchive;
  readonly platform: FillingPlatform;
}

export class FillWorld {
  readonly clock: ManualClock;
  readonly world: World;
  readonly appView: AppViewServer;
  readonly logged: string[] = [];
  readonly outcomes: FillOutcome[] = [];
  isDiskFull = false;
  /** The DIDs of the accounts that a follower reads. */
  readonly followed = new Set<string>();
  readonly #folder: Awaited<ReturnType<typeof temporaryFolder>>;
  #opened: Opened | undefined;
  #values = 0;

  private constructor(
    clock: ManualClock,
    world: World,
    appView: AppViewServer,
    folder: { path: string; dispose(): Promise<void> },
  ) {
    this.clock = clock;
    this.world = world;
    this.appView = appView;
    this.#folder = folder;
  }

  static async start(): Promise<FillWorld> {
    const clock = new ManualClock(undefined, 20);
    const world = new World(() => clock.now());
    const filled = new FillWorld(clock, world, await AppViewServer.start(world), await temporaryFolder());
    await filled.open();
    return filled;
  }

  get archive(): ServiceArchive {
    if (this.#opened === undefined) throw new Error('the archive is not open');
    return this.#opened.archive;
  }
  get platform(): FillingPlatform {
    if (this.#opened === undefined) throw new Error('the archive is not open');
    return this.#opened.platform;
  }
  /** The requests to the AppView so far, by the last part of their method. */
  get asked(): string[] {
    return this.appView.requests.map(({ method }) => method.slice(method.lastIndexOf('.') + 1));
  }

  /** Opens the archive and the platform, as a new process does. */
  async open(): Promise<void> {
    const { clock } = this;
    const archive = await openServiceArchive(this.#folder.path);
    const { sink, held } = archive;
    const observer = new RecordingObserver();
    const { name, title, fills } = createBlueskySource({
      ...{ held: strictHeld(held), observer, clock },
      streamUrls: ['ws://127.0.0.1:1/subscribe'],
      apiUrl: this.appView.url,
    });
    const log = (fields: unknown, message?: string): void =>
      void this.logged.push(`${JSON.stringify(fields)} ${message ?? ''}`);
    const filler = new Filler({
      ...{ name, title, source: fills, held },
      sink: {
        position: (source) => sink.position(source),
        onPosition: (listener) => sink.onPosition(listener),
        follow: async (source, position, records) => {
          if (this.isDiskFull) throw new StoreError('the disk is full');
          return sink.follow(source, position, records);
        },
      },
      clock,
      metrics: { count: (outcome) => void this.outcomes.push(outcome) },
      logger: { warn: log, info: log },
    });
    const isFollowed = ({ did }: ArchivedUser): boolean => did !== undefined && this.followed.has(did);
    const platform = new FillingPlatform({ archive: archive.platform, held, filler, isFollowed });
    this.#opened = { archive, platform };
  }

  async restart(): Promise<void> {
    await this.#opened?.archive.close();
    await this.open();
  }

  async add(...records: ArchiveRecord[]): Promise<void> {
    await this.archive.sink.apply('test', { values: ++this.#values, done: false }, records);
  }

  /** Posts of an account, a second apart; returns their at-uris, newest first. */
  posts(did: string, count: number): string[] {
    const uris: string[] = [];
    for (let index = 0; index < count; index++) {
      this.clock.set(this.clock.now() + 1000);
      uris.unshift(this.world.post(did, `post ${index}`));
    }
    return uris;
  }

  async close(): Promise<void> {
    await this.#opened?.archive.close();
    await this.appView.close();
    await this.#folder.dispose();
  }
}

/** The ids of all items, page by page, and the sizes of the pages. Ends with an error after 100 pages. */
export async function walk(
  read: (page: PageRequest) => Promise<Page<{ readonly id: string }>>,
  limit: number,
): Promise<{ ids: string[]; sizes: number[] }> {
  const ids: string[] = [];
  const sizes: number[] = [];
  let after: PageRequest['after'];
  do {
    if (sizes.length === 100) throw new Error('the list does not end');
    const { items, next } = await read({ after, limit });
    ids.push(...items.map(({ id }) => id));
    sizes.push(items.length);
    after = next ?? undefined;
  } while (after !== undefined);
  return { ids, sizes };
}
