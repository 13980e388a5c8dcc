/**
 * The tables of /docs/search. They derive from the tables of the parser, so the page lists exactly what the parser
 * supports.
 */
import {
  aliases,
  filters,
  hasOnly,
  operators,
  unsupported,
  zones,
  type Operator,
} from '../../../../search/language/operators.ts';
import { html, type Html } from '../html.ts';
import { row, table } from '../table.ts';
import { example } from './guide.ts';

/** Operators by group; an operator without a group comes last. */
const groups: Readonly<Record<string, readonly string[]>> = {
  People: ['from', 'to', 'list', 'retweets_of', 'quoted_user_id'],
  Time: ['since', 'until', 'since_time', 'until_time', 'within_time', 'since_id', 'max_id'],
  Counts: ['min_faves', 'min_retweets', 'min_replies'],
  Kinds: ['filter', 'exclude', 'include', 'is', 'has'],
  Threads: ['conversation_id', 'in_reply_to_tweet_id', 'quoted_tweet_id', 'retweets_of_tweet_id'],
  'Language and app': ['lang', 'source'],
  Place: ['near', 'within', 'geocode', 'point_radius', 'bounding_box', 'place', 'place_country'],
  'Links and previews': ['url', 'card_domain', 'card_url', 'card_name'],
};
const otherGroup = 'More';

const groupOf = ({ names: [name = ''] }: Operator): string =>
  Object.entries(groups).find(([, names]) => names.includes(name))?.[0] ?? otherGroup;

const code = (text: string): Html => html`<code>${text}</code>`;

function operatorRow({ names: [name = '', ...others], means, value, example: query }: Operator): Html {
  const aliased = others.map((other) => html` <span class="alias">or ${code(`${other}:`)}</span>`);
  const values = value.startsWith('one of ') ? html`see <a href="#filters">the filters</a>` : value;
  // The name is where links and the search over all pages lead.
  return row([html`<span id="operator-${name}">${code(`${name}:`)}</span>`, aliased], means, values, example(query));
}

export function operatorTable(): Html {
  const members = Map.groupBy(operators, groupOf);
  const bodies = [...Object.keys(groups), otherGroup]
    .filter((title) => members.has(title))
    .map(
      (title) => html`<tr class="group"><th colspan="4" scope="rowgroup">${title}</th></tr>
${members.get(title)!.map(operatorRow)}`,
    );
  return table(['Operator', 'Meaning', 'Value', 'Example'], bodies);
}

/** The notation of filters in the v2 API. */
function aliasesOf(filter: string): string[] {
  return Object.entries(aliases).flatMap(([key, values]) => {
    const own = Object.keys(values).filter((value) => values[value] === filter);
    return own.map((value) => `${key}:${value}`);
  });
}

export function filterTable(): Html {
  const rows = Object.entries(filters).map(([name, { means }]) => {
    const queries = [`filter:${name}`, ...aliasesOf(name)];
    return row(
      code(name),
      means,
      queries.map((query) => html`${example(query)} `),
    );
  });
  const others = Object.entries(hasOnly).map(([name, { means }]) => row(code(name), means, example(`has:${name}`)));
  return table(['Filter', 'Matches a tweet that', 'Notation'], [html`${rows}${others}`]);
}

export function refusedTable(): Html {
  const rows = Object.entries(unsupported).map(([name, needs]) => row(example(name, 'refused'), `it needs ${needs}`));
  return table(['Operator', 'Reason'], [html`${rows}`]);
}

/** A table of queries and their meaning. */
export const queryTable = (rows: readonly (readonly [query: string, means: Html])[]): Html =>
  table(['Query', 'Meaning'], [html`${rows.map(([query, means]) => row(example(query), means))}`]);

export const decisionTable = (rows: readonly (readonly [topic: string, here: Html, why: Html])[]): Html =>
  table(['Topic', 'Decision', 'Reason'], [html`${rows.map((cells) => row(...cells))}`]);

/** The time zones of a date, with their offset from UTC in hours. */
export function zoneList(): Html {
  const offset = (hours: number): string => (hours === 0 ? '' : `\u00a0${String(hours).replace('-', '−')}\u00a0h`);
  const named = Object.entries(zones).map(([name, hours]) => html`${code(name)}${offset(hours)}`);
  return html`${named.map((zone, index) => (index === 0 ? zone : [', ', zone]))}`;
}
