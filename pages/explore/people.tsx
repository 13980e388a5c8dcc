/** The people that a search may mean: those whose username it has, and authors of its results with this name. */
import {
  Avatar,
  UserName,
  client,
  compact,
  userHref,
  useLoaded,
  type AnyTweet,
  type Loaded,
  type VNode,
} from '../kit/index.ts';
import { isUsername } from '../../server/text/username.ts';

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly username: string;
  readonly profile_image: string;
  readonly followers_count: number;
  readonly verified?: boolean;
}

/** At most this many are shown, and this many usernames are looked up with one request. */
const [maxShown, maxLookedUp] = [4, 8];
/** A reader does not wait longer for them, in milliseconds. */
const patienceMs = 1_500;

interface Names {
  /** What can be a username. */
  readonly usernames: readonly string[];
  /** The words that a name must contain, in lower case; empty for a search that has operators only. */
  readonly words: readonly string[];
}

const operator = /^-?[a-z_]+:/i;

/** What in a query names people. */
export function namesIn(query: string): Names {
  const parts = query.split(/[\s()"]+/u).filter((part) => part !== '' && !part.startsWith('-'));
  const named = parts.flatMap((part) => /^(?:(?:from|to|bluesky):@?|@)(.+)$/i.exec(part)?.[1] ?? []);
  const words = parts.filter((part) => !operator.test(part) && !/^(?:OR|AND|[#$@*].*)$/.test(part));
  const hasOr = parts.includes('OR');
  const joined = words.length === 2 && !hasOr ? [words.join('_'), words.join('')] : [];
  const usernames = new Set([...named, ...words, ...joined].map((each) => each.toLowerCase()).filter(isUsername));
  return {
    usernames: [...usernames].slice(0, maxLookedUp),
    words: hasOr ? [] : words.map((word) => word.toLocaleLowerCase()),
  };
}

/** The users with the usernames that the query has. */
export const useNamed = (query: string): Loaded<readonly Person[]> =>
  useLoaded(`people ${query}`, async (signal) => {
    const { usernames } = namesIn(query);
    if (usernames.length === 0) return [];
    const limit = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
    return (await client.users.getUsers({ usernames }, { signal: limit })).users;
  });

/** The people of a search: those with the username first. */
export function peopleOf(query: string, named: readonly Person[], tweets: readonly AnyTweet[]): readonly Person[] {
  const { words } = namesIn(query);
  const authors = tweets
    .map(({ author }) => author)
    .filter(({ name, username }) => {
      const text = `${name} ${username}`.toLocaleLowerCase();
      return username !== '' && words.length > 0 && words.every((word) => text.includes(word));
    });
  const byUsername = new Map([...authors, ...named].map((each) => [each.username.toLowerCase(), each]));
  const order = [...new Set([...named, ...authors].map(({ username }) => username.toLowerCase()))];
  return order.flatMap((username) => byUsername.get(username) ?? []).slice(0, maxShown);
}

export const People = ({ people }: { people: readonly Person[] }): VNode | null =>
  people.length === 0 ? null : (
    <section aria-labelledby="people-title">
      <h2 class="section-title" id="people-title">
        People
      </h2>
      <ul class="people">
        {people.map((person) => (
          <li key={person.id} class="by person">
            <Avatar user={person} />
            <div>
              <UserName user={person} />
              <p class="facts">
                <a href={`${userHref(person.username)}?tab=Followers`}>
                  <b>{compact(person.followers_count)}</b> {person.followers_count === 1 ? 'follower' : 'followers'}
                </a>
              </p>
            </div>
          </li>
        ))}
      </ul>
      <h2 class="section-title">Tweets</h2>
    </section>
  );
