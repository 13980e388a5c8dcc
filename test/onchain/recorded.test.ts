/** Answers that the aggregator really gave: what is read of them, and what is chosen. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { selectPair, matchingPairs } from '../../server/onchain/pair-selection.ts';
import { foldName } from '../../server/onchain/token-names.ts';
import { readPairs } from '../../server/onchain/pair.ts';
import type { TokenName } from '../../server/ports/token-resolver.ts';

const folder = new URL('../../../shared/data/05-dexscreener/', import.meta.url);
const recorded = existsSync(folder);
const files = recorded ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];

interface Recorded {
  readonly pairs: {
    readonly baseToken: { readonly symbol: string; readonly address: string };
    readonly pairAddress: string;
    readonly url?: string;
  }[];
}
const read = (file: string): Recorded => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Recorded;
const all = (): Recorded => ({ pairs: files.flatMap((file) => read(file).pairs) });
const chosen = (given: TokenName, answer: unknown): ReturnType<typeof selectPair> => {
  const name = foldName(given)!;
  return selectPair(matchingPairs(readPairs(answer)!, name), name, undefined);
};

(recorded ? describe : describe.skip)('recorded answers (../shared/data/05-dexscreener)', () => {
  test('are parsed with all pairs', () => {
    expect(files.length).toBeGreaterThan(3);
    for (const file of files) expect(readPairs(read(file))).toHaveLength(read(file).pairs.length);
  });

  test('contain every token by its symbol and by its address, with its page URL', () => {
    const answer = all();
    const pages = new Map(answer.pairs.map((pair) => [pair.pairAddress.toLowerCase(), pair.url]));
    for (const { baseToken } of answer.pairs) {
      expect(chosen({ symbol: `$${baseToken.symbol}` }, answer)).toMatchObject({
        symbol: baseToken.symbol,
        address: baseToken.address,
      });
      const token = chosen({ address: baseToken.address }, answer)!;
      expect(token).toMatchObject({ address: baseToken.address, confidence: 'high' });
      const page = pages.get(token.aggregator_url.split('/').at(-1)!);
      if (page !== undefined) expect(token.aggregator_url).toBe(page);
    }
  });

  test('result in the pool with the greatest depth, and in none for a part of a symbol', () => {
    const answer = all();
    expect(chosen({ symbol: 'EMBER' }, answer)).toMatchObject({
      liquidity_usd: 1066950.47,
      price_usd: '0.03607',
      confidence: 'high',
    });
    expect(chosen({ symbol: 'SMOG' }, answer)!.sources).toHaveLength(3);
    expect(chosen({ symbol: 'FROG' }, answer)).toMatchObject({ confidence: 'low' });
    expect(chosen({ symbol: 'TCAT' }, answer)).toMatchObject({
      liquidity_usd: 0,
      volume_24h: 0,
      market_cap: 5623,
      confidence: 'low',
    });
    expect(chosen({ symbol: 'DKNG' }, answer)).toMatchObject({ market_cap: 0 });
    for (const symbol of ['DOJO', 'SOL', 'USDC', 'EMB']) expect(chosen({ symbol }, answer)).toBeNull();
  });
});
