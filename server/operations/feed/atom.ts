/**
 * Writes a feed as Atom (RFC 4287). It is written here, because the package `feed` writes control characters and halves of surrogate pairs as they are, which
 * no XML parser accepts, and has an XML parser as a dependency.
 */
import type { Feed, FeedAuthor, FeedEntry } from './feed.ts';
import { escapeText } from './feed-text.ts';

const element = (name: string, text: string | undefined, attributes = ''): string =>
  text === undefined ? '' : `<${name}${attributes}>${escapeText(text)}</${name}>\n`;

function linkTo(relation: string, href: string, more: Readonly<Record<string, string | undefined>> = {}): string {
  const attributes = Object.entries({ rel: relation, href, ...more }).flatMap(([name, value]) =>
    value === undefined ? [] : [` ${name}="${escapeText(value).replaceAll(/[\t\n]/g, ' ')}"`],
  );
  return `<link${attributes.join('')}/>\n`;
}

const author = ({ name, url }: FeedAuthor): string =>
  `<author>\n${element('name', name)}${element('uri', url)}</author>\n`;

const entry = ({ id, url, title, html, published, tags, enclosures, ...each }: FeedEntry): string =>
  [
    '<entry>\n',
    element('id', id),
    element('title', title),
    element('updated', published),
    element('published', published),
    author(each.author),
    linkTo('alternate', url, { type: 'text/html' }),
    ...enclosures.map((enclosure) =>
      linkTo('enclosure', enclosure.url, { type: enclosure.type, title: enclosure.title }),
    ),
    ...tags.map((tag) => `<category term="${escapeText(tag).replaceAll(/[\t\n]/g, ' ')}"/>\n`),
    element('content', html, ' type="html"'),
    '</entry>\n',
  ].join('');

export function atomOf({ id, title, subtitle, self, page, picture, updated, entries, ...feed }: Feed): string {
  return [
    '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n',
    element('id', id),
    element('title', title),
    element('subtitle', subtitle),
    element('updated', updated),
    linkTo('self', self, { type: 'application/atom+xml' }),
    linkTo('alternate', page, { type: 'text/html' }),
    element('icon', picture),
    element('generator', 'Social Data'),
    feed.author === undefined ? '' : author(feed.author),
    ...entries.map(entry),
    '</feed>\n',
  ].join('');
}
