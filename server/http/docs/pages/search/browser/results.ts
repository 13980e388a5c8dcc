/** Renders the response: tweets as cards, an error with its body. */
import { element } from '../../browser/element.ts';
import { drawTweet } from '../../browser/tweet.ts';
import type { Page, Tweet } from './request.ts';

const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

const card = (tweet: Tweet): HTMLElement =>
  element('li', { class: 'card', tabindex: '-1' }, [
    drawTweet(tweet, {
      time: element('time', { datetime: tweet.created_at }, [`${time.format(new Date(tweet.created_at))} UTC`]),
      hrefOf: (query) => `#${new URLSearchParams({ query })}`,
    }),
    element('span', { class: 'id' }, [tweet.id]),
  ]);

/** Renders a page of tweets. */
export const cards = (page: Page): HTMLElement[] => page.tweets.map(card);

/** Renders an error response with its body. */
export const errorItem = (status: number, body: string): HTMLElement =>
  element('li', { class: 'refusal' }, [element('b', {}, [`HTTP ${status}`]), element('pre', {}, [body])]);
