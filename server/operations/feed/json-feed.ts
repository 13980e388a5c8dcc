/** Writes a feed as JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1). */
import type { Schemas } from '../../contract/operations.ts';
import type { Feed, FeedAuthor, FeedEntry } from './feed.ts';
import { clean } from './feed-text.ts';

const author = ({ name, url, picture }: FeedAuthor): Schemas['JsonFeedAuthor'] => ({
  name,
  ...(url === undefined ? {} : { url }),
  ...(picture === undefined ? {} : { avatar: picture }),
});

const item = (entry: FeedEntry): Schemas['JsonFeedItem'] => ({
  id: entry.id,
  url: entry.url,
  title: entry.title,
  content_html: clean(entry.html),
  content_text: entry.text,
  date_published: entry.published,
  authors: [author(entry.author)],
  ...(entry.tags.length === 0 ? {} : { tags: [...entry.tags] }),
  ...(entry.enclosures.length === 0
    ? {}
    : {
        attachments: entry.enclosures.map(({ url, type, title }) => ({
          url,
          mime_type: type,
          ...(title === undefined ? {} : { title }),
        })),
      }),
});

export const jsonFeedOf = ({ title, subtitle, self, page, picture, entries, ...feed }: Feed): Schemas['JsonFeed'] => ({
  version: 'https://jsonfeed.org/version/1.1',
  title,
  home_page_url: page,
  feed_url: self,
  ...(subtitle === undefined ? {} : { description: subtitle }),
  ...(picture === undefined ? {} : { icon: picture }),
  ...(feed.author === undefined ? {} : { authors: [author(feed.author)] }),
  items: entries.map(item),
});
