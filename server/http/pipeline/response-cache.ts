/** The response cache: representations by request target, valid for one revision of the data. */
import { LRUCache } from 'lru-cache';
import { createAdmissionFilter } from '../../collections/admission-filter.ts';
import { detachedCopy } from '../../collections/detached-copy.ts';
import { hashText } from '../../collections/string-hash.ts';
import { Representation } from './representation.ts';
import type { ParsedTarget } from './strict-request-reader.ts';

/** Maximum size of the response cache in bytes, its keys included. */
const maxCacheBytes = 32 * 1024 * 1024;
/** Estimated bytes of a cache entry besides the response body and the target. */
const entryOverheadBytes = 500;

/** The number of targets among which a second request of a target is recognised. */
const filterKeys = 16_384;

/** A cached response, the request that it answers, and the revision of the data that it depends on. */
export interface CacheEntry extends ParsedTarget {
  readonly revision: number;
  readonly representation: Representation;
}

export class ResponseCache {
  readonly #entries = new LRUCache<string, CacheEntry>({
    maxSize: maxCacheBytes,
    sizeCalculation: ({ representation }, target) => representation.size + 2 * target.length + entryOverheadBytes,
  });
  readonly #isRequestedAgain = createAdmissionFilter(filterKeys);

  /** The entry of a target, of any revision. */
  get(target: string): CacheEntry | undefined {
    return this.#entries.get(target);
  }

  /** Returns the representation of a response, and stores it unless its target was requested only once. */
  store(target: string, parsed: ParsedTarget, revision: number, bytes: Buffer): Representation {
    if (!this.#entries.has(target) && !this.#isRequestedAgain(hashText(target))) return new Representation(bytes);
    const representation = new Representation(detachedCopy(bytes), () => {
      const entry = this.#entries.peek(target);
      if (entry?.representation === representation) this.#entries.set(target, { ...entry });
    });
    const { id, path, query } = parsed;
    this.#entries.set(target, { id, path, query, revision, representation });
    return representation;
  }
}
