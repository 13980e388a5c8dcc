/** Faults of pages, defaults, cursors and links. */
import { adding, answering, asking, body, error, lacking, type Lie } from '../faulty-service.ts';
import { media, members, when, type PlantedFault } from './fault.ts';

/** The last item of a page comes again at the head of the next. */
function repeating(): Lie {
  const last = new Map<string, unknown>();
  return answering(media, (reply, { target }) =>
    body((page) => {
      const list = target.replace(/&?cursor=[^&]*/, '');
      if (target.includes('cursor=')) page.tweets.unshift(last.get(list));
      else last.set(list, page.tweets.at(-1));
    })(reply),
  );
}

export const faultsOfPages: Readonly<Record<string, PlantedFault>> = {
  'another default than the declared one': {
    lie: asking((query) => (query.includes('limit=') ? query : `${query}&limit=1`)),
    operation: 'getCommunityMedia',
    check: 'defaults',
    pointer: /default$/,
    shows: /200 OK/,
  },
  'small pages lose an item': {
    lie: answering(media, (reply, { target }) =>
      target.includes('cursor=') && /limit=[12]\b/.test(target)
        ? adding(
            'ETag',
            `W/"${encodeURIComponent(target)}"`,
          )(lacking('etag')(body((page) => void page.tweets.shift())(reply)))
        : reply,
    ),
    operation: 'getCommunityMedia',
    check: 'pages',
    pointer: /links\/next$/,
    shows: /200 OK/,
  },
  'the last page is empty': {
    lie: answering(members, (reply, { target }) =>
      body((page) => void (!page.has_next_page && target.includes('cursor=') && (page.communities = [])))(reply),
    ),
    operation: 'getUserCommunities',
    check: 'pages',
    pointer: /links\/next$/,
    shows: /"communities":\[\]/,
  },
  'a cursor leads to an error': {
    lie: when((target) => target.includes('cursor='), error(400, "'cursor' is not one that this query gave")),
    operation: 'getCommunityMedia',
    check: 'pages',
    pointer: /links\/next$/,
    shows: /400/,
  },
  'a page repeats an item': {
    lie: repeating(),
    operation: 'getCommunityMedia',
    check: 'pages',
    pointer: /links\/next$/,
    shows: /200 OK/,
  },
  'the next page equals the first': {
    lie: asking((query) => query.replace(/&?cursor=W[\w-]+\.[\w-]{22}(?=&|$)/, '')),
    operation: 'getCommunityMedia',
    check: 'pages',
    pointer: /links\/next$/,
    shows: /200 OK/,
  },
  'a page has more items than requested': {
    lie: asking((query) => query.replace(/limit=1(?=&|$)/, 'limit=2')),
    operation: 'getCommunityMedia',
    check: 'pages',
    pointer: /links\/next$/,
    shows: /200 OK/,
  },
  'has_next_page without a cursor': {
    lie: answering(
      media,
      body((page) => void (page.has_next_page = true)),
    ),
    operation: 'getCommunityMedia',
    check: 'pages',
    pointer: /links\/next$/,
    shows: /"has_next_page":true/,
  },
  'a cursor of another query is accepted': {
    lie: asking((query) => (/cursor=[^&]*[AB](&|$)/.test(query) ? query.replace(/&?cursor=[^&]*/, '') : query)),
    operation: 'getCommunityMedia',
    check: 'pages',
    pointer: /links\/next$/,
    shows: /200 OK/,
  },
  'a conversation is not found': {
    lie: when((target) => target.includes('conversation_id='), error(404, 'conversation not found')),
    operation: 'explainTweet',
    check: 'links',
    pointer: /links\/followUp$/,
    shows: /404/,
  },
  'a link has no target': {
    lie: answering('/social/tweet/retweeters', error(404, 'tweet not found')),
    operation: 'searchTweets',
    check: 'links',
    pointer: '/components/links/RetweetersOfTweet',
    shows: /404/,
  },
};
