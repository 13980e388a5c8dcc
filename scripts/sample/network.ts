/** Creates the posts of the sample and the records about them. */
import type { ArchiveRecord } from '../../server/domain/records.ts';
import { buildTweet, harbourTweet } from './example.ts';
import { examplePosts } from './example-posts.ts';
import { articles, communities, people, personNamed, type Person } from './people.ts';
import type { Random } from './random.ts';
import { communityId, drawPeople, readersOf, userIdOf } from './society.ts';
import type { Post, Writer } from './writer.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** The hours of the posts, weighted by activity: more in the morning and in the evening. */
const activeHours = [
  0, 5, 6, 7, 7, 8, 8, 9, 10, 11, 12, 12, 13, 14, 15, 16, 17, 17, 18, 18, 19, 19, 20, 20, 20, 21, 21, 22, 23,
];

type RetweetRecord = Extract<ArchiveRecord, { kind: 'retweet' }>;
const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();
const timeOf = ({ tweet }: Post): number => Date.parse(tweet.created_at);

/** The posts of all people from one time to another. The methods add posts in a fixed order, so a seed gives one result. */
export class Network {
  readonly posts: Post[] = [];
  readonly #random: Random;
  readonly #writer: Writer;
  readonly #from: number;
  readonly #until: number;
  /** The posts that start a conversation. */
  #roots: Post[] = [];

  constructor(random: Random, writer: Writer, from: number, until: number) {
    this.#random = random;
    this.#writer = writer;
    this.#from = from;
    this.#until = until;
  }

