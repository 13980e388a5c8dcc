/** Checks that need more than one response, or the API key: what one response alone cannot show. */
import { createHash } from 'node:crypto';
import type { Call } from './call.ts';
import type { Failure } from './check-response.ts';
import type { Operation } from './contract.ts';
import { headerOf, type HttpResponse } from './send.ts';

/** The first response with an ETag, of one operation. */
interface Tagged {
  readonly digest: string;
  readonly call: Call;
}

const requestIdHeader = 'x-request-id';
const digestOf = (body: Buffer): string => createHash('sha256').update(body).digest('base64');

/** Watches all responses of a run. */
export class ResponseWatch {
  readonly #key: string;
  readonly #requestIds = new Map<string, Call>();
  /** By operation and ETag. */
  readonly #tags = new Map<string, Tagged>();

  constructor(key: string) {
    this.#key = key;
  }

  /** The failures that the response shows together with the ones before it. */
  check(operation: Operation, call: Call, response: HttpResponse): Failure[] {
    return [
      ...this.#checkKey(operation, call, response),
      ...this.#checkRequestId(operation, call, response),
      ...this.#checkTag(operation, call, response),
    ];
  }

  /** The key of the caller must not come back: logs and caches store responses. */
  #checkKey({ pointer }: Operation, call: Call, { headers, body }: HttpResponse): Failure[] {
    // A contract without security needs no key.
    if (this.#key === '') return [];
    const place = body.includes(this.#key)
      ? 'the body'
      : [...headers].find(([, values]) => values.some((value) => value.includes(this.#key)))?.[0];
    if (place === undefined) return [];
    const at = `${pointer}/responses`;
    return [
      {
        check: 'error',
        pointer: at,
        expected: 'a response without the API key',
        actual: `the key in ${place}`,
        kind: 'key',
        calls: [call],
      },
    ];
  }

  #checkRequestId(operation: Operation, call: Call, response: HttpResponse): Failure[] {
    const id = headerOf(response, requestIdHeader);
    const declared = operation.responses.get(response.status)?.headers.get(requestIdHeader);
    const isGiven = call.headers.some(([name]) => name.toLowerCase() === requestIdHeader);
    if (id === undefined || declared === undefined || isGiven) return [];
    const earlier = this.#requestIds.get(id);
    this.#requestIds.set(id, call);
    if (earlier === undefined) return [];
    const actual = `${id} again`;
    const expected = 'another X-Request-Id for each request';
    return [
      { check: 'headers', pointer: declared.pointer, expected, actual, kind: 'repeated', calls: [earlier, call] },
    ];
  }

  /** Responses of one operation with different bodies must not share an ETag, or a cache confuses them. */
  #checkTag(operation: Operation, call: Call, response: HttpResponse): Failure[] {
    const tag = headerOf(response, 'etag');
    const declared = operation.responses.get(response.status)?.headers.get('etag');
    if (tag === undefined || declared === undefined || response.status !== 200 || call.method === 'HEAD') return [];
    const key = `${operation.id} ${tag}`;
    const digest = digestOf(response.body);
    const earlier = this.#tags.get(key);
    if (earlier === undefined) this.#tags.set(key, { digest, call });
    if (earlier === undefined || earlier.digest === digest) return [];
    const expected = 'another ETag for another body';
    const actual = `${tag} for two bodies`;
    return [
      {
        check: 'conditional',
        pointer: declared.pointer,
        expected,
        actual,
        kind: 'shared ETag',
        calls: [earlier.call, call],
      },
    ];
  }
}
