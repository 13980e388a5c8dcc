/** Names of tokens and chains, and their folded forms for comparison. */
import type { TokenName } from '../ports/token-resolver.ts';

/** Whether a text has the format of a chain id. */
export const isChainId = (text: string): boolean => /^[a-z][a-z0-9-]{1,31}$/.test(text);

/** A symbol without `$` and in lower case, for comparison. Some tokens have the `$` in their symbol. */
export const foldSymbol = (symbol: string): string => symbol.trim().replace(/^\$/, '').toLowerCase();

/**
 * An address for comparison. Hexadecimal addresses ignore case (EIP-55 uses it only as a checksum); base58 and others
 * do not.
 */
export const foldAddress = (address: string): string =>
  /^0x[0-9a-f]+$/i.test(address) ? address.toLowerCase() : address;

/** The folded name; undefined if it is no valid symbol (up to 32 characters) or address (20 to 128). */
export function foldName(name: TokenName): TokenName | undefined {
  if ('address' in name) {
    const address = foldAddress(name.address.trim());
    return /^[A-Za-z0-9][A-Za-z0-9:_-]{19,127}$/.test(address) ? { address } : undefined;
  }
  const symbol = foldSymbol(name.symbol);
  return /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]{0,31}$/u.test(symbol) ? { symbol } : undefined;
}
