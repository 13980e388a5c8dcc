/** The posts that one question has used, and whether one of them is removed before its answer is complete. */
import type { Schemas } from '../contract/operations.ts';
import type { ArchiveReader, Subject } from '../ports/assistant-provider.ts';
import type { TweetsAndUsers } from '../ports/conversations.ts';

type Post = Schemas['Tweet'] | Schemas['TweetShort'];

export class UsedPosts implements TweetsAndUsers {
  readonly #tweetIds = new Set<string>();
  readonly #userIds = new Set<string>();
  /** The tweets that were removed since the question began: one of them may have been read before. */
  readonly #removals: ReadonlySet<string>[] = [];
  readonly #removed = new AbortController();

  get tweetIds(): ReadonlySet<string> {
    return this.#tweetIds;
  }

  get userIds(): ReadonlySet<string> {
    return this.#userIds;
  }

  /** Aborts when one of the posts is removed. */
  get removed(): AbortSignal {
    return this.#removed.signal;
  }

  /** Adds posts that were read, with the posts that they quote or repeat, and their authors. */
  add(posts: Iterable<Post>): void {
    for (const post of posts) {
      const nested = 'quoted_tweet' in post ? [post.quoted_tweet, post.retweeted_tweet] : [];
      for (const each of [post, ...nested]) {
        if (each === null) continue;
        this.#tweetIds.add(each.id);
        this.#userIds.add(each.author.id);
      }
    }
    this.#check();
  }

  /** Adds what earlier answers have used. */
  addUsed({ tweetIds, userIds }: TweetsAndUsers): void {
    for (const id of tweetIds) this.#tweetIds.add(id);
    for (const id of userIds) this.#userIds.add(id);
    this.#check();
  }

  /** Reports tweets that are removed while the question is open. */
  remove(tweetIds: ReadonlySet<string>): void {
    this.#removals.push(tweetIds);
    this.#check();
  }

  /** Whether one of these tweets was reported as removed. */
  isRemoved(tweetIds: ReadonlySet<string>): boolean {
    return this.#removals.some((each) => !tweetIds.isDisjointFrom(each));
  }

  #check(): void {
    if (!this.removed.aborted && this.isRemoved(this.#tweetIds)) this.#removed.abort();
  }
}

/** The posts of a subject. */
export const postsOf = (subject: Subject): Post[] => [
  subject.tweet,
  ...subject.thread,
  ...subject.replies,
  ...subject.authored,
  ...subject.continuation,
  ...subject.deeperReplies,
  ...subject.quotes,
  ...subject.later,
  ...subject.linked,
];

/** A reader that notes every post that it returns. */
export function notingReader(archive: ArchiveReader, used: UsedPosts): ArchiveReader {
  const noted = async <Each extends Post>(reading: Promise<readonly Each[]>): Promise<readonly Each[]> => {
    const posts = await reading;
    used.add(posts);
    return posts;
  };
  return {
    search: (query, limit) => noted(archive.search(query, limit)),
    thread: (tweetId) => noted(archive.thread(tweetId)),
    author: (username, limit) => noted(archive.author(username, limit)),
    retweeters: (tweetId, limit) => archive.retweeters(tweetId, limit),
    profiles: (ids) => archive.profiles(ids),
    present: (ids) => archive.present(ids),
    backgrounds: (ids) => archive.backgrounds(ids),
  };
}
