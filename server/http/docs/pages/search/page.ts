/** The page /docs/search. */
import { maxNesting, maxTerms } from '../../../../search/language/parse.ts';
import { operationMetadata, type OpenApiDocument } from '../../../../contract/openapi.ts';
import { html, type Html } from '../html.ts';
import { keyField } from '../key-field.ts';
import type { Page } from '../page.ts';
import { dates, decisions, example, rules } from './guide.ts';
import { decisionTable, filterTable, operatorTable, queryTable, refusedTable, zoneList } from './tables.ts';

/** Creates the page. Throws when the contract does not limit the length of queries. */
export function searchPage(document: OpenApiDocument): Page {
  const mostCharacters = operationMetadata(document).searchTweets.parameters.get('query')?.schema.maxLength;
  if (mostCharacters === undefined) throw new Error("the contract sets no maxLength for the 'query' of searchTweets");
  return {
    name: 'search',
    styles: ['theme', 'guide'],
    runs: true,
    root: '../',
    title: 'Search',
    lead: html`The query language of <code>GET /social/tweet/advanced_search</code>: the advanced search of the platform, with the
names of its v2 API as aliases. Type a query to see how it is read, and run it.`,
    skip: { to: 'rules', words: 'Skip to the language' },
    main: main(mostCharacters),
  };
}

const trySection = (mostCharacters: number): Html => html`<section aria-label="Try a query">
<form id="try" autocomplete="off">
<label for="query">Query</label>
<div class="box">
<div id="mirror" aria-hidden="true"></div>
<textarea id="query" name="query" rows="1" spellcheck="false" autocapitalize="off" autocorrect="off" enterkeyhint="search"
placeholder="coffee OR espresso -decaf" data-most="${mostCharacters}" aria-describedby="verdict"></textarea>
</div>
<div class="controls">
<fieldset>
<legend>Order</legend>
<label><input type="radio" name="query_type" id="latest" checked> Latest</label>
<label><input type="radio" name="query_type" id="top"> Top</label>
</fieldset>
${keyField.box}
<button type="submit" class="run primary">Run</button>
</div>
<p class="hint">${keyField.help} <span id="counter"></span></p>
<noscript><p>Without scripts the box does nothing; all the rest of the page is here.</p></noscript>
</form>
<div class="outcome">
<section aria-labelledby="read-title">
<h2 id="read-title">How it is read</h2>
<p id="verdict" aria-live="polite"></p>
<div id="reading"></div>
</section>
<section aria-labelledby="found-title">
<h2 id="found-title">What it finds</h2>
<p id="status" role="status">Nothing asked yet: press Run, or Enter in the box.</p>
<p id="outdated" role="status" hidden>The query has changed since.</p>
<ol id="results"></ol>
<button type="button" id="more" hidden>Next page</button>
<details id="as-command"><summary>The request as a command</summary>
<pre id="command" tabindex="0"></pre>
<button type="button" id="copy">Copy</button>
</details>
</section>
</div>
</section>`;

const languageSections = (): Html => html`<section id="rules">
<h2>Words, phrases and how they combine</h2>
<p>Every example can be clicked: it goes into the box above.</p>
${queryTable(rules)}
</section>

<section id="operators">
<h2>Operators</h2>
<p>Written <code>name:value</code>, without blanks around the colon; a value with blanks goes in quotes. Upper and lower case
are the same. A name that is no operator, nor one edit away from one, is searched as words.</p>
${operatorTable()}
</section>

<section id="filters">
<h2>Filters</h2>
<p>The values of <code>filter:</code>. <code>exclude:x</code> is <code>-filter:x</code>.</p>
${filterTable()}
</section>

<section id="dates">
<h2>Dates and times</h2>
${queryTable(dates)}
<p>Zones: ${zoneList()}. Anything else is refused.</p>
</section>`;

const boundSections = (mostCharacters: number): Html => html`<section id="order">
<h2>Order, and native retweets</h2>
<p><strong>Latest</strong> is newest first; of the same moment, the larger id first. <strong>Top</strong> is by engagement:
likes + 2 × retweets + 2 × quotes + replies, ties newest first. Engagement is taken as it was when the first page was asked for,
so that pages neither repeat nor lose a tweet while counts change.</p>
<p><strong>Native retweets</strong> repeat another tweet under another author. They are left out unless the query asks for them:
${example('include:nativeretweets from:mira_codes')} lets them in, ${example('filter:nativeretweets')}, ${example('is:retweet')}
and ${example('retweets_of:mira_codes')} find only them.</p>
</section>

<section id="limits">
<h2>Limits</h2>
<p>A query has at most <strong>${mostCharacters}</strong> characters, <strong>${maxTerms}</strong> terms, and parentheses
nested <strong>${maxNesting}</strong> deep. What goes beyond is refused with 400, as is everything that cannot be read: the
message says what is wrong, where (from 0, in UTF-16 code units), and what was expected. ${example('filter:vidoes', 'refused')},
${example('coffee OR', 'refused')} and ${example('since:2026-02-30', 'refused')} show it.</p>
</section>

<section id="refused">
<h2>What is refused</h2>
<p>These need what no source of an archive carries. They are refused by name rather than ignored.</p>
${refusedTable()}
</section>

<section id="decisions">
<h2>Where others differ, and what holds here</h2>
${decisionTable(decisions)}
</section>`;

const main = (mostCharacters: number): Html => html`${trySection(mostCharacters)}

${languageSections()}

${boundSections(mostCharacters)}`;
