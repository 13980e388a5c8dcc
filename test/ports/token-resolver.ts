/** The behaviour of every adapter of the token resolver port. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Schemas } from '../../server/contract/operations.ts';
import type { TokenName, TokenResolver } from '../../server/ports/token-resolver.ts';

/** A resolver, and what it knows. */
export interface ResolverUnderTest {
  readonly resolver: TokenResolver;
  /** A token that it finds by symbol and by address; undefined if it finds no token at all. */
  readonly known: Pick<Schemas['ResolvedToken'], 'symbol' | 'address' | 'chain'> | undefined;
  /** The source of the resolver does not answer from now on. */
  block(): void;
  /** The source of the resolver answers with an error from now on. */
  fail(): void;
  dispose(): void;
}

const never = new AbortController().signal;

/** The suite for one adapter. */
export function describeTokenResolver(name: string, create: () => ResolverUnderTest): void {
  describe(name, () => {
    let tested: ResolverUnderTest;
    beforeEach(() => void (tested = create()));
    afterEach(() => tested.dispose());
    const resolve = (token: TokenName, chain?: string, signal = never): ReturnType<TokenResolver['resolve']> =>
      tested.resolver.resolve(token, chain, signal);

    test('resolves a known token by its symbol in any spelling and by its address, on its chain only', async () => {
      const { known } = tested;
      const names: TokenName[] =
        known === undefined
          ? [{ symbol: 'POND' }]
          : [
              { symbol: known.symbol },
              { symbol: `$${known.symbol.toLowerCase()}` },
              { symbol: known.symbol.toUpperCase() },
              { address: known.address },
            ];
      const expected = known === undefined ? null : expect.objectContaining(known);
      for (const each of names) {
        expect(await resolve(each)).toEqual(expected);
        expect(await resolve(each, known?.chain ?? 'solana')).toEqual(expected);
        expect(await resolve(each, 'no-such-chain')).toBeNull();
      }
    });

    test.each<[string, TokenName, string | undefined]>([
      ['an unknown symbol', { symbol: 'NOSUCHTOKEN' }, undefined],
      ['an unknown address', { address: 'OthEr111111111111111111111111111111111other' }, undefined],
      ['an empty symbol', { symbol: '$' }, undefined],
      ['a path', { address: '../../admin' }, 'solana'],
      ['a URL', { address: 'https://evil.example/x' }, undefined],
      ['a chain with a path', { symbol: 'POND' }, '../../x'],
      ['control characters', { symbol: 'PO\0ND\n' }, undefined],
    ])('returns null for %s', async (_what, token, chain) => {
      expect(await resolve(token, chain)).toBeNull();
    });

    test('returns null when its source fails', async () => {
      tested.fail();
      for (const symbol of ['AAA', 'BBB', 'CCC']) expect(await resolve({ symbol })).toBeNull();
    });

    test('returns null at once when the signal aborts, also while its source does not respond', async () => {
      expect(await resolve({ symbol: 'POND' }, undefined, AbortSignal.abort())).toBeNull();
      tested.block();
      const caller = new AbortController();
      const resolving = resolve({ symbol: 'WAITING' }, undefined, caller.signal);
      setImmediate(() => caller.abort());
      expect(await resolving).toBeNull();
    });
  });
}
