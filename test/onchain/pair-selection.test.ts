import { describe, expect, test } from '@jest/globals';
import { selectPair, matchingPairs } from '../../server/onchain/pair-selection.ts';
import { foldName, isChainId } from '../../server/onchain/token-names.ts';
import { readPairs } from '../../server/onchain/pair.ts';
import type { TokenName } from '../../server/ports/token-resolver.ts';
import { answer, evmAddress, pair, solAddress } from './pairs.ts';

/** What is chosen of the pairs of an answer. */
function chosen(given: TokenName, pairs: unknown[], chain?: string): ReturnType<typeof selectPair> {
  const name = foldName(given)!;
  return selectPair(matchingPairs(readPairs(answer(...pairs))!, name), name, chain);
}

const pond = { symbol: 'POND' };
const other = 'OthEr111111111111111111111111111111111other';

describe('the best pair', () => {
  test('has exactly the symbol, case-insensitive, with or without $', () => {
    const deep = { liquidity: 9e6, volume: 9e6 };
    const others = ['PONDX', 'XPOND', 'P0ND'].map((symbol) => pair({ ...deep, symbol }));
    const pairs = [...others, pair({ symbol: '$pOnd', liquidity: 5 })];
    for (const symbol of ['POND', 'pond', '$Pond', ' $POND ']) {
      expect(chosen({ symbol }, pairs)).toMatchObject({ symbol: '$pOnd', liquidity_usd: 5 });
    }
    expect(chosen({ symbol: 'PON' }, pairs)).toBeNull();
  });

  test('has the token as its base token, not as its quote token', () => {
    expect(chosen({ symbol: 'SOL' }, [pair()])).toBeNull();
    expect(chosen({ address: 'So11111111111111111111111111111111111111112' }, [pair()])).toBeNull();
  });

  test('is on the requested chain; otherwise there is none', () => {
    const pairs = [
      pair({ chain: 'solana', liquidity: 9e6, volume: 9e6 }),
      pair({ chain: 'base', address: evmAddress, liquidity: 10 }),
    ];
    expect(chosen(pond, pairs)).toMatchObject({ chain: 'solana' });
    expect(chosen(pond, pairs, 'base')).toMatchObject({ chain: 'base', address: evmAddress });
    expect(chosen(pond, pairs, 'bsc')).toBeNull();
  });

  test('has the greatest depth, limited by both liquidity and volume', () => {
    const filled = pair({ address: 'FiLLed11111111111111111111111111111111111', liquidity: 5e6, volume: 70 });
    const washed = pair({ address: 'WaShed11111111111111111111111111111111111', liquidity: 800, volume: 5e6 });
    const real = pair({ liquidity: 40_000, volume: 30_000 });
    expect(chosen(pond, [filled, washed, real])).toMatchObject({ address: solAddress });
    expect(chosen(pond, [filled, washed])).toMatchObject({ liquidity_usd: 800 });
  });

  test('has more liquidity, then more volume, among pairs of equal depth in any order', () => {
    const pairs = [
      pair({ pair: 'AAAA1', liquidity: 1000, volume: 100 }),
      pair({ pair: 'BBBB2', liquidity: 1000, volume: 300 }),
      pair({ pair: 'CCCC3', liquidity: 2000, volume: 100 }),
      pair({ pair: 'DDDD4', liquidity: 2000, volume: 100 }),
    ];
    const page = 'https://dexscreener.com/solana/cccc3';
    expect(chosen(pond, pairs)).toMatchObject({ aggregator_url: page });
    expect(chosen(pond, pairs.toReversed())).toMatchObject({ aggregator_url: page });
    expect(chosen(pond, pairs)!.sources.map((url) => url.slice(-5))).toEqual(['cccc3', 'dddd4', 'bbbb2', 'aaaa1']);
  });

  test('by address has this address, with any symbol', () => {
    const pairs = [pair({ address: other, liquidity: 9e6, volume: 9e6 }), pair({ symbol: 'FROG', liquidity: 1 })];
    expect(chosen({ address: solAddress }, pairs)).toMatchObject({ address: solAddress, symbol: 'FROG' });
  });

  test('by address ignores the case of hexadecimal addresses, but not of base58 addresses', () => {
    expect(chosen({ address: evmAddress.toLowerCase() }, [pair({ address: evmAddress, chain: 'base' })])).toMatchObject(
      { address: evmAddress },
    );
    expect(
      chosen({ address: evmAddress }, [pair({ address: evmAddress.toLowerCase(), chain: 'base' })]),
    ).not.toBeNull();
    expect(chosen({ address: solAddress.toLowerCase() }, [pair()])).toBeNull();
  });

  test('has all figures of the pair at aggregator_url', () => {
    expect(chosen(pond, [pair({ pair: 'PooLxyz' }), pair({ pair: 'Small', liquidity: 3, price: '9' })])).toEqual({
      symbol: 'POND',
      address: solAddress,
      chain: 'solana',
      name: 'Pond',
      price_usd: '0.0123',
      liquidity_usd: 100_000,
      volume_24h: 50_000,
      market_cap: 1_000_000,
      aggregator_url: 'https://dexscreener.com/solana/poolxyz',
      confidence: 'high',
      sources: ['https://dexscreener.com/solana/poolxyz', 'https://dexscreener.com/solana/small'],
    });
  });

  test('uses 0 for missing figures, and the fully diluted valuation for a missing market capitalisation', () => {
    const untold = { liquidity: undefined, volume: undefined, marketCap: null };
    expect(chosen(pond, [pair({}, untold)])).toMatchObject({
      liquidity_usd: 0,
      volume_24h: 0,
      market_cap: 2_000_000,
      confidence: 'low',
    });
    expect(chosen(pond, [pair({}, { ...untold, fdv: undefined })])).toMatchObject({ market_cap: 0 });
  });
});

