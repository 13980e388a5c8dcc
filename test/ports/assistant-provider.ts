/** The behaviour of every adapter of the provider port. */
import { describe, expect, test } from '@jest/globals';
import { type Account, ProviderError, type Provider, type Question } from '../../server/ports/assistant-provider.ts';
import { build, question, subject } from '../assistant/providers/subjects.ts';

export interface Tested {
  readonly provider: Provider;
  readonly account: Account;
  /** How many requests went upstream so far. */
  readonly requests: () => number;
}

const contract = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';
const launch = subject(`Harbour Cat ($HCAT) is live on Base. CA: ${contract}`);

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const each of Object.values(value)) frozen(each);
  }
  return value;
}

export function describeProvider(name: string, tested: () => Tested): void {
  const ask = (
    asked: Question,
    questions = asked.extract ? 2 : 1,
    rest: { signal?: AbortSignal; onText?: (piece: string) => void } = {},
  ) =>
    tested().provider.ask(tested().account, frozen(asked), {
      signal: new AbortController().signal,
      questions,
      ...rest,
    });

  describe(`${name} conforms to the provider contract`, () => {
    test('a health check of a working account resolves', async () => {
      await expect(tested().provider.probe(tested().account, new AbortController().signal)).resolves.toBeUndefined();
    });

    test.each([
      ['an explanation', question(build)],
      ['a first question', question(build, { prompt: 'What about the test run?' })],
      [
        'a follow-up',
        question(build, {
          turns: [
            { prompt: null, answer: 'It moved.' },
            { prompt: 'And?', answer: 'To Node 24.' },
          ],
          prompt: 'What fell?',
        }),
      ],
      ['a post without text', question(subject(''))],
      ['tickers', question(build, { suggest: 'ticker' })],
      ['tickers by an instruction', question(build, { suggest: 'something with cats' })],
      ['a token', question(launch, { extract: true })],
      ['both', question(launch, { suggest: 'ticker', extract: true })],
    ])('%s: the answer has exactly the requested members', async (_what, asked) => {
      const before = tested().requests();
      const { summary, citations, citedTweets, model, tickers, extracted, ...rest } = await ask(asked);
      expect(tested().requests() - before).toBeLessThanOrEqual(asked.extract ? 2 : 1);
      expect(rest).toEqual({});
      // A list only where the text has its numbers.
      const numbers = [...summary.matchAll(/ \[(\d+)\]/g)].map(([, n]) => Number(n));
      expect(Math.max(0, ...numbers)).toBe(citedTweets?.length ?? 0);
      expect(summary.trim()).not.toBe('');
      expect(model).not.toBe('');
      for (const cited of citations) {
        expect(Object.keys(cited).sort()).toEqual(['domain', 'snippet', 'title', 'url']);
        expect(new URL(cited.url).hostname).toContain(cited.domain);
      }
      expect(new Set(citations.map(({ url }) => url)).size).toBe(citations.length);
      expect(tickers !== undefined).toBe(asked.suggest !== null);
      for (const ticker of tickers ?? []) expect(ticker).toMatch(/^\$[A-Z\d]{1,10}$/);
      expect(extracted !== undefined).toBe(asked.extract);
      if (asked.extract) expect(extracted).toMatchObject({ ticker: '$HCAT', contract });
    });

    test.each([question(build), question(build, { suggest: 'ticker' }), question(launch, { extract: true })])(
      'the parts form the summary',
      async (asked) => {
        const pieces: string[] = [];
        const { summary } = await ask(asked, 2, { onText: (piece) => pieces.push(piece) });
        expect(pieces.length).toBeGreaterThan(0);
        expect(pieces).not.toContain('');
        expect(pieces.join('')).toBe(summary);
      },
    );

    test('cites linked pages', async () => {
      expect((await ask(question(build))).citations).toContainEqual(
        expect.objectContaining({ url: 'https://example.org/node-24', title: 'What is new in Node 24' }),
      );
    });

    test.each([
      ['a disconnected caller', AbortSignal.abort(), 'aborted'],
      ['a deadline that has passed', AbortSignal.abort(new DOMException('', 'TimeoutError')), 'timeout'],
    ])('%s: sends and counts nothing', async (_what, signal, fault) => {
      const before = tested().requests();
      const error = await ask(question(build), 1, { signal }).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(ProviderError);
      expect(error).toMatchObject({ fault, counted: 0 });
      await expect(tested().provider.probe(tested().account, signal)).rejects.toMatchObject({ fault, counted: 0 });
      expect(tested().requests()).toBe(before);
    });
  });
}
