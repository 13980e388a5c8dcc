/** What an archive holds, for code that must read it before it looks it up: as an archive in a database requires. */
import type { HeldKeys, HeldPart, HeldRecords } from '../../server/ports/held-records.ts';

/** Records whose look-ups throw for every id that was not read. */
export function strictHeld(held: HeldRecords): HeldRecords {
  return {
    followings: (userId) => held.followings(userId),
    tweetsOf: (userId) => held.tweetsOf(userId),
    read: async (keys) => strictPart(await held.read(keys), keys),
  };
}

function strictPart(part: HeldPart, keys: HeldKeys): HeldPart {
  const [tweets, users] = [new Set(keys.tweets), new Set(keys.users)];
  const read = (ids: ReadonlySet<string>, id: string): string => {
    if (!ids.has(id)) throw new RangeError(`${id} was not read`);
    return id;
  };
  return {
    tweet: (id) => part.tweet(read(tweets, id)),
    isRemoved: (id) => part.isRemoved(read(tweets, id)),
    addressOf: (id) => part.addressOf(read(tweets, id)),
    profile: (id) => part.profile(read(users, id)),
    isWithdrawn: (id) => part.isWithdrawn(read(users, id)),
    hasTweets: (id) => part.hasTweets(read(users, id)),
  };
}
