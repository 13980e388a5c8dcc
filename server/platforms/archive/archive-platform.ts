/** The platform port on top of the archive: its indexes serve every operation. */
import type { Archive } from './archive.ts';
import type { UserIdentity } from './user-directory.ts';
import { community, space } from './views.ts';
import { ViewCache } from './view-cache.ts';
import type { DurableArchive } from './durable-archive.ts';
import { rankCommunity } from './community-ranking.ts';
import type { Member, RelationReader } from '../../collections/relation.ts';
import type { TimelineReader } from '../../collections/timeline.ts';
import { badRequest, notFound, unavailable } from '../../contract/service-error.ts';
import { StoreError } from '../../ports/storage.ts';
import type { Page, PageRequest, Platform, Position, UserRef } from '../../ports/platform.ts';

export function archivePlatform(durable: DurableArchive): Platform {
  const { archive } = durable;
  const views = new ViewCache(archive);

  return {
    revision: () => archive.version,

    async lastTweets(ref, includeReplies, page) {
      const { id } = userOf(archive, ref);
      return fullPage(
        timelinePage(archive, listFor(includeReplies ? archive.byAuthor : archive.postsByAuthor, id), page),
      );
    },

    async highlights(ref, page) {
      const list = listFor(archive.highlights, userOf(archive, ref).id);
      return fullPage(relationPage(list, page, ({ id }) => archive.ordinal(id)));
    },

    async followings(ref, page) {
      return relationPage(listFor(archive.follows, userOf(archive, ref).id), page, ({ id }) => views.userById(id));
    },

    async mentions(ref, span, page) {
      const timeline = listFor(archive.mentions, userOf(archive, ref).username?.toLowerCase());
      return shortPage(timelinePage(archive, timeline, page, span));
    },

    async replies(tweetId, page) {
      requireTweet(tweetId);
      return fullPage(timelinePage(archive, archive.replies.get(tweetId), page));
    },

    async retweeters(tweetId, page) {
      requireTweet(tweetId);
      return relationPage(archive.retweeters.get(tweetId), page, ({ id }) => views.userById(id));
    },

    async search(query, order, page) {
      return shortPage(archive.index.search(query, order, page));
    },

    async discover(communityId, page) {
      requireCommunity(communityId);
      return shortPage(rankCommunity(archive, communityId, page));
    },

    async communityMedia(communityId, page) {
      requireCommunity(communityId);
      return shortPage(timelinePage(archive, archive.communityMedia.get(communityId), page));
    },

    async communitiesOf(username, page) {
      const { id: userId } = userOf(archive, { username });
      if (userId === undefined) return { items: [], next: null };
      return relationPage(archive.memberships.get(userId), page, ({ id }) => community(archive, id, userId));
    },

    async space(id) {
      const record = archive.spaces.get(id);
      if (record === undefined) throw notFound(`space ${id}`);
      return space(archive, record);
    },

    async unlike(tweetId) {
      if (!archive.liked(tweetId)) requireTweet(tweetId);
      try {
        return await durable.unlike(tweetId);
      } catch (error) {
        if (error instanceof StoreError)
          throw Object.assign(unavailable('the archive cannot be written now', 60), { cause: error });
        throw error;
      }
    },
  };

  function fullPage(page: Page<number>) {
    return { ...page, items: page.items.map(views.tweetFull) };
  }

  function shortPage(page: Page<number>) {
    return { ...page, items: page.items.map(views.tweetShort) };
  }

  function requireTweet(id: string): void {
    if (archive.ordinal(id) === undefined) throw notFound(`tweet ${id}`);
  }

  function requireCommunity(id: string): void {
    if (!archive.communities.has(id)) throw notFound(`community ${id}`);
  }
}

/** Throws 404 for a user that no record of the archive names. */
function userOf(archive: Archive, ref: UserRef): UserIdentity {
  const user = archive.findUser(ref);
  if (user === undefined) throw notFound('username' in ref ? `user ${ref.username}` : `user with id ${ref.user_id}`);
  return user;
}

/** The list of a key; undefined if the key is undefined, as for a user whose id or username is unknown. */
const listFor = <List>(lists: { get(key: string): List | undefined }, key: string | undefined): List | undefined =>
  key === undefined ? undefined : lists.get(key);

/** A page of a timeline, newest first; `span` is [since, until) in milliseconds. */
function timelinePage(
  archive: Archive,
  timeline: TimelineReader | undefined,
  page: PageRequest,
  span: { since: number; until: number } = { since: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY },
): Page<number> {
  if (timeline === undefined) return { items: [], next: null };
  const after = page.after === undefined ? undefined : tweetPosition(page.after);
  const isBefore = (ordinal: number): boolean =>
    archive.createdAt(ordinal) < span.until && (after === undefined || archive.isOlder(ordinal, after.at, after.id));
  const candidates = timeline.upTo(archive.tweets.order, isBefore);
  const items: number[] = [];
  for (let index = candidates.length - 1; index >= 0; index--) {
    const ordinal = candidates[index]!;
    if (archive.createdAt(ordinal) < span.since) break;
    if (items.length === page.limit) {
      const last = items.at(-1)!;
      return { items, next: [archive.createdAt(last), String(archive.id(last))] };
    }
    items.push(ordinal);
  }
  return { items, next: null };
}

function tweetPosition(position: Position): { at: number; id: bigint } {
  const [at, id] = position;
  if (typeof at !== 'number' || typeof id !== 'string') throw badRequest("'cursor' belongs to another data source");
  return { at, id: BigInt(id) };
}

/** A page of a relation, newest first. Skips members without an item. */
function relationPage<Item>(
  relation: RelationReader | undefined,
  page: PageRequest,
  item: (member: Member) => Item | undefined,
): Page<Item> {
  if (relation === undefined) return { items: [], next: null };
  const [at, id] = page.after ?? [];
  if (page.after !== undefined && (typeof at !== 'number' || typeof id !== 'string'))
    throw badRequest("'cursor' belongs to another data source");
  const after = page.after === undefined ? undefined : { at: at as number, id: id as string };
  const items: Item[] = [];
  let last: Member | undefined;
  for (const member of relation.newestFirst(after)) {
    const next = item(member);
    if (next === undefined) continue;
    // Reads one item ahead to detect the last page.
    if (items.length === page.limit) return { items, next: [last!.at, last!.id] };
    items.push(next);
    last = member;
  }
  return { items, next: null };
}
