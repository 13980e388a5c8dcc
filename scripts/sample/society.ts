/** The social graph of the sample: profiles, follows and community members. */
import type { ArchiveRecord, ArchivedTweet, ArchivedUser } from '../../server/domain/records.ts';
import { communities, people, type Person } from './people.ts';
import type { Random } from './random.ts';
import { topicNamed } from './topics.ts';

const epoch = Date.parse('2012-01-01T00:00:00Z');
const images: Record<string, string> = { mira_codes: 'mira', tom_sails: 'tom' };

/** The user ids by username, from 4200000001 on. */
const userIds = new Map(people.map(({ username }, index) => [username, String(4200000001 + index)]));

/** The id of a person of the sample. Throws an Error for an unknown username. */
export function userIdOf(username: string): string {
  const id = userIds.get(username);
  if (id === undefined) throw new Error(`the sample has no person ${username}`);
  return id;
}

/** The id of a community by its index, from 1700000000000000001 on. */
export const communityId = (index: number): string => String(1700000000000000001n + BigInt(index));

/** Draws people; fame and a common interest with `near` raise the probability. */
export function drawPeople(random: Random, from: readonly Person[], count: number, near?: Person): Person[] {
  const weight = (person: Person): number =>
    (1 + person.fame ** 2) * (near !== undefined && person.topics.some((topic) => near.topics.includes(topic)) ? 6 : 1);
  // Weighted sampling without replacement: Efraimidis and Spirakis (2006).
  return from
    .map((person) => ({ person, key: random.next() ** (1 / weight(person)) }))
    .sort((a, b) => b.key - a.key)
    .slice(0, count)
    .map(({ person }) => person);
}

/** The people who read a topic, without the author: everyone for English, otherwise people with the same topic. */
export const readersOf = (topic: string, author: Person): Person[] =>
  people.filter((person) => person !== author && (topicNamed(topic).lang === 'en' || person.topics.includes(topic)));

/** The follow records, grouped by follower. */
export function follows(random: Random, from: number, until: number): Extract<ArchiveRecord, { kind: 'follow' }>[] {
  return people.flatMap((person) => {
    const others = people.filter((other) => other !== person);
    const count = person.username === 'mira_codes' ? 34 : random.integer(8, 30);
    return drawPeople(random, others, count, person).map((followed) => ({
      kind: 'follow' as const,
      follower_id: userIdOf(person.username),
      following_id: userIdOf(followed.username),
      created_at: new Date(random.integer(from, until)).toISOString(),
    }));
  });
}

/** Community and membership records; the first member by interest is the admin, the next are moderators. */
export function communityRecords(random: Random, from: number, until: number): ArchiveRecord[] {
  return communities.flatMap(({ name, description, topic, policy }, index): ArchiveRecord[] => {
    const withInterest = (interest: number): Person[] => people.filter((person) => person.topics[interest] === topic);
    const members = [
      ...new Set([
        ...withInterest(0),
        ...withInterest(1),
        ...withInterest(2),
        ...drawPeople(random, people, random.integer(4, 9)),
      ]),
    ];
    const moderators = Math.max(1, Math.floor(members.length / 8));
    const mira = members.findIndex(({ username }) => username === 'mira_codes');
    const role = (at: number): 'admin' | 'moderator' | 'member' => {
      if (index === 0 && at === mira) return 'moderator';
      return at === 0 ? 'admin' : at <= moderators ? 'moderator' : 'member';
    };
    return [
      {
        kind: 'community',
        community: {
          id: communityId(index),
          name,
          description,
          member_count: index === 0 ? 421 : members.length + Math.floor(random.pareto(0.7) * 40),
          moderator_count: index === 0 ? 3 : members.filter((_, at) => role(at) !== 'member').length,
          join_policy: policy,
        },
      },
      ...members.map((person, at) => ({
        kind: 'membership' as const,
        community_id: communityId(index),
        user_id: userIdOf(person.username),
        role: role(at),
        created_at: new Date(random.integer(from, until)).toISOString(),
      })),
    ];
  });
}

/** The profile of each person; a count is at least the number of records in the sample. */
export function profiles(
  random: Random,
  tweets: readonly ArchivedTweet[],
  graph: readonly { follower_id: string; following_id: string }[],
): ArchivedUser[] {
  return people.map((person) => {
    const id = userIdOf(person.username);
    const own = tweets.filter((tweet) => tweet.author_id === id);
    const pinnable = own.filter(
      (tweet) => tweet.retweeted_tweet_id === undefined && tweet.in_reply_to_id === undefined,
    );
    const best = pinnable.reduce<ArchivedTweet | undefined>(
      (a, b) => (a !== undefined && (a.like_count ?? 0) >= (b.like_count ?? 0) ? a : b),
      undefined,
    );
    const followers = graph.filter(({ following_id }) => following_id === id).length;
    const following = graph.filter(({ follower_id }) => follower_id === id).length;
    const image = images[person.username] ?? person.username;
    const profile: ArchivedUser = {
      id,
      username: person.username,
      name: person.name,
      description: person.bio,
      location: person.location,
      created_at: new Date(random.integer(epoch, Date.parse('2025-06-01T00:00:00Z'))).toISOString(),
      followers_count: followers + Math.floor(random.pareto(1.4) * 30 * 4 ** person.fame),
      following_count: following + random.integer(20, 600),
      tweet_count: own.length + random.integer(60, 900) * (1 + person.fame * 3),
      like_count: random.integer(100, 20_000),
      media_count: own.filter(({ media }) => media !== undefined).length + random.integer(10, 400),
      verified: person.verified,
      is_blue_verified: person.blue,
      profile_image: `https://images.example/${image}.png`,
      profile_banner: random.chance(0.7) ? `https://images.example/${image}-banner.jpg` : '',
      pinned_tweet_ids: best !== undefined && random.chance(0.5) ? [best.id] : [],
    };
    return { ...profile, ...exampleProfiles[person.username] };
  });
}

/** The profile data of the people in the examples of the contract. */
const exampleProfiles: Record<string, Partial<ArchivedUser>> = {
  mira_codes: { followers_count: 1840, pinned_tweet_ids: ['1890000000000000001'] },
  tom_sails: {
    created_at: '2019-05-01T09:00:00.000Z',
    followers_count: 212,
    following_count: 180,
    tweet_count: 940,
    like_count: 2210,
    media_count: 61,
    profile_banner: '',
    pinned_tweet_ids: ['1890000000000000009'],
  },
};
