/** Replies as a tree: below each reply its best one, and on request all of them. */
import {
  ListView,
  LiveBar,
  LiveDot,
  TweetCard,
  completed,
  plural,
  send,
  tweetHref,
  useArrivals,
  useEffect,
  useList,
  useLoaded,
  useRef,
  useState,
  type AnyTweet,
  type ApiRequest,
  type Schemas,
  type VNode,
} from '../kit/index.ts';

/** Replies below replies are shown so deep; deeper ones are on the page of their tweet. */
const maxDepth = 3;

/** The replies to a tweet, those with the most engagement first. */
const repliesTo = (id: string, limit: number): ApiRequest => ({
  path: '/social/tweet/advanced_search',
  parameters: { query: `in_reply_to_tweet_id:${id}`, query_type: 'Top', limit },
});

/** Whether the element has come near the part of the page that is in view. */
function useSeen<Kind extends Element>(): readonly [place: { readonly current: Kind | null }, isSeen: boolean] {
  const place = useRef<Kind>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (place.current === null || isSeen) return undefined;
    const observer = new IntersectionObserver(
      (entries) => void (entries.some(({ isIntersecting }) => isIntersecting) && setSeen(true)),
      { rootMargin: '300px' },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [isSeen]);
  return [place, isSeen];
}

/** The reply with the most engagement. One that cannot be read is left out: the count of replies leads to it. */
function BestReply({ to, depth }: { to: AnyTweet; depth: number }): VNode | null {
  const loaded = useLoaded(to.id, async (signal) =>
    completed<AnyTweet>((await send<Schemas['TweetShortPage']>(repliesTo(to.id, 1), signal)).tweets, signal),
  );
  const [best] = loaded.is === 'ready' ? loaded.data : [];
  return best === undefined ? null : <Branch tweet={best} depth={depth} />;
}

function AllReplies({ to, depth }: { to: AnyTweet; depth: number }): VNode {
  const list = useList<AnyTweet>(repliesTo(to.id, 20), 'tweets');
  return (
    <ListView
      list={list}
      name={`Replies to ${to.author.name}`}
      draw={(tweet) => <Branch tweet={tweet} depth={depth} />}
      empty="Its replies are not in this archive"
      continues="button"
    />
  );
}

/** What is below a reply. A reply to the tweet itself shows its best reply; the others wait for the reader. */
function Below({ tweet, depth }: { tweet: AnyTweet; depth: number }): VNode | null {
  const [showsAll, setAll] = useState(false);
  const [place, isSeen] = useSeen<HTMLDivElement>();
  const showsBest = depth === 0;
  const others = tweet.reply_count - (showsBest ? 1 : 0);
  if (depth >= maxDepth)
    return (
      <p class="branch">
        <a href={tweetHref(tweet.id)}>Continue with {plural(tweet.reply_count, 'reply', 'replies')}</a>
      </p>
    );
  return (
    <div class="branch" ref={place}>
      {showsAll && <AllReplies to={tweet} depth={depth + 1} />}
      {!showsAll && showsBest && isSeen && <BestReply to={tweet} depth={depth + 1} />}
      {!showsAll && others > 0 && (
        <button type="button" class="small" onClick={() => setAll(true)}>
          Show {plural(others, showsBest ? 'more reply' : 'reply', showsBest ? 'more replies' : 'replies')}
        </button>
      )}
    </div>
  );
}

function Branch({ tweet, depth }: { tweet: AnyTweet; depth: number }): VNode {
  return (
    <>
      <TweetCard tweet={tweet} />
      {tweet.reply_count > 0 && <Below tweet={tweet} depth={depth} />}
    </>
  );
}

/** The replies to the tweet. `shown`: tweets that the page shows elsewhere, such as those of the author's thread. */
export function Replies({
  request,
  id,
  shown,
}: {
  request: ApiRequest;
  id: string;
  shown: ReadonlySet<string>;
}): VNode {
  const list = useList<AnyTweet>(request, 'replies');
  const arrivals = useArrivals({ replies: id });
  return (
    <>
      <div class="feed-head">
        <LiveDot state={arrivals.state} />
      </div>
      <LiveBar arrivals={arrivals} show={list.prepend} />
      <ListView
        list={{ ...list, items: list.items.filter((each) => !shown.has(each.id)) }}
        name="Replies"
        draw={(tweet) => <Branch tweet={tweet} depth={0} />}
        empty="No replies yet"
      />
    </>
  );
}
