/** Searches answer with the short form of tweets, which has no media, quotes and cards. A card reads the full form. */
import type { Schemas } from '@social-data/client';
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { client } from './api.ts';
import type { AnyTweet } from './live.tsx';
import { TweetCard } from './tweet.tsx';

type Show = (tweet: Schemas['Tweet']) => void;

/** The most ids of one request. */
const maxIds = 100;

/** The cards on the page that have the short form, by the id of the tweet, in their order. */
const waiting = new Map<string, Set<Show>>();

/** Gives a card its full form when the card, or another one that waits, comes into view. Returns the end of its waiting. */
function wait(id: string, show: Show): () => void {
  const shows = waiting.get(id) ?? new Set();
  waiting.set(id, shows.add(show));
  return () => {
    shows.delete(show);
    if (shows.size === 0 && waiting.get(id) === shows) waiting.delete(id);
  };
}

/**
 * Reads the full form of the tweet of a card that waits, and of others that wait, with one request. What cannot be read stays
 * in the short form.
 */
async function readWaiting(first: string): Promise<void> {
  if (!waiting.has(first)) return;
  const ids = [...new Set([first, ...waiting.keys()])].slice(0, maxIds);
  const cards = new Map(ids.map((id) => [id, waiting.get(id)]));
  for (const id of ids) waiting.delete(id);
  const { tweets } = await client.tweets.getTweets({ ids }).catch(() => ({ tweets: [] }));
  for (const tweet of tweets) for (const show of cards.get(tweet.id) ?? []) show(tweet);
}

/** A tweet of a search. It gets its media, quote and card when it comes into view. */
export function FullTweetCard({ tweet, isNew = false }: { tweet: AnyTweet; isNew?: boolean }): VNode {
  const [shown, setShown] = useState(tweet);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    setShown(tweet);
    if ('media' in tweet || place.current === null) return undefined;
    const endWaiting = wait(tweet.id, setShown);
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      void readWaiting(tweet.id);
    });
    observer.observe(place.current);
    return () => {
      endWaiting();
      observer.disconnect();
    };
  }, [tweet]);
  return (
    <div ref={place}>
      <TweetCard tweet={shown} isNew={isNew} />
    </div>
  );
}
