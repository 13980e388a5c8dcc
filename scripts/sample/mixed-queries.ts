/** The deterministic queries of the search benchmark: eight kinds, each in the syntax of this service and as structured parts. */
import { createRandom } from './random.ts';
import { firstMoment, japaneseWordOf, vocabulary, wordOf } from './many-tweets.ts';

export interface Query {
  readonly kind: string;
  /** The query in the syntax of this service. */
  readonly text: string;
  /** The tweet contains at least one word of each group. */
  readonly groups: readonly (readonly string[])[];
  /** Adjacent words; the groups contain them too. */
  readonly phrase?: readonly string[];
  /** The tweet contains none of these words. */
  readonly without: readonly string[];
  readonly author?: string;
  /** Created within [since, until), in milliseconds since the epoch. */
  readonly since?: number;
  readonly until?: number;
  readonly minLikes?: number;
}

export const kinds = [
  'rare word',
  'common word',
  'OR groups',
  'phrase',
  'from + dates',
  'min_faves',
  'CJK',
  'negation',
] as const;

/** `each` queries of each kind, for a number of tweets of writeTweets. */
export function createQueries(tweets: number, each: number): Query[] {
  const { integer } = createRandom(3);
  const word = (common: number, rare: number): string => wordOf(integer(common, rare));
  const words = (count: number, common: number, rare: number): string[] =>
    Array.from({ length: count }, () => word(common, rare));
  const create: Record<(typeof kinds)[number], () => Omit<Query, 'kind'>> = {
    'rare word': () => of([[word(20_000, vocabulary - 1)]]),
    'common word': () => of([[word(1, 20)]]),
    'OR groups': () => of([words(3, 50, 500), words(2, 20, 200)]),
    phrase: () => {
      const phrase = words(2, 3, 60);
      return { ...of(phrase.map((each) => [each])), text: `"${phrase.join(' ')}"`, phrase };
    },
    'from + dates': () => {
      const author = `user_${integer(0, Math.max(1, Math.floor(tweets / 20)) - 1)}`;
      const from = integer(0, Math.floor(tweets / 2));
      const [since, until] = [firstMoment + from * 1000, firstMoment + (from + Math.floor(tweets / 2)) * 1000];
      return {
        text: `from:${author} since_time:${since / 1000} until_time:${until / 1000}`,
        groups: [],
        without: [],
        author,
        since,
        until,
      };
    },
    min_faves: () => {
      const group = [word(1, 100)];
      const minLikes = integer(400, 495);
      return { ...of([group]), text: `${group[0]} min_faves:${minLikes}`, minLikes };
    },
    CJK: () => {
      const text = japaneseWordOf(integer(0, 200));
      return { ...of([...text].map((character) => [character])), text, phrase: [...text] };
    },
    negation: () => of([[word(1, 30)]], words(2, 3, 100)),
  };
  return kinds.flatMap((kind) => Array.from({ length: each }, () => ({ kind, ...create[kind]() })));
}

function of(groups: readonly (readonly string[])[], without: readonly string[] = []): Omit<Query, 'kind'> {
  const text = [...groups.map((group) => group.join(' OR ')), ...without.map((word) => `-${word}`)].join(' ');
  return { text, groups, without };
}
