/** Synthetic tweets for the benchmarks: any number, the same each time, with the lengths and mixes of real ones; each tenth in Japanese. */
import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { createRandom } from '../sample/random.ts';

const syllables =
  'ba be bi bo bu da de di do du ka ke ki ko ku la le li lo lu ma me mi mo mu na ne ni no nu ra re ri ro ru sa se si so su ta te ti to tu'.split(
    ' ',
  );
const ideographs = [...'日本東京大学生会社人間時年月火水木金土山川田中村上下左右前後国語英話電車道食飲店'];
const particles = [...'のはをにでとが'];
/** The tweets come one each second from here on; in milliseconds since the epoch. */
export const firstMoment = Date.UTC(2025, 0, 1);

/** How many words there are; those of low rank are common, as in any language. */
export const vocabulary = 30_000;

/** The word of a rank, from 1. */
export function wordOf(rank: number): string {
  let text = '';
  do {
    text += syllables[rank % syllables.length];
    rank = Math.floor(rank / syllables.length);
  } while (rank > 0);
  return text;
}

/** A Japanese word of two characters, of a rank from 0; written without blanks around it. */
export const japaneseWordOf = (rank: number): string =>
  `${ideographs[rank % ideographs.length]}${ideographs[Math.floor(rank / ideographs.length) % ideographs.length]}`;
export const japaneseVocabulary = ideographs.length ** 2;

/** Writes a file of `count` tweets by `count / 20` authors, and a like on every thousandth; returns how many records it has. */
export async function writeTweets(file: string, count: number): Promise<number> {
  const { next, integer } = createRandom(1);
  const pick = (most: number): number => integer(0, most - 1);
  const word = (): string => wordOf(Math.floor(vocabulary ** next()));
  const japanese = createRandom(2);
  const sentence = (): string =>
    Array.from(
      { length: japanese.integer(4, 14) },
      () => `${japaneseWordOf(Math.floor(japaneseVocabulary ** japanese.next()) - 1)}${japanese.pick(particles)}`,
    ).join('');
  const authors = Math.max(1, Math.floor(count / 20));
  const out = createWriteStream(file);
  let records = 0;
  const write = async (record: object): Promise<void> => {
    records++;
    if (!out.write(`${JSON.stringify(record)}\n`)) await once(out, 'drain');
  };
  for (let author = 0; author < authors; author++) {
    await write({
      kind: 'user',
      user: { id: String(author + 1), username: `user_${author}`, name: `User ${author}`, followers_count: pick(5000) },
    });
  }
  for (let n = 0; n < count; n++) {
    const tag = next() < 0.2 ? word() : undefined;
    const cash = next() < 0.05 ? word().slice(0, 4).toUpperCase() : undefined;
    const mention = next() < 0.3 ? `user_${pick(authors)}` : undefined;
    const words = Array.from({ length: 5 + pick(25) }, word);
    const isJapanese = n % 10 === 3;
    const spoken = isJapanese ? [sentence()] : words;
    const text = [
      ...(mention ? [`@${mention}`] : []),
      ...spoken,
      ...(tag ? [`#${tag}`] : []),
      ...(cash ? [`$${cash}`] : []),
    ].join(' ');
    await write({
      kind: 'tweet',
      tweet: {
        id: String(1_870_000_000_000_000_000n + BigInt(n) * 4_194_304n),
        text,
        created_at: new Date(firstMoment + n * 1000).toISOString(),
        author_id: String(pick(authors) + 1),
        retweet_count: pick(50),
        reply_count: pick(20),
        like_count: pick(500),
        quote_count: pick(5),
        bookmark_count: pick(30),
        view_count: pick(50_000),
        entities: {
          mentions: mention ? [{ username: mention }] : [],
          hashtags: tag ? [tag] : [],
          cashtags: cash ? [cash] : [],
          urls: [],
        },
        ...(mention && n > 0 && next() < 0.7
          ? { in_reply_to_id: String(1_870_000_000_000_000_000n + BigInt(pick(n)) * 4_194_304n) }
          : {}),
        lang: isJapanese ? 'ja' : 'en',
      },
    });
    if (n % 1000 === 0)
      await write({ kind: 'like', tweet_id: String(1_870_000_000_000_000_000n + BigInt(n) * 4_194_304n) });
  }
  out.end();
  await finished(out);
  return records;
}
