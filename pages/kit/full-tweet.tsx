/** Searches answer with the short form of tweets, which has no media, quotes and cards. A card reads the full form. */
import type { Schemas } from '@social-data/client';
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { client } from './api.ts';
import type { AnyTweet } from './live.tsx';
import { TweetCard } from './tweet.tsx';

/** The full form of a tweet; undefined where it cannot be read. Never rejects. */
export async function fullForm(tweet: AnyTweet): Promise<Schemas['Tweet'] | undefined> {
  if ('media' in tweet) return tweet;
  return client.tweet.info({ tweet_id: tweet.id }).then(
    (info) => info.tweet,
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
