/** Shows what a request answered: tweets as cards, an error as the server words it. */
import { element } from './element.ts';
import type { Page, Tweet } from './request.ts';

const number = new Intl.NumberFormat('en');
const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

const countsOf = (tweet: Tweet): [count: number, one: string, many: string][] => [
  [tweet.like_count, 'like', 'likes'],
  [tweet.retweet_count, 'retweet', 'retweets'],
  [tweet.quote_count, 'quote', 'quotes'],
  [tweet.reply_count, 'reply', 'replies'],
  [tweet.view_count, 'view', 'views'],
];

const countIn = ([count, one, many]: [number, string, string]): HTMLElement =>
  element('span', {}, [element('b', {}, [number.format(count)]), ` ${count === 1 ? one : many}`]);

function card(tweet: Tweet): HTMLElement {
  const { name, username } = tweet.author;
  const at = new Date(tweet.created_at);
  return element('li', { class: 'card', tabindex: '-1' }, [
    element('div', { class: 'author' }, [
      element('bdi', { class: 'name' }, [name]),
      ' ',
      element('span', { class: 'username' }, [`@${username}`]),
      ' ',
      element('time', { datetime: tweet.created_at }, [`${time.format(at)} UTC`]),
    ]),
    element('p', { class: 'text', dir: 'auto' }, [tweet.text]),
    element('div', { class: 'facts' }, [
      ...countsOf(tweet).map(countIn),
      element('span', { class: 'id' }, [tweet.id]),
    ]),
  ]);
}

/** Cards of a page. */
export const cards = (page: Page): HTMLElement[] => page.tweets.map(card);

/** A refusal, with the body as it came. */
export const refusal = (status: number, body: string): HTMLElement =>
  element('li', { class: 'refusal' }, [element('b', {}, [`HTTP ${status}`]), element('pre', {}, [body])]);
