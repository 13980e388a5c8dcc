import type { Handler } from '../contract/operations.ts';
import { absolute, clean } from './feed/feed-text.ts';
import { authorOf, entryOf, feedAddress, tagUri, updatedOf } from './feed/feed.ts';
import { createFeedWriter } from './feed/feed-reply.ts';
import type { Parts } from './parts.ts';
import { userRef } from './user-ref.ts';

/** The newest tweets of a user as a feed. */
export const getUserFeed = ({ platform }: Parts): Handler<'getUserFeed'> => {
  const write = createFeedWriter();
  return async (call) => {
    const { query, origin } = call;
    const { format, limit, include_replies: replies } = query;
    const user = userRef(query);
    const { user: profile } = await platform.userInfo(user, call);
    const { items } = await platform.lastTweets(user, replies === '1', { after: undefined, limit }, call);
    const entries = items.map((tweet) => entryOf(tweet, origin));
    const author = authorOf(profile, origin);
    return write(
      {
        id: tagUri(`user/${profile.id}${replies === '1' ? '/replies' : ''}`),
        title: author.name,
        subtitle: clean(profile.description).trim() || undefined,
        self: feedAddress(origin, '/feeds/user', query),
        page: author.url ?? `${origin}/`,
        picture: absolute(profile.profile_image, origin),
        author,
        updated: updatedOf(entries, profile.created_at),
        entries,
      },
      format,
    );
  };
};
