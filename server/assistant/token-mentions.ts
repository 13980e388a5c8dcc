/**
 * Finds the token that a post is about. Uses only the post, its card and article, its quoted and retweeted posts, and
 * its author's own thread. Replies are ignored, because anyone could place addresses there.
 */
import type { Schemas } from '../contract/operations.ts';
import { chainId, chainOfUrl, chainsIn, isChainCoin, showsTokens } from './chains.ts';
import { plain } from './plain-text.ts';
import type { Subject } from '../ports/assistant-provider.ts';

type Extracted = Schemas['Extracted'];
type Tweet = Schemas['Tweet'];

/** Maximum length of each text in UTF-16 units: the platform's longest post. */
const maxTextLength = 25_000;

const evm = /(?<![\p{L}\p{N}_])0x[\da-fA-F]{40}(?![\p{L}\p{N}_])/gu;
/** Solana addresses are base58, without 0, O, I and l. Words in a single case do not match. */
const base58 =
  /(?<![\p{L}\p{N}_/.])(?=[1-9A-Za-z]*\d)(?=[1-9A-Za-z]*[A-Z])(?=[1-9A-Za-z]*[a-z])[1-9A-HJ-NP-Za-km-z]{32,44}(?![\p{L}\p{N}_])/gu;
const cashtag = /(?<![\p{L}\p{N}_$])\$([A-Za-z][A-Za-z\d]{0,9})(?![\p{L}\p{N}_$])/gu;
const labelled = /\b(?:ticker|symbol)\b\s*(?:is|:|=|-)?\s*\$?([A-Z][A-Z\d]{1,9})\b/gu;
const cryptoVocabulary =
  /\b(?:crypto(?:currency|currencies)?|blockchain|altcoins?|meme ?coins?|shit ?coins?|stablecoins?|tokenomics|airdrops?|presale|defi|dex|web3|on-?chain|liquidity pool|market ?cap|mcap|rug ?pull(?:ed)?|contract address|pump\.fun|dexscreener|raydium|uniswap|solana|ethereum|erc-?20|hodl|bitcoin)\b|(?<![\p{L}\p{N}])CA\s*:/iu;

/** The texts of the post and its own context, the post's first, each on one line. */
export function ownTexts({ tweet, thread }: Subject): string[] {
  const own = thread.filter((each) => each.author.id === tweet.author.id).toReversed();
  return [tweet, tweet.retweeted_tweet, tweet.quoted_tweet, ...own].flatMap((each) =>
    each === null ? [] : textsOf(each),
  );
}

function textsOf({ text, card, article }: Tweet): string[] {
  const texts = [text, card?.title, card?.description, article?.title, article?.text];
  return texts
    .flatMap((each) => (each === undefined ? [] : [plain(each.slice(0, maxTextLength))]))
    .filter((each) => each !== '');
}

function ownLinks({ tweet, thread }: Subject): string[] {
  const own = thread.filter((each) => each.author.id === tweet.author.id).toReversed();
  return [tweet, tweet.retweeted_tweet, tweet.quoted_tweet, ...own].flatMap((each) => {
    if (each === null) return [];
    const links = each.entities.urls.flatMap(({ url, display_url }) => [
      url,
      `https://${display_url.replace(/^https?:\/\//, '')}`,
    ]);
    return each.card === undefined ? links : [each.card.url, ...links];
  });
}

/** The `$TICKER` symbols that the post names, in upper case and in order. */
export function tickersIn(subject: Subject): string[] {
  const texts = ownTexts(subject);
  return [
    ...new Set(
      [...texts.flatMap((text) => matches(text, cashtag)), ...texts.flatMap((text) => matches(text, labelled))].map(
        (symbol) => `$${symbol.toUpperCase()}`,
      ),
    ),
  ];
}

/** Whether the post is about tokens: it names one by cashtag or address, or uses crypto vocabulary. */
export function isCrypto(subject: Subject): boolean {
  return (
    tickersIn(subject).length > 0 ||
    contractsIn(subject).length > 0 ||
    ownTexts(subject).some((text) => cryptoVocabulary.test(text))
  );
}

