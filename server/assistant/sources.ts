/** Citations: the web pages that an answer is based on. */
import type { Schemas } from '../contract/operations.ts';
import { plain, shortened } from './plain-text.ts';
import type { Subject } from '../ports/assistant-provider.ts';

type Citation = Schemas['Citation'];
type Tweet = Schemas['Tweet'];

/**
 * Limits of a citation in UTF-16 units. A longer URL makes the citation invalid; longer titles and snippets are cut.
 */
const maxUrlLength = 2048;
const maxTitleLength = 300;
const maxSnippetLength = 500;

/** A citation of a page; undefined if the URL is not http or https, or has credentials. */
export function citation(url: unknown, title?: unknown, snippet?: unknown): Citation | undefined {
  if (typeof url !== 'string' || url.length > maxUrlLength || !URL.canParse(url)) return undefined;
  const { protocol, hostname, username, password, href } = new URL(url);
  if (!/^https?:$/.test(protocol) || username !== '' || password !== '') return undefined;
  return {
    url: href,
    title: words(title, maxTitleLength),
    domain: hostname.replace(/^www\./, ''),
    snippet: words(snippet, maxSnippetLength),
  };
}

/**
 * One citation for each page, in order, at most `limit`. A later citation supplies the missing title or snippet of an
 * earlier one.
 */
export function distinct(citations: Iterable<Citation>, limit = 50): Citation[] {
  const byUrl = new Map<string, Citation>();
  for (const each of citations) {
    const existing = byUrl.get(each.url);
    if (existing !== undefined)
      byUrl.set(each.url, {
        ...existing,
        title: existing.title ?? each.title,
        snippet: existing.snippet ?? each.snippet,
      });
    else if (byUrl.size < limit) byUrl.set(each.url, each);
  }
  return [...byUrl.values()];
}

/** The pages that a post links to, followed by those of its quoted and retweeted posts and of its thread. */
export function sourcesOf({ tweet, thread }: Pick<Subject, 'tweet' | 'thread'>): Citation[] {
  return distinct(
    [tweet, tweet.quoted_tweet, tweet.retweeted_tweet, ...thread.toReversed()].flatMap((each) =>
      each === null ? [] : linksOf(each),
    ),
  );
}

function linksOf(tweet: Tweet): Citation[] {
  const { card } = tweet;
  const links = tweet.entities.urls.map(({ url, display_url }) => {
    const same = card !== undefined && (card.url === url || card.url === withScheme(display_url));
    const cited = same ? undefined : citation(withScheme(url));
    // A shortened URL does not show its target, but its display text does.
    const shown = cited?.domain === 't.co' ? citation(withScheme(display_url)) : undefined;
    return cited && shown ? { ...cited, domain: shown.domain } : cited;
  });
  return [card === undefined ? undefined : citation(card.url, card.title, card.description), ...links].filter(
    (each) => each !== undefined,
  );
}

/** A text may name a page without its scheme. */
const withScheme = (url: string): string => (/^[a-z][a-z\d+.-]*:/i.test(url) ? url : `https://${url}`);

function words(value: unknown, limit: number): string | null {
  const text = typeof value === 'string' ? shortened(plain(value.slice(0, limit * 4)), limit) : '';
  return text === '' ? null : text;
}
