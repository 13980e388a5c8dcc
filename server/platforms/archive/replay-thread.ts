/** The thread that prepares the tweets of a large replay: it parses records and computes what the archive adds. */
import { parentPort } from 'node:worker_threads';
import { records } from '../../../generated/records.js';
import { RecycledMemory } from '../../collections/recycled-memory.ts';
import type { ArchivedTweet } from '../../domain/records.ts';
import type { TweetChange } from './change.ts';
import { buffersOf, TweetBatchReader, type TweetBatch } from './prepared-tweets.ts';

/** What the thread gets: records of the journal in UTF-8, one behind the other, and the end of each of them. */
export interface ReplayPart {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly ends: Uint32Array<ArrayBuffer>;
}
/** What it returns: the same records with their tweets. */
export interface PreparedPart extends ReplayPart {
  readonly tweets: TweetBatch;
}

const port = parentPort;
if (port === null) throw new Error('this module runs in a thread');
const reader = new TweetBatchReader(new RecycledMemory());

/**
 * The tweet of a record that can be prepared; undefined for each other record. The archive looks at these itself, among them the update
 * of a tweet, which has a member that the schema of a record does not have.
 */
function tweetOf(json: string): ArchivedTweet | undefined {
  if (!json.startsWith('{"kind":"tweet",')) return undefined;
  try {
    const change: unknown = JSON.parse(json);
    return records.tweet(change) ? (change as TweetChange).tweet : undefined;
  } catch {
    return undefined;
  }
}

port.on('message', ({ bytes, ends }: ReplayPart) => {
  const texts = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let start = 0;
  for (const end of ends) {
    reader.add(tweetOf(texts.toString('utf8', start, end)));
    start = end;
  }
  const tweets = reader.take();
  port.postMessage({ bytes, ends, tweets } satisfies PreparedPart, [bytes.buffer, ends.buffer, ...buffersOf(tweets)]);
});
