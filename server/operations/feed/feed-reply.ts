/** The reply of a feed: its format, and when it changed. */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Reply } from '../../contract/operations.ts';
import { atMost } from '../../collections/growing-cache.ts';
import { atomOf } from './atom.ts';
import type { Feed } from './feed.ts';
import { jsonFeedOf } from './json-feed.ts';

/** Feeds whose last change is remembered, most recent first. */
const maxFeeds = 10_000;

interface Version {
  readonly digest: string;
  /** When this process has first seen it: seconds since 1970. */
  readonly since: number;
  /** Whether it followed another one in the same second: then the second says nothing. */
  readonly isAmbiguous: boolean;
}

/**
 * The time at which feeds changed, for If-Modified-Since. The dates of the entries do not say it: a tweet that is deleted
 * changes a feed, too. So it is the time at which this process first saw the feed as it is; a restart makes it later, and a
 * reader then gets once what it has already.
 */
export class FeedVersions {
  readonly #versions = new LRUCache<string, Version>(atMost(maxFeeds));

  /** The date for `Last-Modified`; undefined where a second is too coarse for it. */
  lastModified(address: string, text: string): string | undefined {
    const digest = hash('sha256', text, 'base64');
    const known = this.#versions.get(address);
    const now = Math.floor(Date.now() / 1000);
    const version =
      known?.digest === digest ? known : { digest, since: now, isAmbiguous: known !== undefined && known.since >= now };
    this.#versions.set(address, version);
    return version.isAmbiguous ? undefined : new Date(version.since * 1000).toUTCString();
  }
}

/** The function that writes the feeds of an operation. */
export function createFeedWriter(): (feed: Feed, format: 'atom' | 'json') => Reply<'getSearchFeed'> {
  const versions = new FeedVersions();
  return (feed: Feed, format: 'atom' | 'json') => {
    const json = jsonFeedOf(feed);
    const text = format === 'atom' ? atomOf(feed) : JSON.stringify(json);
    const modified = versions.lastModified(`${format} ${feed.self}`, text);
    // The generated types demand each header that a component describes; the contract does not demand this one.
    const headers = (modified === undefined ? {} : { 'Last-Modified': modified }) as { 'Last-Modified': string };
    return format === 'atom'
      ? { status: 200, contentType: 'application/atom+xml', headers, body: text }
      : { status: 200, contentType: 'application/feed+json', headers, body: json };
  };
}
