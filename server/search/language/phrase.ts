/**
 * Finds a phrase in a sequence of tokens, in a time that is linear in the sequence, whatever the phrase is: a text such as `a a a a` would
 * otherwise be compared with the whole phrase at each of its tokens.
 */

/** Reads the tokens of texts, one after the other. */
export interface PhraseMatcher<Token> {
  /** Reads the next token. Returns whether the phrase ends with it. */
  read(token: Token): boolean;
  /** Begins with the next text: no phrase extends over two texts. */
  restart(): void;
}

/** A matcher for tokens in sequence, of which there is at least one. `any` stands for any one token. */
export const phraseMatcher = <Token>(tokens: readonly Token[], any: Token): PhraseMatcher<Token> =>
  tokens.includes(any) ? new PatternMatcher(tokens, any) : new ExactMatcher(tokens);

/** Whether a text contains the phrase. */
export function containsPhrase<Token>(text: readonly Token[], phrase: PhraseMatcher<Token>): boolean {
  phrase.restart();
  for (const token of text) if (phrase.read(token)) return true;
  return false;
}

/** The algorithm of Knuth, Morris and Pratt: at most two comparisons for each token of a text. */
class ExactMatcher<Token> implements PhraseMatcher<Token> {
  readonly #tokens: readonly Token[];
  /** By number of tokens: of how many the phrase begins and these tokens end alike, without all of them. */
  readonly #borders: readonly number[];
  /** The number of tokens of the phrase that the text ends with. */
  #found = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
    const borders = [0, 0];
    for (let end = 1, border = 0; end < tokens.length; end++) {
      while (border > 0 && tokens[border] !== tokens[end]) border = borders[border]!;
      borders.push(tokens[border] === tokens[end] ? ++border : border);
    }
    this.#borders = borders;
  }

  read(token: Token): boolean {
    const tokens = this.#tokens;
    let found = this.#found;
    while (found > 0 && tokens[found] !== token) found = this.#borders[found]!;
    if (tokens[found] === token) found++;
    const isComplete = found === tokens.length;
    this.#found = isComplete ? this.#borders[found]! : found;
    return isComplete;
  }

  restart(): void {
    this.#found = 0;
  }
}

const bitsPerWord = 32;

/**
 * The algorithm Shift-And (Baeza-Yates and Gonnet), for phrases with `any`: bit n is set where the text ends with the first n + 1 tokens. A
 * token of a text costs one operation for each 32 tokens of the phrase.
 */
class PatternMatcher<Token> implements PhraseMatcher<Token> {
  readonly #length: number;
  /** The places of `any`, and with those the places of each token. */
  readonly #ofAny: Uint32Array;
  readonly #ofToken = new Map<Token, Uint32Array>();
  readonly #found: Uint32Array;

  constructor(tokens: readonly Token[], any: Token) {
    this.#length = tokens.length;
    const words = Math.ceil(tokens.length / bitsPerWord);
    this.#found = new Uint32Array(words);
    this.#ofAny = new Uint32Array(words);
    for (const [place, token] of tokens.entries()) if (token === any) setBit(this.#ofAny, place);
    for (const [place, token] of tokens.entries()) {
      if (token === any) continue;
      let places = this.#ofToken.get(token);
      if (places === undefined) this.#ofToken.set(token, (places = this.#ofAny.slice()));
      setBit(places, place);
    }
  }

  read(token: Token): boolean {
    const found = this.#found;
    const places = this.#ofToken.get(token) ?? this.#ofAny;
    let carry = 1;
    for (let word = 0; word < found.length; word++) {
      const before = found[word]!;
      found[word] = ((before << 1) | carry) & places[word]!;
      carry = before >>> (bitsPerWord - 1);
    }
    const last = this.#length - 1;
    return ((found[Math.floor(last / bitsPerWord)]! >>> (last % bitsPerWord)) & 1) === 1;
  }

  restart(): void {
    this.#found.fill(0);
  }
}

function setBit(bits: Uint32Array, place: number): void {
  bits[Math.floor(place / bitsPerWord)]! |= 1 << (place % bitsPerWord);
}
