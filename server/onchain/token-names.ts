/** How tokens and chains are named, and when two names of a token are the same. */
import type { TokenName } from '../ports/token-resolver.ts';

/** Whether a text can be the id of a chain. */
export const isChainId = (text: string): boolean => /^[a-z][a-z0-9-]{1,31}$/.test(text);

/** A symbol as it is compared: without `$`, in lower case. Some tokens have the `$` in their own symbol. */
export const foldSymbol = (symbol: string): string => symbol.trim().replace(/^\$/, '').toLowerCase();

/** An address as it is compared: hexadecimal ones have no case (EIP-55 only marks it), base58 and others do. */
export const foldAddress = (address: string): string =>
  /^0x[0-9a-f]+$/i.test(address) ? address.toLowerCase() : address;

/** A name in the form that is compared; undefined for what cannot be a symbol (up to 32 characters) or an address (20 to 128). */
export function foldName(name: TokenName): TokenName | undefined {
  if ('address' in name) {
    const address = foldAddress(name.address.trim());
    return /^[A-Za-z0-9][A-Za-z0-9:_-]{19,127}$/.test(address) ? { address } : undefined;
  }
  const symbol = foldSymbol(name.symbol);
  return /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]{0,31}$/u.test(symbol) ? { symbol } : undefined;
}
