/** Words what an answer says: fixed phrases of a language around quotations in any language, each with its source. */
import { withoutAddressees, type Post } from '../../conversation-tree.ts';
import { plain, shortened } from '../../plain-text.ts';
import type { Language, PhraseName } from './languages.ts';

/** Maximum length of a quotation in UTF-16 units. */
const maxQuotationLength = 400;
/** Stands around the id of a source until the answer is complete. No quoted text has control characters. */
const mark = '\u0001';

/** A quotation. Its marks become single ones, and its numbers in brackets round ones, so that no text can end or cite it. */
export const quotation = (text: string, limit = maxQuotationLength): string =>
  `“${shortened(
    plain(text)
      .replace(/[“„«]/gu, '‘')
      .replace(/[”»]/gu, '’')
      .replace(/\[(\d+)\]/g, '($1)'),
    limit,
  )}”`;

type Values = Readonly<Record<string, string | number>>;

/** The formats of one language. */
export class Wording {
  readonly language: Language;
  readonly #number: Intl.NumberFormat;
  readonly #day: Intl.DateTimeFormat;
  readonly #moment: Intl.DateTimeFormat;
  readonly #list: Intl.ListFormat;

  constructor(language: Language) {
    const { locale } = language.data;
    this.language = language;
    this.#number = new Intl.NumberFormat(locale);
    this.#day = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
    this.#moment = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
    this.#list = new Intl.ListFormat(locale, { type: 'conjunction' });
  }

  /** A phrase with its values; numbers in the format of the language. */
  say(name: PhraseName, values: Values = {}): string {
    const phrase = this.language.data.phrases[name];
    const said = phrase.replace(/\{(\w+)\}/g, (place, key: string) => {
      const value = values[key];
      return typeof value === 'number' ? this.number(value) : value === undefined ? place : this.#isolated(value);
    });
    return phrase.startsWith('{who}') || phrase.startsWith('{label}') ? this.start(said) : said;
  }

  /** A value that keeps its own direction in a sentence from right to left, such as a username or a quotation. */
  #isolated(value: string): string {
    return this.language.data.isRightToLeft && value !== '' ? `\u2068${value}\u2069` : value;
  }

  number(value: number): string {
    return this.#number.format(value);
  }

  day(timestamp: string): string {
    return this.#day.format(new Date(timestamp));
  }

  moment(timestamp: string): string {
    return `${this.#moment.format(new Date(timestamp))} UTC`;
  }

  listed(items: readonly string[]): string {
    return this.#list.format(items);
  }

  /** A label and its value: `likes: 242`. */
  pair(label: string, value: string | number): string {
    return `${label}${this.language.data.colon}${typeof value === 'number' ? this.number(value) : value}`;
  }

  figure(label: PhraseName, value: number): string {
    return this.pair(this.say(label), value);
  }

  /** A sentence that starts with a capital letter where the language has them. */
  start(text: string): string {
    return text.replace(/^\p{Ll}/u, (letter) => letter.toLocaleUpperCase(this.language.data.locale));
  }

  /** The name of a language, such as `German`. */
  languageName(code: string): string {
    return new Intl.DisplayNames(this.language.data.locale, { type: 'language' }).of(code) ?? code;
  }

  /** The username of the author, or the id if the archive does not have the profile. */
  nameOf({ author }: Pick<Post, 'author'>): string {
    const username = plain(author.username);
    return username === '' ? this.say('userWithId', { id: author.id }) : `@${username}`;
  }

  /** The name and the username: `“Mira Holt” (@mira_codes)`; `facts` stand in the brackets too. */
  fullNameOf({ author }: Pick<Post, 'author'>, facts: readonly string[] = []): string {
    const username = plain(author.username);
    const name = plain(author.name);
    const isPlain = username === '' || name === '' || name === username;
    const known = isPlain ? facts : [`@${username}`, ...facts];
    const inBrackets = known.length === 0 ? '' : ` (${known.join(', ')})`;
    return `${isPlain ? this.nameOf({ author }) : quotation(name, 100)}${inBrackets}`;
  }

  /** A quotation of a post, without the users that it addresses, with its source. */
  quote(post: Pick<Post, 'id' | 'text'>, text = post.text, limit?: number): string {
    return `${quotation(withoutAddressees(text), limit)} ${mark}${post.id}${mark}`;
  }
}

const wordings = new Map<Language, Wording>();

/** The wording of a language. Formats are expensive to create, so they are kept. */
export function wordingOf(language: Language): Wording {
  let wording = wordings.get(language);
  if (wording === undefined) {
    wording = new Wording(language);
    wordings.set(language, wording);
  }
  return wording;
}

/** The paragraphs with `[1]`, `[2]` … for their sources, and the ids of these sources in order. */
export function numbered(paragraphs: readonly string[]): { paragraphs: string[]; sources: string[] } {
  const sources: string[] = [];
  const cited = paragraphs.map((paragraph) =>
    paragraph.replace(new RegExp(`${mark}(\\d+)${mark}`, 'g'), (_, id: string) => {
      if (!sources.includes(id)) sources.push(id);
      return `[${sources.indexOf(id) + 1}]`;
    }),
  );
  return { paragraphs: cited, sources };
}
