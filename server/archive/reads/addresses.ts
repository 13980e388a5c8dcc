/** Tweets by their addresses on Bluesky. */
import { notFound } from '../../contract/service-error.ts';
import { atUri, collections, isDid } from '../../domain/at-uri.ts';
import type { ArchivedTweet } from '../../domain/records.ts';
import { possibleIds, postId } from '../../domain/tid.ts';
import type { Tombstone } from '../../domain/tombstone.ts';
import { among, sql, type Integer, type RunSql } from '../sql.ts';
import type { PostAddress } from '../../domain/post-address.ts';
import { fromDatabaseId, idsOf } from '../content/database-id.ts';
import { LoadedRecords } from './loaded-records.ts';

/** The id of the tweet at an address. Rejects with ServiceError 404 where there is none. */
export async function tweetIdAt(run: RunSql, { repository, rkey }: PostAddress): Promise<string> {
  const did = isDid(repository) ? repository : await didOf(run, repository);
  const uri = atUri({ did: did ?? repository, collection: collections.post, rkey });
  const addresses = await addressesOf(run, possibleIds(uri));
  const id = postId(uri, (each) => addresses.get(each)?.uri);
  const found = addresses.get(id);
  if (did === undefined || found?.isThere !== true || found.uri !== uri) throw notFound(`tweet ${uri}`);
  return id;
}

async function didOf(run: RunSql, username: string): Promise<string | undefined> {
  const records = new LoadedRecords(run);
  await records.readNames([username]);
  return records.userByName(username)?.did;
}

interface Address {
  /** The address of the tweet that has an id or had it; an empty text for a tweet without an address. */
  readonly uri: string;
  readonly isThere: boolean;
}

async function addressesOf(run: RunSql, ids: readonly string[]): Promise<Map<string, Address>> {
  const isGiven = among('id', idsOf(ids));
  const rows = await run<{ id: Integer; document: string; is_there: boolean | number }>(
    sql`SELECT id, document, false AS is_there FROM social_data.tombstone WHERE ${isGiven}
      UNION ALL SELECT id, document, true FROM social_data.tweet WHERE ${isGiven}`,
  );
  const addresses = new Map<string, Address>();
  for (const { id: stored, document, is_there } of rows) {
    const isThere = Boolean(is_there);
    const { uri = '' } = JSON.parse(document) as Pick<ArchivedTweet | Tombstone, 'uri'>;
    const id = fromDatabaseId(stored);
    if (isThere || !addresses.has(id)) addresses.set(id, { uri, isThere });
  }
  return addresses;
}
