/**
 * A condition in which every part concerns the tweet itself. The conditions that name users, places and lists are resolved to
 * their ids first, because these tables are small and a query with constants has a better plan than a join.
 */
import { boxOf, areaContainsBox, centreOf, type Area, type Box } from '../../domain/geo.ts';
import { exactPoint, type Condition, type Count } from '../../search/language/condition.ts';

export type ResolvedCondition =
  | { readonly is: 'all' | 'any'; readonly parts: readonly ResolvedCondition[] }
  | { readonly is: 'not'; readonly part: ResolvedCondition }
  /** Tokens in sequence in a text or a link, or only in a link. */
  | { readonly is: 'words'; readonly within: 'text' | 'link'; readonly tokens: readonly string[] }
  | { readonly is: 'term'; readonly term: string }
  /** One of the terms `prefix` + id. */
  | { readonly is: 'ids'; readonly prefix: string; readonly ids: readonly string[] }
  /** The exact point of the tweet is in the area. */
  | { readonly is: 'point'; readonly area: Area }
  | { readonly is: 'verified' | 'blue_verified' }
  | { readonly is: 'count'; readonly count: Count; readonly min: number }
  /** Created within [since, until), in milliseconds since the epoch. */
  | { readonly is: 'created'; readonly since: number; readonly until: number }
  /** Ids in the range (above, upTo]. */
  | { readonly is: 'id range'; readonly above: bigint; readonly upTo: bigint };

/** Look-ups of users, places and lists. */
export interface SearchContext {
  /** The ids of the users whose display name or username has the tokens in sequence. */
  usersNamed(tokens: readonly string[]): Promise<readonly string[]>;
  /** The ids of the users with a username in lower case. */
  usersWithUsername(username: string): Promise<readonly string[]>;
  /** The ids of the members of the lists that have a term such as `list:801` or `list:esa/astronauts`. */
  listMembers(term: string): Promise<readonly string[]>;
  /** The ids and boxes of the places that have a term such as `near:cape town` or `place_country:za`. */
  placesWithTerm(term: string): Promise<readonly PlaceBox[]>;
  /** The places whose box can lie in the area; others may be among them. */
  placesNear(area: Area): Promise<readonly PlaceBox[]>;
}

export interface PlaceBox {
  readonly id: string;
  readonly box: Box | undefined;
}

const terms = (prefix: string, ids: readonly string[]): ResolvedCondition => ({ is: 'ids', prefix, ids });
const all = (parts: readonly ResolvedCondition[]): ResolvedCondition => ({ is: 'all', parts });
const any = (parts: readonly ResolvedCondition[]): ResolvedCondition => ({ is: 'any', parts });
const withPoint: ResolvedCondition = { is: 'term', term: exactPoint };
const withoutPoint: ResolvedCondition = { is: 'not', part: withPoint };
const personPrefixes = { author: 'from:', retweeted: 'retweets_of:', answered: 'answers:' } as const;

/** Resolves a condition. `now` is in milliseconds since the epoch. Rejects when a look-up fails. */
export async function resolveCondition(
  condition: Condition,
  context: SearchContext,
  now: number,
): Promise<ResolvedCondition> {
  switch (condition.is) {
    case 'all':
    case 'any': {
      const parts = condition.parts.map((part) => resolveCondition(part, context, now));
      return { is: condition.is, parts: await Promise.all(parts) };
    }
    case 'not':
      return { is: 'not', part: await resolveCondition(condition.part, context, now) };
    case 'words': {
      if (condition.within === 'link') return condition;
      return any([condition, terms('from:', await context.usersNamed(condition.tokens))]);
    }
    case 'term':
      return resolveTerm(condition.term, context);
    case 'person': {
      const ids = new Set([condition.name, ...(await context.usersWithUsername(condition.name))]);
      return terms(personPrefixes[condition.role], [...ids]);
    }
    case 'recent':
      return { is: 'created', since: now - condition.ms + 1, until: Number.POSITIVE_INFINITY };
    case 'area':
      return inArea(condition.area, context);
    case 'near':
      return near(condition.term, condition.metres, context);
    case 'ids':
      return { is: 'id range', above: condition.above, upTo: condition.upTo };
    default:
      return condition;
  }
}

async function resolveTerm(term: string, context: SearchContext): Promise<ResolvedCondition> {
  if (term.startsWith('list:')) return terms('from:', await context.listMembers(term));
  if (!/^(near|place_country):/.test(term)) return { is: 'term', term };
  const places = await context.placesWithTerm(term);
  return any([
    { is: 'term', term },
    terms(
      'place:',
      places.map(({ id }) => id),
    ),
  ]);
}

/** Tweets with an exact point in the area, and tweets without one whose place lies in the area. */
async function inArea(area: Area, context: SearchContext): Promise<ResolvedCondition> {
  const places = (await context.placesNear(area)).filter(({ box }) => box !== undefined && areaContainsBox(area, box));
  const ids = places.map(({ id }) => id);
  // The index of words finds the tweets with a point, which are few.
  return any([all([withPoint, { is: 'point', area }]), all([terms('place:', ids), withoutPoint])]);
}

/** Tweets near the centre of a place that has the term, and tweets without an exact point whose place has the term. */
async function near(term: string, metres: number, context: SearchContext): Promise<ResolvedCondition> {
  const centres = (await context.placesWithTerm(term)).flatMap(({ box }) => (box === undefined ? [] : centreOf(box)));
  const areas = centres.map((centre) => inArea({ shape: 'circle', centre, metres }, context));
  return any([...(await Promise.all(areas)), all([await resolveTerm(term, context), withoutPoint])]);
}

/** The box of a place from its four columns; undefined without one. */
export const placeBox = (columns: readonly (number | null)[]): Box | undefined => {
  const [west, south, east, north] = columns;
  return west == null || south == null || east == null || north == null ? undefined : boxOf([west, south, east, north]);
};