describe('confidence', () => {
  const rival = (liquidity: number): unknown => pair({ address: other, liquidity, volume: liquidity });
  const best = (liquidity: number): unknown => pair({ liquidity, volume: liquidity });
  test.each<[string, unknown[], string]>([
    ['deep and alone', [best(50_000)], 'high'],
    ['deep, and ten times its rival', [best(50_000), rival(5_000)], 'high'],
    ['deep, with another pool of its own as deep', [best(50_000), best(50_000)], 'high'],
    ['deep, but not ten times its rival', [best(50_000), rival(5_001)], 'medium'],
    ['less deep and alone', [best(49_999)], 'medium'],
    ['twice its rival', [best(5_000), rival(2_500)], 'medium'],
    ['not twice its rival', [best(90_000), rival(50_000)], 'low'],
    ['shallow and alone', [best(4_999)], 'low'],
    ['empty', [best(0)], 'low'],
  ])('by symbol: %s', (_what, pairs, confidence) => {
    expect(chosen(pond, pairs)).toMatchObject({ address: solAddress, confidence });
  });

  test('ignores competing tokens on chains that were not requested', () => {
    const pairs = [best(50_000), pair({ chain: 'base', address: evmAddress, liquidity: 40_000 })];
    expect(chosen(pond, pairs)).toMatchObject({ confidence: 'low' });
    expect(chosen(pond, pairs, 'solana')).toMatchObject({ confidence: 'high' });
  });

  test('by address: high at any depth, medium if several chains have the address', () => {
    expect(chosen({ address: solAddress }, [best(1)])).toMatchObject({ confidence: 'high' });
    const pairs = [
      pair({ chain: 'base', address: evmAddress }),
      pair({ chain: 'bsc', address: evmAddress, liquidity: 3 }),
    ];
    expect(chosen({ address: evmAddress }, pairs)).toMatchObject({ chain: 'base', confidence: 'medium' });
    expect(chosen({ address: evmAddress }, pairs, 'bsc')).toMatchObject({ chain: 'bsc', confidence: 'high' });
  });
});

test("lists at most five pages of the token's pairs as sources, without duplicates", () => {
  const pairs = ['Aaaa', 'aaaa', 'Bbbb', 'Cccc', 'Dddd', 'Eeee', 'Ffff'].map((name) => pair({ pair: name }));
  const { sources } = chosen(pond, [...pairs, pair({ address: other, liquidity: 1 })])!;
  expect(sources).toEqual(
    ['aaaa', 'bbbb', 'cccc', 'dddd', 'eeee'].map((name) => `https://dexscreener.com/solana/${name}`),
  );
});

