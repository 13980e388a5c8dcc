/** The page /docs/search. */
import { maxNesting, maxTerms } from '../../../../search/language/parse.ts';
import { operationMetadata, type OpenApiDocument } from '../../../../contract/openapi.ts';
import { html, type Html } from '../html.ts';
import type { Page } from '../page.ts';
import { dates, decisions, example, rules } from './guide.ts';
import { decisionTable, filterTable, operatorTable, queryTable, refusedTable, zoneList } from './tables.ts';

/** Creates the page. Throws when the contract does not limit the length of queries. */
export function searchPage(document: OpenApiDocument): Page {
  const maxCharacters = operationMetadata(document).searchTweets.parameters.get('query')?.schema.maxLength;
  if (maxCharacters === undefined) throw new Error("the contract sets no maxLength for the 'query' of searchTweets");
  return {
    name: 'search',
    place: 'search',
    ...{ styles: ['query', 'search'], app: 'search' },
    title: 'Queries',
    lead: html`The query language of <code>GET /social/tweet/advanced_search</code>: the advanced search of the platform, with the
names of its v2 API as aliases.<span data-interactive> Type a query to see how the service parses it, then run it.</span>`,
    skip: { to: 'rules', words: 'Skip to the language' },
    main: main(maxCharacters),
  };
}

/** The parts of the page, by id. */
const sections = {
  try: 'Try a query',
  rules: 'Words, phrases and operators',
  operators: 'Operators',
  filters: 'Filters',
  dates: 'Dates and times',
  order: 'Order and native retweets',
  limits: 'Limits',
  refused: 'Unsupported operators',
  decisions: 'Design decisions',
} as const;

const contents = (): Html =>
  html`<nav class="contents" aria-label="On this page">${Object.entries(sections).map(
    ([id, title]) => html`<a href="#${id}">${title}</a> `,
  )}</nav>`;

const trySection = (
  maxCharacters: number,
): Html => html`<section id="try" aria-label="${sections.try}" data-interactive>
<div id="app" data-most="${maxCharacters}"><noscript><p>The query box needs JavaScript. The rest of the page does not.</p></noscript></div>
</section>`;

const languageSections = (): Html => html`<section id="rules">
<h2>${sections.rules}</h2>
<p data-interactive>Click an example to put it into the box above.</p>
${queryTable(rules)}
</section>

<section id="operators">
<h2>${sections.operators}</h2>
<p>The form is <code>name:value</code>, without spaces around the colon. Put a value with spaces in quotes. Case does not
matter. A name that is not similar to an operator is searched as words.</p>
${operatorTable()}
</section>

<section id="filters">
<h2>${sections.filters}</h2>
<p>The values of <code>filter:</code>. <code>exclude:x</code> is <code>-filter:x</code>.</p>
${filterTable()}
</section>

<section id="dates">
<h2>${sections.dates}</h2>
${queryTable(dates)}
<p>Time zones: ${zoneList()}. Or an offset, such as <code>_+05:30</code>. Any other zone is an
error.</p>
</section>`;

const boundSections = (maxCharacters: number): Html => html`<section id="order">
<h2>${sections.order}</h2>
<p><strong>Latest</strong> sorts by time, newest first, then by id, largest first. <strong>Top</strong> sorts by engagement:
likes + 2 × retweets + 2 × quotes + replies, then newest first. All pages use the engagement at the time of the first page, so
pages neither repeat nor skip a tweet while counts change.</p>
<p><strong>Native retweets</strong> repeat the tweet of another author. Results do not contain them by default.
${example('include:nativeretweets from:mira_codes')} includes them. ${example('filter:nativeretweets')}, ${example('is:retweet')}
and ${example('retweets_of:mira_codes')} find only native retweets.</p>
</section>

<section id="limits">
<h2>${sections.limits}</h2>
<p>A query has at most <strong>${maxCharacters}</strong> characters, <strong>${maxTerms}</strong> terms, and parentheses
nested <strong>${maxNesting}</strong> deep. Beyond a limit, and after a syntax error, the response is 400. The message names the
error, its position (from 0, in UTF-16 code units), and the expected value. Examples: ${example('filter:vidoes', 'refused')},
${example('coffee OR', 'refused')} and ${example('since:2026-02-30', 'refused')}.</p>
</section>

<section id="refused">
<h2>${sections.refused}</h2>
<p>These operators need data that an archive does not contain. The response is 400; the service never ignores an operator.</p>
${refusedTable()}
</section>

<section id="decisions">
<h2>${sections.decisions}</h2>
${decisionTable(decisions)}
</section>`;

const main = (maxCharacters: number): Html => html`${contents()}

${trySection(maxCharacters)}

${languageSections()}

${boundSections(maxCharacters)}`;
