/**
 * Bluesky as a live source: events from Jetstream servers, and profiles, histories and counts from an AppView. It sends
 * requests to the configured hosts only, follows no redirects, and refuses a name that leads into a private network.
 */
import { SourceError, type LiveSource, type StreamRequest } from '../../ports/live-source.ts';
import { AppView } from './api.ts';
import { systemClock } from '../clock.ts';
import { createSend } from '../http.ts';
import { defaultBlobUrls } from '../../formats/bluesky/embeds.ts';
import { BlueskyFills } from './fill.ts';
import { historyOf } from './history.ts';
import type { BlueskyOptions, SourceParts } from './options.ts';
import { RecentRecords } from './recent.ts';
import { refresh } from './refresh.ts';
import { BlueskyStream } from './stream.ts';
import { parseTarget, resolveTarget } from './targets.ts';

/** Another server is used after so many failed connections. */
const failuresPerHost = 3;
/** Well below the 36 hours for which servers keep events. */
const maxGapMs = 12 * 3_600_000;

/** More than the records of a fill. */
const maxFillRecords = 1_500;

/** The server that the next connection goes to. */
class HostRotation {
  readonly #urls: readonly URL[];
  #index = 0;
  #hasMoved = false;

  constructor(urls: readonly (string | URL)[]) {
    this.#urls = urls.map((url) => new URL(url));
  }

  /** `failures`: the number of connections that failed one after the other. */
  next(failures: number): URL {
    if (failures > 0 && failures % failuresPerHost === 0 && !this.#hasMoved) this.move();
    this.#hasMoved = false;
    const url = this.#urls[this.#index % this.#urls.length];
    if (url === undefined) throw new SourceError('no Bluesky stream is configured', { isPermanent: true });
    return url;
  }

  /** The next connection goes to the next server. */
  move(): void {
    this.#index++;
    this.#hasMoved = true;
  }
}

/** Creates the source. Opens no connection. */
export function createBlueskySource(options: BlueskyOptions): LiveSource & Required<Pick<LiveSource, 'fills'>> {
  const {
    held,
    observer,
    resolve,
    clock = systemClock,
    blobUrls = defaultBlobUrls,
    send = createSend(resolve),
  } = options;
  const baseUrl = new URL(options.apiUrl);
  const api = new AppView({ baseUrl, send, clock, observer, limit: options.limit });
  const partsWith = (recent: RecentRecords): SourceParts => ({
    api,
    recent,
    blobUrls,
    clock,
    observer,
    includesSignedInOnly: options.signedInOnly ?? false,
  });
  const parts = partsWith(new RecentRecords(held, clock));
  const hosts = new HostRotation(options.streamUrls);
  return {
    name: 'bluesky',
    title: 'Bluesky',
    maxGapMs,
    parse: parseTarget,
    resolve: (target, signal) => resolveTarget(parts, target, signal),
    stream: (request: StreamRequest) =>
      new BlueskyStream({
        ...parts,
        url: hosts.next(request.failures),
        resolve,
        request,
        onEnd: ({ wasSilent }) => wasSilent && hosts.move(),
      }),
    history: ({ accounts = [] }, request) => historyOf(parts, accounts, request),
    refresh: (tweets, signal) => refresh(parts, tweets, signal),
    fills: new BlueskyFills(() => partsWith(new RecentRecords(held, clock, maxFillRecords))),
  };
}
