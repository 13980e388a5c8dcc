/** The fictitious people of the sample, their communities and their articles. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

export interface Person {
  username: string;
  name: string;
  location: string;
  /** The topics of the person's posts, the most frequent one first. */
  topics: [string, ...string[]];
  bio: string;
  /** 0 (a quiet account) to 5 (tens of thousands of followers). */
  fame: number;
  verified: boolean;
  blue: boolean;
}

interface Community {
  name: string;
  description: string;
  topic: string;
  policy: 'open' | 'restricted' | 'closed';
}

/** As people.yaml describes them. */
interface Described {
  readonly people: [
    username: string,
    name: string,
    location: string,
    topics: string,
    bio: string,
    fame: number,
    badges?: 'verified' | 'blue' | 'both',
  ][];
  readonly communities: Community[];
  readonly articles: { by: string; title: string; paragraphs: string[] }[];
}

const described = parse(readFileSync(new URL('people.yaml', import.meta.url), 'utf8')) as Described;

export const { communities, articles } = described;

export const people: Person[] = described.people.map(([username, name, location, topics, bio, fame, badges]) => ({
  username,
  name,
  location,
  topics: topics.split(' ') as Person['topics'],
  bio,
  fame,
  verified: badges === 'verified' || badges === 'both',
  blue: badges === 'blue' || badges === 'both',
}));

const byUsername = new Map(people.map((person) => [person.username, person]));

/** A person of the sample. Throws an Error for an unknown username. */
export function personNamed(username: string): Person {
  const person = byUsername.get(username);
  if (person === undefined) throw new Error(`the sample has no person ${username}`);
  return person;
}
