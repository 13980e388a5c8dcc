/** Deterministic synthetic tweets with the lengths and features of real ones; every tenth is in Japanese. */
import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { createRandom } from './random.ts';

const syllables =
  'ba be bi bo bu da de di do du ka ke ki ko ku la le li lo lu ma me mi mo mu na ne ni no nu ra re ri ro ru sa se si so su ta te ti to tu'.split(
    ' ',
  );
const ideographs = [...'日本東京大学生会社人間時年月火水木金土山川田中村上下左右前後国語英話電車道食飲店'];
const particles = [...'のはをにでとが'];
/** The time of the first tweet in milliseconds since the epoch; each further tweet is one second later. */
export const firstMoment = Date.UTC(2025, 0, 1);

/** The number of words. Words of low rank are frequent (Zipf's law). */
export const vocabulary = 30_000;

/** The word of a rank; ranks start at 1. */
export function wordOf(rank: number): string {
  let text = '';
  do {
    text += syllables[rank % syllables.length];
    rank = Math.floor(rank / syllables.length);
  } while (rank > 0);
  return text;
}

/** The Japanese word of a rank; ranks start at 0. Japanese has no blanks between words. */
export const japaneseWordOf = (rank: number): string =>
  `${ideographs[rank % ideographs.length]}${ideographs[Math.floor(rank / ideographs.length) % ideographs.length]}`;
export const japaneseVocabulary = ideographs.length ** 2;

const [firstId, idStep] = [1_870_000_000_000_000_000n, 4_194_304n];
/** The id of a tweet by its number, which starts at 0. */
export const idOf = (index: number): string => String(firstId + BigInt(index) * idStep);

/** The number of authors of a number of tweets. */
export const authorsOf = (tweets: number): number => Math.max(1, Math.floor(tweets / 20));

/** Generates the records of `count` tweets by `count / 20` authors, with a like of every thousandth tweet. */
class TweetGenerator {
  readonly #count: number;
  readonly #authors: number;
  readonly #random = createRandom(1);
  readonly #japanese = createRandom(2);

  constructor(count: number, authors: number) {
    this.#count = count;
    this.#authors = authors;
  }

  *records(): Generator<object, void> {
    for (let author = 0; author < this.#authors; author++) yield this.#user(author);
    for (let index = 0; index < this.#count; index++) {
      yield this.#tweet(index);
      if (index % 1000 === 0) yield { kind: 'like', tweet_id: idOf(index) };
    }
  }

  #user(author: number): object {
    const user = {
      id: String(author + 1),
      username: `user_${author}`,
      name: `User ${author}`,
      followers_count: this.#integerBelow(5000),
    };
    return { kind: 'user', user };
  }

  #tweet(index: number): object {
    const { next } = this.#random;
    const tag = next() < 0.2 ? this.#word() : undefined;
    const cashtag = next() < 0.05 ? this.#word().slice(0, 4).toUpperCase() : undefined;
    const mention = next() < 0.3 ? `user_${this.#integerBelow(this.#authors)}` : undefined;
    const words = Array.from({ length: 5 + this.#integerBelow(25) }, () => this.#word());
    const isJapanese = index % 10 === 3;
    const text = [
      ...(mention ? [`@${mention}`] : []),
      ...(isJapanese ? [this.#japaneseSentence()] : words),
      ...(tag ? [`#${tag}`] : []),
      ...(cashtag ? [`$${cashtag}`] : []),
    ].join(' ');
    const tweet = {
      id: idOf(index),
      text,
      created_at: new Date(firstMoment + index * 1000).toISOString(),
      author_id: String(this.#integerBelow(this.#authors) + 1),
      retweet_count: this.#integerBelow(50),
      reply_count: this.#integerBelow(20),
      like_count: this.#integerBelow(500),
      quote_count: this.#integerBelow(5),
      bookmark_count: this.#integerBelow(30),
      view_count: this.#integerBelow(50_000),
      entities: {
        mentions: mention ? [{ username: mention }] : [],
        hashtags: tag ? [tag] : [],
        cashtags: cashtag ? [cashtag] : [],
        urls: [],
      },
      ...(mention && index > 0 && next() < 0.7 ? { in_reply_to_id: idOf(this.#integerBelow(index)) } : {}),
      lang: isJapanese ? 'ja' : 'en',
    };
    return { kind: 'tweet', tweet };
  }

  #integerBelow(limit: number): number {
    return this.#random.integer(0, limit - 1);
  }

  #word(): string {
    return wordOf(Math.floor(vocabulary ** this.#random.next()));
  }

  #japaneseSentence(): string {
    const { next, pick, integer } = this.#japanese;
    return Array.from(
      { length: integer(4, 14) },
      () => `${japaneseWordOf(Math.floor(japaneseVocabulary ** next()) - 1)}${pick(particles)}`,
    ).join('');
  }
}

/** The number of a tweet by its id. */
export const numberOf = (id: string): number => Number((BigInt(id) - firstId) / idStep);

/** Writes a file of `count` tweets, their authors and likes. Returns the number of records. */
export async function writeTweets(file: string, count: number, authors = authorsOf(count)): Promise<number> {
  const out = createWriteStream(file);
  let records = 0;
  for (const record of new TweetGenerator(count, authors).records()) {
    records++;
    if (!out.write(`${JSON.stringify(record)}\n`)) await once(out, 'drain');
  }
  out.end();
  await finished(out);
  return records;
}
