import { getEventListeners } from 'node:events';
import { request as send, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { endSource, sendPieces, type Piece, type PieceStream } from '../../../server/http/pipeline/stream.ts';
import { startScripted, type Scripted } from '../../support/scripted.ts';
import { stopClock } from '../../support/stopped-clock.ts';
import { until } from '../../support/until.ts';

let act: (response: ServerResponse) => void;
let server: Scripted;
beforeAll(async () => void (server = await startScripted((_request, response) => act(response))));
afterAll(() => server.stop());
afterEach(() => void jest.useRealTimers());

/** A source that returns what the test sets. */
class Source implements AsyncIterable<unknown>, AsyncIterator<unknown> {
  /** What was asked of it, in order. */
  readonly calls: string[] = [];
  #next = Promise.withResolvers<IteratorResult<unknown>>();
  #isAsked = false;
  /** What `return` answers. */
  ending: () => Promise<unknown> = async () => {};

  [Symbol.asyncIterator](): this {
    return this;
  }
  next(): Promise<IteratorResult<unknown>> {
    this.calls.push('next');
    this.#isAsked = true;
    this.#next = Promise.withResolvers();
    return this.#next.promise;
  }
  async return(): Promise<IteratorResult<unknown>> {
    this.calls.push('return');
    await this.ending();
    return { done: true, value: undefined };
  }
  /** Gives a value as soon as it is asked for one. */
  async give(value: unknown): Promise<void> {
    await this.#asked();
    this.#next.resolve({ done: false, value });
  }
  async end(): Promise<void> {
    await this.#asked();
    this.#next.resolve({ done: true, value: undefined });
  }
  async fail(error: unknown): Promise<void> {
    await this.#asked();
    this.#next.reject(error);
  }
  async #asked(): Promise<void> {
    await until(() => this.#isAsked);
    this.#isAsked = false;
  }
}

interface Sending {
  readonly request: ClientRequest;
  readonly response: () => ServerResponse;
  /** The response as the caller has it; undefined before its head. */
  readonly received: () => IncomingMessage | undefined;
  readonly text: () => string;
  /** How the response ended for the caller: `none` where it never began. */
  readonly ended: Promise<'complete' | 'incomplete' | 'none'>;
  /** What `sendPieces` resolves to, or rejects with. */
  readonly sent: Promise<unknown>;
}

/** Sends pieces to a caller who reads them, unless the test forbids it. */
function sending(
  { pieces, write = (value) => value as Piece, keepAlive, cut }: Partial<PieceStream>,
  { reads = true, before = () => {} }: { reads?: boolean; before?: (response: ServerResponse) => void } = {},
): Sending {
  const sent = Promise.withResolvers<unknown>();
  const ended = Promise.withResolvers<'complete' | 'incomplete' | 'none'>();
  let own: ServerResponse | undefined;
  let received: IncomingMessage | undefined;
  let text = '';
  act = (response) => {
    own = response;
    before(response);
    const stream = { pieces: pieces!, write, keepAlive, cut };
    sendPieces(response, stream, () => void response.writeHead(200, { 'X-Head': 'sent' })).then(
      sent.resolve,
      (error: unknown) => {
        response.socket?.destroySoon();
        sent.resolve(error);
      },
    );
  };
  const request = send(server.url, (response: IncomingMessage) => {
    received = response;
    expect(response.headers['x-head']).toBe('sent');
    if (reads) response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    else response.pause();
    response.on('error', () => {}).on('close', () => ended.resolve(response.complete ? 'complete' : 'incomplete'));
  });
  request.on('error', () => ended.resolve('none')).end();
  return {
    request,
    response: () => own!,
    received: () => received,
    text: () => text,
    ended: ended.promise,
    sent: sent.promise,
  };
}

describe('a source is sent', () => {
  test.each<[string, PieceStream['pieces'], string]>([
    ['a list', ['a', 'b', Buffer.from('ü')], 'abü'],
    [
      'a generator',
      (function* () {
        yield 'a';
        yield 'b';
      })(),
      'ab',
    ],
    [
      'an asynchronous generator',
      (async function* () {
        yield 'a';
        yield 'b';
      })(),
      'ab',
    ],
    ['an empty list', [], ''],
  ])('from %s', async (_case, pieces, text) => {
    const sent = sending({ pieces });
    expect([await sent.ended, await sent.sent, sent.text()]).toEqual(['complete', undefined, text]);
  });

  test('in the form that the values are written in', async () => {
    const sent = sending({ pieces: [1, 2], write: (value) => `<${String(value)}>` });
    expect([await sent.ended, sent.text()]).toEqual(['complete', '<1><2>']);
  });

  test('piece by piece, with the head before the first one; a source that has ended is not ended again', async () => {
    const source = new Source();
    const sent = sending({ pieces: source });
    await until(() => source.calls.length === 1);
    expect(sent.response().headersSent).toBe(false);
    await source.give('a');
    await until(() => sent.text() === 'a');
    await source.give('b');
    await until(() => sent.text() === 'ab');
    await until(() => source.calls.length === 3);
    await source.end();
    expect([await sent.ended, await sent.sent]).toEqual(['complete', undefined]);
    expect(source.calls).toEqual(['next', 'next', 'next']);
  });

  test('no faster than the caller reads', async () => {
    const source = new Source();
    const sent = sending({ pieces: source }, { reads: false });
    await source.give(Buffer.alloc(32 * 1024 * 1024));
    await until(() => sent.received() !== undefined && sent.response().writableNeedDrain);
    await new Promise(setImmediate);
    expect(source.calls).toEqual(['next']);
    sent.received()?.resume();
    await until(() => source.calls.length === 2);
    await source.end();
    expect([await sent.ended, await sent.sent, source.calls]).toEqual(['complete', undefined, ['next', 'next']]);
  });

  test('to a caller who leaves without reading', async () => {
    const source = new Source();
    const sent = sending({ pieces: source }, { reads: false });
    await source.give(Buffer.alloc(32 * 1024 * 1024));
    await until(() => sent.response().writableNeedDrain);
    sent.request.destroy();
    expect(await sent.sent).toBeUndefined();
    expect(source.calls).toEqual(['next', 'return']);
  });
});

describe('a source is ended', () => {
  test('when the caller leaves, also while it gives nothing', async () => {
    const source = new Source();
    source.ending = () => Promise.reject(new Error('the source cannot be ended'));
    const sent = sending({ pieces: source });
    await source.give('a');
    await until(() => sent.text() === 'a');
    await until(() => source.calls.length === 2);
    sent.request.destroy();
    expect([await sent.ended, await sent.sent]).toEqual(['incomplete', undefined]);
    expect(source.calls).toEqual(['next', 'next', 'return']);
  });

  test('when a value is not allowed, before the head or after it', async () => {
    const fault = new Error('not allowed');
    const write = (value: unknown): Piece => {
      if (value === 'wrong') throw fault;
      return String(value);
    };
    for (const [pieces, end] of [
      [['wrong'], 'none'],
      [['a', 'wrong', 'b'], 'incomplete'],
    ] as const) {
      const ended: string[] = [];
      const source = (function* () {
        try {
          yield* pieces;
        } finally {
          ended.push('ended');
        }
      })();
      const sent = sending({ pieces: source, write });
      expect([await sent.sent, await sent.ended, ended]).toEqual([fault, end, ['ended']]);
    }
  });

  test('when it fails itself; without a head, so that the caller can get an error', async () => {
    const fault = new Error('the source broke');
    const source = new Source();
    const sent = sending({ pieces: source });
    await source.fail(fault);
    expect([await sent.sent, await sent.ended]).toEqual([fault, 'none']);
    expect(source.calls).toEqual(['next', 'return']);
  });

  test('and never asked where the response is closed already', async () => {
    const source = new Source();
    const sent = sending({ pieces: source }, { before: (response) => void response.destroy() });
    expect([await sent.sent, await sent.ended]).toEqual([undefined, 'none']);
    expect(source.calls).toEqual(['return']);
  });
});

describe('a stream is cut off', () => {
  test('when its signal aborts, and does not listen to the signal any more', async () => {
    const source = new Source();
    const cut = new AbortController();
    const sent = sending({ pieces: source, cut: cut.signal });
    await source.give('a');
    await until(() => sent.text() === 'a');
    expect(getEventListeners(cut.signal, 'abort')).toHaveLength(1);
    cut.abort();
    expect([await sent.ended, await sent.sent, source.calls.at(-1)]).toEqual(['incomplete', undefined, 'return']);
    expect(getEventListeners(cut.signal, 'abort')).toHaveLength(0);
  });
  test('before its head where the signal has aborted', async () => {
    const source = new Source();
    const sent = sending({ pieces: source, cut: AbortSignal.abort() });
    expect([await sent.ended, await sent.sent, source.calls]).toEqual(['none', undefined, ['return']]);
  });
  test('no longer when it is complete', async () => {
    const cut = new AbortController();
    const sent = sending({ pieces: ['a'], cut: cut.signal });
    expect([await sent.ended, await sent.sent]).toEqual(['complete', undefined]);
    expect(getEventListeners(cut.signal, 'abort')).toHaveLength(0);
  });
});

describe('a stream with comments', () => {
  test('sends its head at once, and a comment after each 15 seconds without data', async () => {
    stopClock();
    const source = new Source();
    const sent = sending({ pieces: source, keepAlive: ':\n' });
    await until(() => sent.received() !== undefined);
    expect(source.calls).toEqual(['next']);
    jest.advanceTimersByTime(14_999);
    await source.give('a');
    await until(() => sent.text() === 'a' && source.calls.length === 2);
    jest.advanceTimersByTime(14_999);
    await source.give('b');
    await until(() => sent.text() === 'ab' && source.calls.length === 3);
    jest.advanceTimersByTime(15_000);
    await until(() => sent.text() === 'ab:\n');
    jest.advanceTimersByTime(15_000);
    await until(() => sent.text() === 'ab:\n:\n');
    await source.end();
    expect(await sent.ended).toBe('complete');
    expect([await sent.sent, jest.getTimerCount()]).toEqual([undefined, 0]);
  });
  test('sends none while the caller does not read', async () => {
    stopClock();
    const source = new Source();
    const sent = sending({ pieces: source, keepAlive: ':\n' }, { reads: false });
    const large = Buffer.alloc(32 * 1024 * 1024);
    await source.give(large);
    await until(() => sent.response().writableNeedDrain);
    const length = sent.response().writableLength;
    jest.advanceTimersByTime(60_000);
    expect(sent.response().writableLength).toBe(length);
    sent.request.destroy();
    expect([await sent.sent, jest.getTimerCount()]).toEqual([undefined, 0]);
  });
  test('sends none without a text for them', async () => {
    stopClock();
    const source = new Source();
    const sent = sending({ pieces: source });
    await source.give('a');
    await until(() => sent.text() === 'a');
    expect(jest.getTimerCount()).toBe(0);
    await until(() => source.calls.length === 2);
    await source.end();
    expect(await sent.ended).toBe('complete');
  });
});

describe('a source that is not sent', () => {
  test('is ended, whatever comes of that', async () => {
    const source = new Source();
    source.ending = () => Promise.reject(new Error('the source cannot be ended'));
    endSource(source);
    let isOpen = true;
    const list = {
      [Symbol.iterator]: () => ({
        next: () => ({ done: true, value: 0 }),
        return: () => ((isOpen = false), { done: true, value: 0 }),
      }),
    };
    endSource(list);
    await new Promise(setImmediate);
    expect([source.calls, isOpen]).toEqual([['return'], false]);
  });
  test.each([undefined, null, 'text', 5, {}, [1], { [Symbol.asyncIterator]: () => ({}) }])(
    'can be anything: %p',
    (source) => {
      expect(() => endSource(source)).not.toThrow();
    },
  );
});
