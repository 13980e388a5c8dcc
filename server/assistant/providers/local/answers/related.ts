/** Other posts of the archive: with the same link, tag or cashtag, and of the author around the same days. */
import type { Schemas } from '../../../../contract/operations.ts';
import { sourcesOf } from '../../../sources.ts';
import type { Answer, Context } from '../context.ts';
import { plain } from '../../../plain-text.ts';
import { quotation, type Post } from '../wording.ts';
import { countOf, postLine } from './search.ts';

/** Maximum number of posts that are counted and that are quoted for one reason, and of links and of tags. */
const maxFound = 20;
const maxQuoted = 2;
const maxReasons = 8;
const dayMs = 86_400_000;

/** A reason why posts are related, with the query that finds them. */
interface Reason {
  readonly query: string;
  readonly line: (count: string) => string;
}

export async function related(context: Context): Promise<Answer> {
  const { archive, subject, wording } = context;
  const seen = new Set([subject.tweet.id]);
  const lines: string[] = [];
  const items: Post[] = [];
  let total = 0;
  for (const { query, line } of reasonsOf(context)) {
    const found = (await archive.search(`${query} include:nativeretweets`, maxFound)).filter(({ id }) => !seen.has(id));
    if (found.length === 0) continue;
    for (const { id } of found) seen.add(id);
    const shown = found.slice(0, maxQuoted);
    lines.push(line(countOf(context, found.length)), ...shown.map((post) => postLine(context, post)));
    items.push(...shown);
    total += found.length;
  }
  if (items.length === 0) return { lead: wording.say('relatedNone') };
  return { lead: wording.say('relatedFound', { count: total }), evidence: lines, items };
}

function reasonsOf({ subject, wording }: Context): Reason[] {
  const { tweet } = subject;
  const own = tweet.retweeted_tweet ?? tweet;
  const tags = [
    ...own.entities.cashtags.map((tag) => `$${plain(tag).replace(/^\$/, '')}`),
    ...own.entities.hashtags.map((tag) => `#${plain(tag).replace(/^#/, '')}`),
  ].filter((tag) => /^[$#][\p{L}\p{M}\p{N}_]+$/u.test(tag));
  return [
    ...linkReasons(own, wording),
    ...[...new Set(tags)].slice(0, maxReasons).map((tag) => ({
      query: tag,
      line: (count: string) => wording.say('sameTag', { what: tag, count }),
    })),
    ...dayReason(tweet, wording),
  ];
}

function linkReasons(tweet: Schemas['Tweet'], wording: Context['wording']): Reason[] {
  const pages = sourcesOf({ tweet: { ...tweet, quoted_tweet: null }, thread: [] });
  return pages.slice(0, maxReasons).map(({ url, title, domain }) => ({
    // In the search language a hyphen of a link is written as an underscore.
    query: `url:"${url
      .replace(/^https?:\/\/(?:www\.)?/, '')
      .replaceAll('"', '')
      .replaceAll('-', '_')}"`,
    line: (count) => wording.say('sameLink', { what: title === null ? domain : quotation(title), count }),
  }));
}

function dayReason({ author, created_at }: Schemas['Tweet'], wording: Context['wording']): Reason[] {
  if (!/^[\w.-]+$/.test(author.username)) return [];
  const at = Date.parse(created_at);
  const seconds = (time: number): number => Math.floor(time / 1000);
  return [
    {
      query: `from:${author.username} since_time:${seconds(at - 3 * dayMs)} until_time:${seconds(at + 3 * dayMs)}`,
      line: (count) => wording.say('sameDays', { count }),
    },
  ];
}