/** The contract addresses in the post's texts and in its links to token sites. */
export function contractsIn(subject: Subject): string[] {
  const inLinks = ownLinks(subject)
    .filter(showsTokens)
    .flatMap((url) => addresses(url.replaceAll(/[/?=&#]/g, ' ')));
  return [...new Set([...ownTexts(subject).flatMap(addresses), ...inLinks])];
}

const addresses = (text: string): string[] => [...(text.match(evm) ?? []), ...(text.match(base58) ?? [])];

/** The token that the post is about; members are null if the post does not name them. */
export function tokenOf(subject: Subject): Extracted {
  const contract = contractsIn(subject)[0] ?? null;
  const tickers = tickersIn(subject).map((ticker) => ticker.slice(1));
  const ticker = tickers.find((each) => !isChainCoin(each)) ?? tickers[0] ?? null;
  return {
    ticker: ticker === null ? null : `$${ticker}`,
    name: ticker === null ? null : nameOf(subject, ticker),
    contract,
    chain: chainOf(subject, contract),
  };
}

/** Maximum distance between a symbol and its name, in UTF-16 units. */
const maxNameDistance = 60;

/**
 * Finds a name before its symbol in brackets, as in `Harbour Cat ($HCAT)`, or after it, as in `$HCAT (Harbour Cat)`.
 */
function nameOf(subject: Subject, ticker: string): string | null {
  for (const text of ownTexts(subject)) {
    for (const { index, 0: symbol } of text.matchAll(new RegExp(String.raw`\(\$?${ticker}\)|\$${ticker} ?\(`, 'gu'))) {
      const name = symbol.startsWith('(')
        ? /(?<![\p{L}\p{N}])((?:\p{Lu}[\p{L}\p{N}']*[ -]){0,4}\p{Lu}[\p{L}\p{N}']*) ?$/u.exec(
            text.slice(Math.max(0, index - maxNameDistance), index),
          )?.[1]
        : /^((?:\p{Lu}[\p{L}\p{N}']*[ -]?){1,5})\)/u.exec(
            text.slice(index + symbol.length, index + symbol.length + maxNameDistance),
          )?.[1];
      if (name !== undefined && name.toUpperCase() !== ticker) return name.trim();
    }
  }
  return null;
}

function chainOf(subject: Subject, contract: string | null): string | null {
  const solana = contract !== null && !contract.startsWith('0x');
  const named = [...ownTexts(subject).flatMap(chainsIn), ...ownLinks(subject).flatMap((url) => chainOfUrl(url) ?? [])];
  // Base58 addresses belong to Solana and 0x addresses do not, whatever else the post names.
  if (solana) return 'solana';
  return named.find((chain) => contract === null || chain !== 'solana') ?? null;
}

/**
 * Keeps only those parts of a claim about the token that occur in the post. An invented address, symbol or name becomes
 * null.
 */
export function grounded(claim: Extracted, subject: Subject): Extracted {
  const texts = ownTexts(subject).map((text) => text.toLowerCase());
  const symbol = claim.ticker?.replace(/^\$/, '').toUpperCase() ?? '';
  const contract = contractsIn(subject).find((contract) => sameAddress(contract, claim.contract ?? ''));
  const name = plain(claim.name ?? '');
  return {
    ticker:
      /^[A-Z\d]{1,10}$/.test(symbol) && texts.some((text) => hasWord(text, symbol.toLowerCase())) ? `$${symbol}` : null,
    name: name !== '' && texts.some((text) => hasWord(text, name.toLowerCase())) ? name : null,
    contract: contract ?? null,
    chain:
      contract === undefined
        ? (chainId(claim.chain ?? '') ?? null)
        : (chainOf(subject, contract) ?? chainId(claim.chain ?? '') ?? null),
  };
}

/** Hexadecimal addresses ignore case; base58 addresses do not. */
const sameAddress = (a: string, b: string): boolean =>
  a.startsWith('0x') ? a.toLowerCase() === b.toLowerCase() : a === b;

/** Whether the text contains the words as complete words. */
function hasWord(text: string, words: string): boolean {
  for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + 1)) {
    const letter = /[\p{L}\p{N}_]/u;
    if (!letter.test(text[at - 1] ?? '') && !letter.test(text[at + words.length] ?? '')) return true;
  }
  return false;
}

const matches = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].flatMap(([, group]) => group ?? []);
