/**
 * The steps of the replay. Every second step copies the next tweet of the sample. The steps between them add likes and
 * views, edit tweets, or add members to communities.
 */
import type { counts } from '../domain/records.ts';
import { type ArchivedTweet, type ArchiveRecord } from '../domain/records.ts';
import { entitiesOf } from '../formats/text.ts';
import type { RecordSource } from '../ports/record-source.ts';
import type { Contents } from './contents.ts';
import { createCopies, extended, type Copies } from './copies.ts';
import { keysOf } from '../text/object.ts';

/**
 * The examples of the contract keep their ids, so that a subscription to one receives replies and engagement events.
 */
const exampleIds = /^18900000000000000\d\d$/;

/** The shares of edits and joins among the steps between two copies. */
const [edits, joins] = [0.05, 0.05];
/** The share of likes for examples instead of copies. */
const exampleShare = 0.2;

type Growth = Partial<Record<(typeof counts)[number], number>>;
const tweetsOf = (records: readonly ArchiveRecord[]): ArchivedTweet[] =>
  records.flatMap((record) => (record.kind === 'tweet' ? [record.tweet] : []));

/** Distributes the tweets in conversations of the examples, which are all from one day, evenly among the others. */
function inOrder(tweets: readonly ArchivedTweet[]): ArchivedTweet[] {
  const isOfExample = ({ conversation_id: conversation }: ArchivedTweet): boolean =>
    conversation !== undefined && exampleIds.test(conversation);
  const others = tweets.filter((tweet) => !isOfExample(tweet));
  const exampleTweets = tweets.filter(isOfExample);
  const every = Math.ceil(others.length / (exampleTweets.length + 1));
  const spread = others.flatMap((tweet, index) =>
    index % every === every - 1 ? [tweet, ...exampleTweets.splice(0, 1)] : [tweet],
  );
  return spread.concat(exampleTweets);
}

export interface TimelineParts {
  readonly sample: readonly ArchiveRecord[];
  /** The current contents of the data source. The caller adds the records of each step after they are applied. */
  readonly contents: Contents;
  readonly source: Pick<RecordSource, 'tweetRecord'>;
  /** Returns numbers in [0, 1). */
  readonly random: () => number;
}

export class Timeline {
  readonly #parts: TimelineParts;
  /** The examples of the contract that the data source has. */
  readonly #examples: readonly string[];
  readonly #originals: readonly ArchivedTweet[];
  readonly #copies: Copies;

  constructor(parts: TimelineParts) {
    const { sample, contents } = parts;
    this.#parts = parts;
    const tweets = tweetsOf(sample);
    this.#examples = tweets.map(({ id }) => id).filter((id) => exampleIds.test(id) && contents.hasTweet(id));
    this.#originals = inOrder(tweets.filter(({ id }) => !exampleIds.test(id)));
    this.#copies = createCopies(this.#originals, contents.copies);
  }

  /** The number of steps of the whole replay. */
  get steps(): number {
    return this.#originals.length * 2;
  }

  /**
   * The records of a step; `now` in milliseconds since the epoch. The caller applies the records of each step before the
   * next call.
   */
  async step(number: number, now: number): Promise<ArchiveRecord[]> {
    if (number % 2 === 0) return this.#tweetStep(number / 2, now);
    const chance = this.#parts.random();
    if (chance < edits) return this.#editStep(now);
    return chance < edits + joins ? this.#joinStep(now) : this.#likeStep(now);
  }

  #randomBelow(bound: number): number {
    return Math.floor(this.#parts.random() * bound);
  }

  #pick<Item>(items: readonly Item[]): Item | undefined {
    return items[this.#randomBelow(items.length)];
  }

  /** A record of an existing tweet with increased counts. */
  async #withGrowth(id: string | undefined, growth: Growth, now: number): Promise<ArchiveRecord[]> {
    const tweet = id === undefined ? undefined : await this.#parts.source.tweetRecord(id);
    if (tweet === undefined) return [];
    const more = Object.fromEntries(keysOf(growth).map((name) => [name, (tweet[name] ?? 0) + (growth[name] ?? 0)]));
    return [{ kind: 'tweet', tweet: { ...tweet, ...more, observed_at: new Date(now).toISOString() } }];
  }

  async #tweetStep(index: number, now: number): Promise<ArchiveRecord[]> {
    const tweet = this.#copies.copy(index, now);
    return [
      { kind: 'tweet', tweet },
      ...(await this.#withGrowth(tweet.in_reply_to_id, { reply_count: 1, view_count: 1 }, now)),
      ...(await this.#withGrowth(tweet.quoted_tweet_id, { quote_count: 1, view_count: 1 }, now)),
      ...(await this.#withGrowth(tweet.retweeted_tweet_id, { retweet_count: 1, view_count: 1 }, now)),
    ];
  }

  #likeStep(now: number): Promise<ArchiveRecord[]> {
    const { random } = this.#parts;
    const { recent } = this.#copies;
    const isExample = random() < exampleShare;
    // Prefers new tweets. Few tweets get many likes.
    const newest = recent.at(-1 - Math.floor(random() ** 2 * recent.length));
    const likes = 1 + Math.floor(random() ** 6 * 40);
    const growth = {
      like_count: likes,
      view_count: likes * (5 + this.#randomBelow(40)),
      bookmark_count: this.#randomBelow(3) === 0 ? 1 : 0,
      retweet_count: this.#randomBelow(4) === 0 ? 1 : 0,
    };
    return this.#withGrowth(isExample ? this.#pick(this.#examples) : newest, growth, now);
  }

  async #editStep(now: number): Promise<ArchiveRecord[]> {
    const tweet = await this.#parts.source.tweetRecord(this.#pick(this.#copies.recent) ?? '');
    if (tweet === undefined) return [];
    const text = extended(tweet.text, ' (edited)');
    const edited = { ...tweet, text, entities: entitiesOf(text), observed_at: new Date(now).toISOString() };
    return [{ kind: 'tweet', tweet: edited }];
  }

  async #joinStep(now: number): Promise<ArchiveRecord[]> {
    const { contents, random } = this.#parts;
    const { users, communities } = contents;
    // The examples of the contract subscribe to this user: they should receive an event soon.
    const user = random() < 0.3 ? users.find(({ username }) => username === 'mira_codes') : this.#pick(users);
    const community = user && this.#pick(communities.filter(({ id }) => !contents.isMember(id, user.id)));
    if (user === undefined || community === undefined) return this.#likeStep(now);
    return [
      { kind: 'community', community: { ...community, member_count: (community.member_count ?? 0) + 1 } },
      {
        kind: 'membership',
        community_id: community.id,
        user_id: user.id,
        role: 'member',
        created_at: new Date(now).toISOString(),
      },
    ];
  }
}
