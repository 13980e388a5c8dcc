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
export async function tweetIdAt(run: RunSql, address: PostAddress): Promise<string> {
  const { ids, uriOf } = await readAddresses(run, [address]);
  const id = ids.get(address);
  if (id === undefined) throw notFound(`tweet ${uriOf(address)}`);
  return id;
}

/** The ids of the tweets at these addresses, without those where there is none. */
export const tweetIdsAt = async (
  run: RunSql,
  addresses: readonly PostAddress[],
): Promise<ReadonlyMap<PostAddress, string>> => (await readAddresses(run, addresses)).ids;

async function readAddresses(
  run: RunSql,
  given: readonly PostAddress[],
): Promise<{ readonly ids: ReadonlyMap<PostAddress, string>; readonly uriOf: (address: PostAddress) => string }> {
  const records = new LoadedRecords(run);
  await records.readNames(given.flatMap(({ repository }) => (isDid(repository) ? [] : [repository])));
  const didOf = ({ repository }: PostAddress): string | undefined =>
    isDid(repository) ? repository : records.userByName(repository)?.did;
  const uriOf = (address: PostAddress): string =>
    atUri({ did: didOf(address) ?? address.repository, collection: collections.post, rkey: address.rkey });
  const stored = await addressesOf(run, [...new Set(given.flatMap((address) => possibleIds(uriOf(address))))]);
  const ids = new Map<PostAddress, string>();
  for (const address of given) {
    const uri = uriOf(address);
    const id = postId(uri, (each) => stored.get(each)?.uri);
    const found = stored.get(id);
    if (didOf(address) !== undefined && found?.isThere === true && found.uri === uri) ids.set(address, id);
  }
  return { ids, uriOf };
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
