/** Accounts of Bluesky as profiles of the archive. */
import type { ArchivedUser } from '../../domain/records.ts';
import { count, fields, freeText, text, timestamp, withoutUndefined, type Fields } from '../recognised.ts';
import { isDid, isHandle, postUri } from '../../domain/at-uri.ts';
import { imageUrl, type BlobUrls } from './embeds.ts';
import { webUrl } from './facets.ts';
import { accountId } from './ids.ts';

/** What the mapping of a profile needs besides the profile. */
export interface ProfileContext {
  readonly blobUrls: BlobUrls;
  /** The id of a post by its at-uri. */
  idOf(uri: string): string;
}

/** A handle as a username. Accounts whose handle does not point back to them share the handle `handle.invalid`. */
function usernameOf(handle: unknown, id: string): string {
  const name = typeof handle === 'string' ? handle.toLowerCase() : '';
  return isHandle(name) && name !== 'handle.invalid' ? name : `${id.slice(0, 12)}.invalid`;
}

function pinned(post: unknown, { idOf }: ProfileContext): string[] {
  const uri = postUri(fields(post).uri);
  return uri === undefined ? [] : [idOf(uri)];
}

/** At most so many characters, without half of a surrogate pair at the end. */
const shortened = (value: string, length: number): string =>
  value.length <= length ? value : value.slice(0, length).toWellFormed();

/**
 * A profile view of the AppView; undefined for an unusable one. A view in lists and posts (`basic`) lacks the counts, the
 * description and the banner, so these stay as they are.
 */
export function userOfView(
  view: Fields,
  form: 'detailed' | 'basic',
  observedAt: number,
  context: ProfileContext,
): ArchivedUser | undefined {
  const { did } = view;
  if (!isDid(did)) return undefined;
  const id = accountId(did);
  const username = usernameOf(view.handle, id);
  const name = shortened(text(view.displayName) ?? username, 1000);
  const basic = {
    id,
    username,
    did,
    name,
    created_at: timestamp(view.createdAt),
    verified: fields(view.verification).verifiedStatus === 'valid',
    is_blue_verified: false,
    profile_image: webUrl(view.avatar) ?? '',
    observed_at: new Date(observedAt).toISOString(),
  };
  if (form === 'basic') return withoutUndefined(basic);
  return withoutUndefined({
    ...basic,
    description: shortened(freeText(view.description) ?? '', 10_000),
    followers_count: count(view.followersCount),
    following_count: count(view.followsCount),
    tweet_count: count(view.postsCount),
    profile_banner: webUrl(view.banner) ?? '',
    pinned_tweet_ids: pinned(view.pinnedPost, context),
  });
}

/** The state of a profile after its record changed. The record has neither the handle nor the counts. */
export function userOfRecord(
  record: Fields,
  current: ArchivedUser,
  observedAt: number,
  context: ProfileContext,
): ArchivedUser {
  const { id, username, did = '' } = current;
  return {
    id,
    username,
    did,
    name: shortened(text(record.displayName) ?? username, 1000),
    description: shortened(freeText(record.description) ?? '', 10_000),
    profile_image: imageUrl(context.blobUrls, 'avatar', did, record.avatar) ?? '',
    profile_banner: imageUrl(context.blobUrls, 'banner', did, record.banner) ?? '',
    pinned_tweet_ids: pinned(record.pinnedPost, context),
    observed_at: new Date(observedAt).toISOString(),
  };
}
