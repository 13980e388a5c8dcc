/** What the results have in common: tweets a day, authors and tags, from a bounded number of the newest ones. */
import { full, searchHref, useLoaded, userHref, type AnyTweet, type VNode } from '../kit/index.ts';
import { Bars } from '../plot/plot.tsx';
import { engagementOf, perTime, ranked, tagsOf, walk } from './walk.ts';

/** At most this many tweets are read: three requests. */
const maxTweets = 300;

export function Insights({ query }: { query: string }) {
  const loaded = useLoaded(query, (signal) =>
    walk<AnyTweet>(
      { path: '/social/tweet/advanced_search', parameters: { query, limit: 100 } },
      'tweets',
      maxTweets,
      signal,
    ),
  );
  if (loaded.is !== 'ready' || loaded.data.items.length < 2) return null;
  const { items, isComplete } = loaded.data;
  const authors = ranked(items.flatMap(({ author }) => (author.username === '' ? [] : [`@${author.username}`])));
  const tags = ranked(items.flatMap(({ text }) => tagsOf(text)));
  return (
    <>
      <Bars {...perTime(items)} unit="tweets" />
      <Bars {...perTime(items, 'Likes, retweets, quotes and replies', engagementOf)} />
      {authors.length > 0 && (
        <Ranking title="Authors" rows={authors.map((row) => ({ ...row, href: userHref(row.label) }))} />
      )}
      {tags.length > 0 && <Ranking title="Tags" rows={tags.map((row) => ({ ...row, href: searchHref(row.label) }))} />}
      <p class="hint">
        {isComplete ? `All ${full(items.length)} matches.` : `The newest ${full(items.length)} matches.`}
      </p>
    </>
  );
}

interface Ranked {
  readonly label: string;
  readonly value: number;
  readonly href: string;
}

/** The greatest values by name, as bars; each name links on. */
const Ranking = ({ title, rows }: { title: string; rows: readonly Ranked[] }): VNode => {
  const max = Math.max(1, ...rows.map(({ value }) => value));
  return (
    <figure class="ranking">
      <figcaption>{title}</figcaption>
      <ol>
        {rows.map(({ label, value, href }) => (
          <li key={label}>
            <a href={href}>{label}</a>
            <meter min={0} max={max} value={value} aria-label={`${label}: ${value}`} />
            <span>{full(value)}</span>
          </li>
        ))}
      </ol>
    </figure>
  );
};