describe('the parser of a response', () => {
  const good = pair({ pair: 'Good1' });
  const wrong: [string, unknown][] = [
    ['not an object', 'POND'],
    ['null', null],
    ['a list', []],
    ['an empty object', {}],
    ['no price', { ...pair(), priceUsd: null }],
    ['a price that is a number', { ...pair(), priceUsd: 1.5 }],
    ['a price that is not a decimal number', pair({ price: '1e9999' })],
    ['a negative price', pair({ price: '-1' })],
    ['an endless price', pair({ price: '1'.repeat(1000) })],
    ['negative liquidity', pair({ liquidity: -1 })],
    ['liquidity beyond all money', pair({ liquidity: 1e300 })],
    ['liquidity as text', { ...pair(), liquidity: { usd: '100000' } }],
    ['liquidity that is a number', { ...pair(), liquidity: 7 }],
    ['an infinite volume', pair({ volume: Infinity })],
    ['a market cap as text', { ...pair(), marketCap: '1' }],
    ['no base token', { ...pair(), baseToken: undefined }],
    ['half a base token', { ...pair(), baseToken: { symbol: 'POND' } }],
    ['a symbol that is not text', pair({ symbol: ['POND'] as unknown as string })],
    ['an endless name', pair({ name: 'n'.repeat(201) })],
    ['a name that turns the text around it', pair({ name: 'a\u202eb' })],
    ['control characters', pair({ name: 'a\r\nSet-Cookie: b' })],
    ['a chain that is a path', pair({ chain: '../evil' })],
    ['a chain of another case', pair({ chain: 'Solana' })],
    ['a pool address that is a URL', pair({ pair: 'https://evil.example/x' })],
    ['a pool address with a path', pair({ pair: 'aaaa/../../b' })],
    ['a token address with markup', pair({ address: '"><script>alert(1)</script>' })],
  ];
  test.each(wrong)('skips only the pair with %s', (_what, bad) => {
    expect(readPairs(answer(bad, good, bad))).toMatchObject([{ pairAddress: 'Good1' }]);
  });

  test('never returns a page URL of another site', () => {
    const evil = pair({ pair: 'Good1' }, { url: 'javascript:alert(1)', info: { imageUrl: 'https://evil.example' } });
    expect(JSON.stringify(chosen(pond, [evil]))).not.toMatch(/javascript|evil/);
  });

  test('is a list of pairs or an object with a list; otherwise null', () => {
    expect(readPairs([good])).toHaveLength(1);
    expect(readPairs({ schemaVersion: '1.0.0', pairs: null })).toEqual([]);
    expect(readPairs({ pairs: [] })).toEqual([]);
    for (const none of [null, 'text', 7, {}, { pairs: 'none' }, { pairs: { 0: good } }, true])
      expect(readPairs(none)).toBeUndefined();
  });

  test('reads at most a hundred pairs', () => {
    expect(readPairs(Array.from({ length: 300 }, () => pair()))).toHaveLength(100);
  });
});

describe('a name', () => {
  test.each(['', '$', '$$POND', 'two words', 'a/b', '../x', '.', 'a'.repeat(33), 'a\0b', '-', 'a?b=c'])(
    '%j is no symbol',
    (symbol) => expect(foldName({ symbol })).toBeUndefined(),
  );
  test.each(['A', '1INCH', 'BRK.B', 'ÄÖ', '狗狗', 'a'.repeat(32)])('%j is a symbol', (symbol) =>
    expect(foldName({ symbol })).toBeDefined(),
  );
  test.each([
    '',
    '0x1',
    '..',
    '../../../../../../../../etc/passwd',
    'https://evil.example/aaaaaaaaaaaa',
    `${solAddress}?x=1`,
    `${solAddress}/x`,
    'a'.repeat(129),
    `.${solAddress}`,
    `${solAddress},${solAddress}`,
  ])('%j is no address', (address) => expect(foldName({ address })).toBeUndefined());
  test.each([
    solAddress,
    evmAddress,
    'inj1p0nd0000000000000000000000000000000p0nd',
    `0x${'a'.repeat(64)}::coin::COIN`,
    'EQPoNd_0000000000000000000000000000000000-PoNd00',
  ])('%j is an address', (address) => expect(foldName({ address })).toBeDefined());
  test('the id of a chain is short', () => {
    for (const id of ['solana', 'ethereum', 'bsc', 'arbitrum-nova', 'constructor']) expect(isChainId(id)).toBe(true);
    for (const id of ['', '1', 'a b', '../x', 'Solana', 'x'.repeat(40)]) expect(isChainId(id)).toBe(false);
  });
});
