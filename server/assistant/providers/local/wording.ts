/** Words the findings of the local provider: fixed phrases of a language around quotations in any language. */
import { handlePattern } from '../../../text/username.ts';
import type { Schemas } from '../../../contract/operations.ts';
import { plain, shortened } from '../../plain-text.ts';
import type { Language, PhraseName } from './languages/language.ts';

/** The short form of a tweet; the full form has all its members too. */
export type Post = Schemas['TweetShort'];

/** Maximum length of a quotation in UTF-16 units. */
const maxQuotationLength = 400;

/** A quotation. Quotation marks in the text become single ones, so that no text can end its quotation. */
export const quotation = (text: string, limit = maxQuotationLength): string =>
  `“${shortened(plain(text).replace(/[“„«]/gu, '‘').replace(/[”»]/gu, '’'), limit)}”`;

const addressees = new RegExp(String.raw`^(?:@(?:\w{1,50}|${handlePattern})\s+)+(?=\S)`);
/** A reply without the mentions at its start. */
export const withoutAddressees = (text: string): string => plain(text).replace(addressees, '');

/** A quotation of a post without the mentions at its start. */
export const quoted = (text: string, limit?: number): string => quotation(withoutAddressees(text), limit);

type Values = Readonly<Record<string, string | number>>;

/** The formats of one language. */
export class Wording {
  readonly language: Language;
  readonly #number: Intl.NumberFormat;
  readonly #day: Intl.DateTimeFormat;
  readonly #moment: Intl.DateTimeFormat;
  readonly #list: Intl.ListFormat;

  constructor(language: Language) {
    const { locale } = language;
    this.language = language;
    this.#number = new Intl.NumberFormat(locale);
    this.#day = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
    this.#moment = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
    this.#list = new Intl.ListFormat(locale, { type: 'conjunction' });
  }

  /** A phrase with its values; numbers in the format of the language. */
  say(name: PhraseName, values: Values = {}): string {
    const phrase = this.language.phrases[name];
    const said = phrase.replace(/\{(\w+)\}/g, (place, key: string) => {
      const value = values[key];
      return typeof value === 'number' ? this.number(value) : value === undefined ? place : this.#isolated(value);
    });
    return phrase.startsWith('{who}') ? this.start(said) : said;
  }

  /** A value that keeps its own direction in a sentence from right to left, such as a username or a quotation. */
  #isolated(value: string): string {
    const { isRightToLeft = false } = this.language;
    return isRightToLeft && value !== '' ? `\u2068${value}\u2069` : value;
  }

  /** A label and its value. */
  pair(label: string, value: string): string {
    return `${label}${this.language.colon ?? ': '}${value}`;
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

  /** `likes: 242`. */
  figure(label: PhraseName, value: number): string {
    return this.pair(this.say(label), this.number(value));
  }

  /** A sentence that starts with a capital letter where the language has them. */
  start(text: string): string {
    return text.replace(/^\p{Ll}/u, (letter) => letter.toLocaleUpperCase(this.language.locale));
  }

  /** The name of a language, such as `German`; the code if it is unknown. */
  languageName(code: string): string {
    try {
      return new Intl.DisplayNames(this.language.locale, { type: 'language' }).of(code) ?? code;
    } catch {
      return code;
    }
  }

  /** The username of the author, or the id if the archive does not have the profile. */
  nameOf({ author }: Pick<Post, 'author'>): string {
    const username = plain(author.username);
    return username === '' ? this.say('userWithId', { id: author.id }) : `@${username}`;
  }

  /** The name and the username: `“Mira Holt” (@mira_codes)`. */
  fullNameOf({ author }: Pick<Post, 'author'>): string {
    const username = plain(author.username);
    const name = plain(author.name);
    return username === '' || name === '' || name === username
      ? this.nameOf({ author })
      : `${quotation(name, 100)} (@${username})`;
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
