/**
 * Searches answer with the short form of tweets, which has no media, quotes and cards. The full form is in the list of the
 * author's tweets: the pages read it once for each author, and look only as far back as a bound.
 */
import type { Schemas } from '@social-data/client';
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { AnyTweet } from './live.tsx';
import { TweetCard } from './tweet.tsx';
import { walk } from './walk.ts';

type Tweet = Schemas['Tweet'];
type ById = ReadonlyMap<string, Tweet>;

/** How many authors a view looks up; more keep the short form, so that a view does not use up the rate limit of the key. */
const maxAuthors = 24;
const read = new Map<string, Promise<ById>>();

async function tweetsOf(author: string, max: number): Promise<ById> {
  const { items } = await walk<Tweet>(
    { path: '/social/user/last_tweets', parameters: { user_id: author, include_replies: '1', limit: 100 } },
    'tweets',
    max,
    new AbortController().signal,
  );
  return new Map(items.map((tweet) => [tweet.id, tweet]));
}

/** The full form of a tweet, if it is among the newest `max` ones of its author. Never rejects. */
export async function fullForm(tweet: AnyTweet, max = 100): Promise<Tweet | undefined> {
  if ('media' in tweet) return tweet;
  const id = `${tweet.author.id} ${max}`;
  let tweets = read.get(id);
  if (tweets === undefined) {
    if (read.size >= maxAuthors) return undefined;
    tweets = tweetsOf(tweet.author.id, max);
    read.set(id, tweets);
  }
  return tweets.then(
    (byId) => byId.get(tweet.id),
    () => undefined,
  );
}

/** A tweet of a search. It gets its media, quote and card when it comes into view. */
export function FullTweetCard({ tweet, isNew = false }: { tweet: AnyTweet; isNew?: boolean }): VNode {
  const [shown, setShown] = useState(tweet);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    setShown(tweet);
    if ('media' in tweet || place.current === null) return undefined;
    let isGone = false;
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      void fullForm(tweet).then((found) => void (found === undefined || isGone || setShown(found)));
    });
    observer.observe(place.current);
    return () => {
      isGone = true;
      observer.disconnect();
    };
  }, [tweet]);
  return (
    <div ref={place}>
      <TweetCard tweet={shown} isNew={isNew} />
    </div>
  );
}
