/**
 * Parses query text to a syntax tree, in the web dialect of the platform. A space means AND; `OR` in upper case binds
 * tighter; `-` negates the term that follows it; parentheses group; an unclosed quote extends to the end. Throws
 * ServiceError 400 with the problem, its position and the expected input. Reads each character a bounded number of
 * times.
 */
import { badRequest } from '../../contract/service-error.ts';
import { handlePattern, isUsername } from '../../text/username.ts';
import { linkTokens } from './terms.ts';
import { findOperator, readOperator } from './operators.ts';
import { isWithin, type Query } from '../../domain/query.ts';
import { signRuns, tokensOf } from './tokenizer.ts';

/** Limits that bound the cost of a query. */
export const maxNesting = 20;
export const maxTerms = 100;

const blank = /\s/;
const wordEnd = /[\s()"“”]/;
const quote = /["“”]/;
const noTermMessage = 'the query has no search term: add a word, a phrase or an operator';
const emptyGroupMessage = 'these parentheses are empty: put a term between them';
const usernameExpected = 'expected a username (1–15 letters, digits or _, or a handle such as alice.example.com)';
/** The punctuation behind a tag, also of other scripts than Latin: users copy tags from sentences. */
const behindTag = String.raw`\p{P}*$`;
const handleMention = new RegExp(`^[@＠](${handlePattern})${behindTag}`, 'u');
const nameMention = new RegExp(String.raw`^[@＠](\w+)${behindTag}`, 'u');
/** What a hashtag can have besides letters, digits and `_`, as in ハリー・ポッター: the special characters of twitter-text. */
const tagCharacters = String.raw`\u200c\u200d\ua67e\u05be\u05f3\u05f4\uff5e\u301c\u309b\u309c\u30a0\u30fb\u3003\u0f0b\u0f0c\u00b7`;
const letters = String.raw`\p{L}\p{M}\p{N}_`;
const hashtag = new RegExp(
  String.raw`^[\p{Ps}\p{Pi}]*[#＃](?<name>[${letters}](?:[${letters}${tagCharacters}]*[${letters}])?)(?:${behindTag})`,
  'u',
);
const cashtag = new RegExp(String.raw`^\$([A-Za-z]{1,6}(?:[._][A-Za-z]{1,2})?)${behindTag}`, 'u');
/** A dash that negates nothing: an arrow such as `->`, or a part of a line. */
const dash = /^-+(?:[-<=>~|/\\*+]|→)[^\p{L}\p{N}\s"“”()]*(?=[\s()]|$)/u;
/** The characters of a run of punctuation that are looked at: each look is bounded. */
const maxDash = 32;
const danglingOr = '`OR` needs a term on both sides';

/** The syntax tree of a query. Throws ServiceError 400. */
export function parse(text: string): Query {
  return new Parser(text).parse();
}

interface Range {
  readonly at: number;
  readonly end: number;
}

const join = (is: 'and' | 'or', parts: Query[], range: Range): Query =>
  parts.length === 1 ? parts[0]! : { is, parts, ...range };

class Parser {
  readonly #text: string;
  #at = 0;
  #terms = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): Query {
    const query = this.#sequence(0);
    if (this.#at < this.#text.length) this.#fault("this ')' has no matching '('");
    const misplaced = misplacedWithin(query);
    if (misplaced !== undefined)
      this.#fault('`within:` needs a `near:` in the same group, and a group has one `within:`', misplaced.at);
    return query;
  }

  #fault(message: string, position = this.#at): never {
    throw badRequest(`'query' cannot be read at ${position}: ${message}`);
  }

  #skipBlanks(): void {
    while (this.#at < this.#text.length && blank.test(this.#text[this.#at]!)) this.#at++;
  }

  /** Characters up to the next blank, quote or parenthesis. */
  #word(): string {
    const start = this.#at;
    while (this.#at < this.#text.length && !wordEnd.test(this.#text[this.#at]!)) this.#at++;
    return this.#text.slice(start, this.#at);
  }

  #atQuote(): boolean {
    return this.#at < this.#text.length && quote.test(this.#text[this.#at]!);
  }

  /** The text between quotes; `\"` is a literal quote, and `\\` a literal backslash. */
  #quoted(): string {
    let inner = '';
    for (this.#at++; this.#at < this.#text.length && !this.#atQuote(); this.#at++) {
      if (this.#text[this.#at] === '\\' && /^["\\]$/.test(this.#text[this.#at + 1] ?? '')) this.#at++;
      inner += this.#text[this.#at];
    }
    this.#at++;
    return inner;
  }

  /** A value that starts with `[` extends to the `]` and can contain blanks. */
  #bracketed(prefix: string): string {
    if (!prefix.startsWith('[') || prefix.includes(']')) return prefix;
    const start = this.#at - prefix.length;
    const end = this.#text.indexOf(']', this.#at);
    if (end < 0) return this.#fault("this '[' has no matching ']'", start);
    this.#at = end + 1;
    this.#word();
    return this.#text.slice(start, this.#at);
  }

  /**
   * The range from `start` to the current position. After an unclosed quote the position is beyond the end of the text.
   */
  #span(start: number): Range {
    return { at: start, end: Math.min(this.#at, this.#text.length) };
  }

  /** Items until the end or the closing parenthesis. */
  #sequence(depth: number): Query {
    const start = this.#at;
    const items: Query[] = [];
    this.#skipBlanks();
    const first = this.#at;
    let range = this.#span(first);
    for (; this.#at < this.#text.length && this.#text[this.#at] !== ')'; this.#skipBlanks()) {
      const item = this.#alternatives(depth);
      if (item !== undefined) items.push(item);
      range = this.#span(first);
    }
    if (items.length === 0 && depth === 0) this.#fault(noTermMessage, start);
    if (items.length === 0) this.#fault(emptyGroupMessage, start - 1);
    return join('and', items, range);
  }

  #alternatives(depth: number): Query | undefined {
    const start = this.#at;
    const parts: Query[] = [];
    for (;;) {
      const part = this.#unary(depth);
      if (part !== undefined) parts.push(part);
      const before = this.#at;
      this.#skipBlanks();
      if (!/^OR(?=[\s(]|$)/.test(this.#text.slice(this.#at, this.#at + 3))) {
        this.#at = before;
        break;
      }
      const or = this.#at;
      this.#at += 2;
      this.#skipBlanks();
      const isEnd = this.#at >= this.#text.length || this.#text[this.#at] === ')';
      if (parts.length === 0 || isEnd) this.#fault(danglingOr, or);
    }
    return parts.length === 0 ? undefined : join('or', parts, this.#span(start));
  }

  #unary(depth: number): Query | undefined {
    const start = this.#at;
    const next = this.#text[start + 1];
    const isNegation = this.#text[start] === '-' && next !== undefined && !/[\s)]/.test(next);
    if (!isNegation || dash.test(this.#text.slice(start, start + maxDash))) return this.#primary(depth);
    this.#at++;
    const part = this.#primary(depth);
    return part === undefined ? undefined : { is: 'not', part, ...this.#span(start) };
  }

  #primary(depth: number): Query | undefined {
    if (++this.#terms > maxTerms) this.#fault(`the query has more than ${maxTerms} terms`);
    const start = this.#at;
    // The parenthesis of an emoticon does not open or close a group.
    const emoticon = /^[:;=]-?[()](?=\s|$)/.exec(this.#text.slice(start, start + 4))?.[0];
    if (emoticon !== undefined) {
      this.#at += emoticon.length;
      return this.#phrase(emoticon, start, true);
    }
    if (this.#text[start] === '(') return this.#group(depth);
    if (this.#atQuote()) return this.#phrase(this.#quoted(), start);
    if (this.#text[start] === ')') return this.#fault("this ')' has no matching '('");
    return this.#term(this.#word(), start);
  }

  #group(depth: number): Query {
    const start = this.#at;
    if (depth === maxNesting) this.#fault(`parentheses are nested more than ${maxNesting} deep`);
    this.#at++;
    const inner = this.#sequence(depth + 1);
    if (this.#text[this.#at] !== ')') this.#fault("this '(' has no matching ')'", start);
    this.#at++;
    return inner;
  }

  /** A tag, an operator, a link or a word. */
  #term(source: string, start: number): Query | undefined {
    if (source === 'OR') this.#fault(danglingOr, start);
    if (/^https?:\/\//i.test(source)) {
      const link = source.replace(/^https?:\/\//i, '');
      return linkTokens(link).length === 0 ? undefined : { is: 'link', text: link, ...this.#span(start) };
    }
    const key = /^([A-Za-z][A-Za-z0-9_]*):/.exec(source)?.[1];
    if (key !== undefined) return this.#operator(key, source.slice(key.length + 1), start);
    return this.#tag(source, start) ?? this.#phrase(source, start, true);
  }

  #operator(key: string, rest: string, start: number): Query | undefined {
    const inBrackets = findOperator(key.toLowerCase())?.bracketed === true;
    const value = rest === '' && this.#atQuote() ? this.#quoted() : inBrackets ? this.#bracketed(rest) : rest;
    const read = readOperator(key, value);
    if (read === undefined) return this.#phrase(`${key} ${value}`, start);
    if ('fault' in read) return this.#fault(read.fault, read.inValue ? start + key.length + 1 : start);
    return { is: 'operator', name: read.name, value, ...this.#span(start) };
  }

  /** A mention, a hashtag or a cashtag; undefined for another word. */
  #tag(source: string, start: number): Query | undefined {
    // Most words begin with a letter: they need none of the expressions.
    if (/^\w/.test(source)) return undefined;
    const handle = handleMention.exec(source)?.[1] ?? nameMention.exec(source)?.[1];
    if (handle !== undefined && isUsername(handle)) return { is: 'tag', sign: '@', name: handle, ...this.#span(start) };
    if (/^[@＠][\p{L}\p{M}\p{N}_]+[.,:;!?]*$/u.test(source))
      this.#fault(`${usernameExpected} after ${source[0]}; to search for the words, put them in quotes`, start + 1);
    const name = hashtag.exec(source)?.groups?.name;
    if (name !== undefined && !/^\d+$/.test(name)) return { is: 'tag', sign: '#', name, ...this.#span(start) };
    const symbol = cashtag.exec(source)?.[1];
    return symbol === undefined ? undefined : { is: 'tag', sign: '$', name: symbol, ...this.#span(start) };
  }

  /**
   * Words in sequence. In quotes, a separate `*` matches any one word. Punctuation without words is searched too; outside quotes, not that
   * of operators.
   */
  #phrase(words: string, start: number, bare = false): Query | undefined {
    const tokens = bare
      ? tokensOf(words)
      : words.split(/\s+/).flatMap((each) => (each === '*' ? [each] : tokensOf(each)));
    while (tokens[0] === '*') tokens.shift();
    while (tokens.at(-1) === '*') tokens.pop();
    if (tokens.length > 0) return { is: 'words', tokens, ...this.#span(start) };
    const text = bare ? words : withoutWildcards(words);
    const isSearched = signRuns(text).length > 0 && (!bare || /[^-+*"]/.test(text));
    return isSearched ? { is: 'signs', text, ...this.#span(start) } : undefined;
  }
}

const withoutWildcards = (words: string): string =>
  words
    .split(/\s+/)
    .filter((each) => each !== '*')
    .join(' ');

const partsOf = (query: Query): readonly Query[] =>
  'parts' in query ? query.parts : query.is === 'not' ? [query.part] : [];
const hasNear = (query: Query): boolean =>
  (query.is === 'operator' && query.name === 'near') || partsOf(query).some(hasNear);

/**
 * The first `within:` without a `near:` in its group, or the second `within:` of a group; undefined if there is none.
 */
function misplacedWithin(query: Query): Query | undefined {
  if (isWithin(query)) return query;
  const [first, second] = query.is === 'and' ? query.parts.filter(isWithin) : [];
  if (second !== undefined) return second;
  if (first !== undefined && !hasNear(query)) return first;
  for (const part of partsOf(query)) {
    const misplaced = part === first ? undefined : misplacedWithin(part);
    if (misplaced !== undefined) return misplaced;
  }
  return undefined;
}