  /** Adds the posts of all people, the conversations and the quotes. */
  addPosts(memberships: ReadonlySet<string>): void {
    this.posts.push(...examplePosts(this.#writer));
    for (const author of people) this.#addPostsOf(author, memberships);
    this.posts.push(...this.#articles());
    this.#roots = this.posts.filter((post) => post.tweet.in_reply_to_id === undefined && timeOf(post) > this.#from);
    for (const root of this.#roots) this.#addReplies(root);
    this.#addQuotes();
  }

  /** Adds retweets as posts, as a timeline shows them, and returns the others as records. */
  addRetweets(): RetweetRecord[] {
    const build = this.posts.find(({ tweet }) => tweet.id === buildTweet);
    const shared = [...(build === undefined ? [] : [build]), ...this.#random.draw(this.#roots, 420)];
    return shared.flatMap((original) => {
      const count =
        original === build ? 27 : Math.min(24, Math.floor(this.#random.pareto(1.1) * (1 + original.author.fame / 4)));
      const readers = readersOf(original.topic, original.author);
      return drawPeople(this.#random, readers, count, original.author).flatMap((author): RetweetRecord[] => {
        const at = this.#after(timeOf(original));
        if (at >= this.#until) return [];
        if (original !== build && this.#random.chance(0.22)) {
          this.posts.push(this.#writer.retweet(author, original, at));
          return [];
        }
        return [
          {
            kind: 'retweet',
            tweet_id: original.tweet.id,
            user_id: userIdOf(author.username),
            created_at: iso(at),
          },
        ];
      });
    });
  }

  /** The likes of the archive's owner. */
  likes(): ArchiveRecord[] {
    const like = (tweetId: string, at: number): ArchiveRecord => ({
      kind: 'like',
      tweet_id: tweetId,
      created_at: iso(Math.min(at, this.#until)),
    });
    return [
      ...this.#random.draw(this.#roots, 58).map((post) => like(post.tweet.id, this.#after(timeOf(post)))),
      like(buildTweet, Date.parse('2026-03-04T06:00:00Z')),
      like(harbourTweet, Date.parse('2026-03-04T06:01:00Z')),
    ];
  }

  /** The most liked posts of each person; those of mira_codes include the examples. */
  highlights(): ArchiveRecord[] {
    return people.flatMap((person) => {
      const mostLiked = this.#roots
        .filter(({ author }) => author === person)
        .sort((a, b) => (b.tweet.like_count ?? 0) - (a.tweet.like_count ?? 0));
      const chosen = mostLiked.slice(0, person.fame < 2 ? this.#random.integer(0, 2) : this.#random.integer(3, 8));
      const examples =
        person.username === 'mira_codes'
          ? this.posts.filter(({ tweet }) => [buildTweet, harbourTweet].includes(tweet.id))
          : [];
      return [...examples, ...chosen].map((post): ArchiveRecord => ({
        kind: 'highlight',
        user_id: post.tweet.author_id,
        tweet_id: post.tweet.id,
        created_at: iso(Math.min(timeOf(post) + this.#random.integer(hour, 5 * day), this.#until)),
      }));
    });
  }

  #addPostsOf(author: Person, memberships: ReadonlySet<string>): void {
    const count = this.#random.integer(9, 17) + author.fame * 2;
    for (let n = 0; n < count; n++) {
      const index = Math.min(this.#random.integer(0, author.topics.length - 1), this.#random.integer(0, 3));
      const topic = author.topics[index] ?? author.topics[0];
      const post = this.#writer.post(author, topic, this.#randomTime());
      const community = communities.findIndex((each) => each.topic === topic);
      if (
        community >= 0 &&
        this.#random.chance(0.35) &&
        memberships.has(`${communityId(community)} ${userIdOf(author.username)}`)
      ) {
        post.tweet.community_id = communityId(community);
      }
      this.posts.push(post);
    }
    if (this.#random.chance(0.55))
      this.posts.push(...this.#writer.thread(author, author.topics[0], this.#randomTime()));
  }

  #articles(): Post[] {
    return articles.map(({ by: username, title, paragraphs }) => {
      const author = personNamed(username);
      const post = this.#writer.write(author, author.topics[0], this.#randomTime(), `New article: ${title}`);
      post.tweet.article = { title, text: paragraphs.join('\n\n') };
      return post;
    });
  }

  /** Adds replies to the post and to its replies; deeper posts get fewer. */
  #addReplies(post: Post, parent?: Post, depth = 0): void {
    const activity = depth === 0 ? 0.05 + post.author.fame * 0.09 : 0.35 - depth * 0.06;
    const count = Math.min(depth === 0 ? 9 : 2, Math.floor(this.#random.pareto(2.2) - 1 + activity));
    for (const reader of drawPeople(this.#random, readersOf(post.topic, post.author), count, post.author)) {
      // Below the first level, the author of the parent usually replies.
      const isAnswer = parent !== undefined && parent.author !== post.author && this.#random.chance(0.7);
      const at = this.#after(timeOf(post));
      if (at >= this.#until) continue;
      const reply = isAnswer ? this.#writer.answer(parent.author, post, at) : this.#writer.reply(reader, post, at);
      this.posts.push(reply);
      if (depth < 6) this.#addReplies(reply, post, depth + 1);
    }
  }

  #addQuotes(): void {
    for (const quoted of this.#random.draw(this.#roots, 150)) {
      const [author] = drawPeople(this.#random, readersOf(quoted.topic, quoted.author), 1, quoted.author);
      const at = this.#after(timeOf(quoted) + 20 * minute);
      if (author !== undefined && at < this.#until) this.posts.push(this.#writer.quote(author, quoted, at));
    }
  }

  #randomTime(): number {
    const days = Math.floor((this.#until - this.#from) / day);
    return (
      this.#from +
      this.#random.integer(0, days - 1) * day +
      this.#random.pick(activeHours) * hour +
      this.#random.integer(0, hour - 1)
    );
  }

  /** A time after `at`: usually within an hour, at most two days. */
  #after(at: number): number {
    return at + Math.floor(minute * Math.min(2 * 24 * 60, this.#random.pareto(0.8) * this.#random.integer(2, 20)));
  }
}
