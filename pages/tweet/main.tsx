/** /t/ID: a tweet with its author's thread, replies, quotes and retweeters. */
import {
  Avatar,
  Counts,
  Fault,
  FullTweetCard,
  ListView,
  LiveBar,
  LiveDot,
  Loading,
  Nothing,
  RequestLine,
  Tabs,
  TweetCard,
  TweetExtras,
  TweetText,
  UserName,
  UserRow,
  askHref,
  chosenTab,
  fullForm,
  longTime,
  mount,
  postUrl,
  searchHref,
  send,
  setTitle,
  subject,
  tweetHref,
  useArrivals,
  useEffect,
  useEvents,
  useList,
  useLoaded,
  useState,
  walk,
  type AnyTweet,
  type ApiRequest,
  type Schemas,
  type User,
  type VNode,
} from '../kit/index.ts';

const id = subject();
const search = (query: string, more: ApiRequest['parameters'] = {}): ApiRequest => ({
  path: '/social/tweet/advanced_search',
  parameters: { query, query_type: 'Latest', ...more },
});

/** The contract has no operation for one tweet. A search between two ids finds it. */
const itself = (): ApiRequest =>
  search(`since_id:${(BigInt(id) - 1n).toString()} max_id:${id} include:nativeretweets`, { limit: 1 });

/** How far back the full form is looked for in the tweets of the author: five requests. */
const maxBack = 500;

async function readTweet(signal: AbortSignal): Promise<AnyTweet | undefined> {
  const { tweets } = await send<Schemas['TweetShortPage']>(itself(), signal);
  const found = tweets.find((tweet) => tweet.id === id);
  return found === undefined ? undefined : ((await fullForm(found, maxBack)) ?? found);
}

/** The counts of a tweet, which follow its events. */
function useCounts(tweet: AnyTweet): AnyTweet {
  const [counts, setCounts] = useState<Partial<Schemas['WsEngagement']>>({});
  useEvents({ engagement: tweet.id }, ({ data }) => {
    if ('tweet_id' in data && data.tweet_id === tweet.id) setCounts(data);
  });
  return { ...tweet, ...counts };
}

function Subject({ tweet }: { tweet: AnyTweet }): VNode {
  const repeated = 'media' in tweet ? tweet.retweeted_tweet : null;
  const counted = useCounts(tweet);
  const origin = postUrl(tweet);
  if (repeated !== null) return <TweetCard tweet={tweet} />;
  return (
    <article class="tweet-main">
      <div class="by">
        <Avatar user={tweet.author} />
        <UserName user={tweet.author} />
      </div>
      <TweetText tweet={tweet} />
      <TweetExtras tweet={tweet} />
      <p class="hint">
        <time dateTime={tweet.created_at}>{longTime(tweet.created_at)}</time> · <span class="id">{tweet.id}</span>
      </p>
      <Counts tweet={counted} all />
      <div class="row">
        <a class="button primary" href={askHref(tweet.id)}>
          Ask about it
        </a>
        {origin !== undefined && (
          <a class="button" href={origin} target="_blank" rel="noopener noreferrer nofollow">
            Original
          </a>
        )}
        <a class="button" href={searchHref(`conversation_id:${tweet.id}`)}>
          Whole conversation
        </a>
      </div>
    </article>
  );
}

/** What the author added to the tweet, oldest first. */
function Thread({ tweet }: { tweet: AnyTweet }): VNode | null {
  const loaded = useLoaded(tweet.id, (signal) =>
    walk<AnyTweet>(
      search(`conversation_id:${tweet.id} from:${tweet.author.username} to:${tweet.author.username}`, { limit: 100 }),
      'tweets',
      100,
      signal,
    ),
  );
  const items = loaded.is === 'ready' ? loaded.data.items.filter((each) => each.id !== tweet.id).toReversed() : [];
  if (items.length === 0) return null;
  return (
    <section aria-labelledby="thread-title">
      <h2 class="section-title" id="thread-title">
        The author’s thread
      </h2>
      <ol class="feed threaded">
        {items.map((each) => (
          <li key={each.id}>
            <FullTweetCard tweet={each} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Replies({ request }: { request: ApiRequest }): VNode {
  const list = useList<AnyTweet>(request, 'replies');
  const arrivals = useArrivals({ replies: id });
  return (
    <>
      <LiveDot state={arrivals.state} />
      <LiveBar arrivals={arrivals} show={list.prepend} />
      <ListView list={list} name="Replies" draw={(tweet) => <TweetCard tweet={tweet} />} empty="No replies yet" />
    </>
  );
}

function Quotes({ request }: { request: ApiRequest }): VNode {
  const list = useList<AnyTweet>(request, 'tweets');
  return (
    <ListView list={list} name="Quotes" draw={(tweet) => <FullTweetCard tweet={tweet} />} empty="Nobody quotes it" />
  );
}

function Retweeters({ request }: { request: ApiRequest }): VNode {
  const list = useList<User>(request, 'retweeters');
  return (
    <ListView list={list} name="Retweeters" draw={(user) => <UserRow user={user} />} empty="Nobody retweeted it" />
  );
}

const tabs = {
  Replies: { request: { path: '/social/tweet/replies', parameters: { tweet_id: id } }, View: Replies },
  Quotes: { request: search(`quoted_tweet_id:${id}`), View: Quotes },
  Retweeters: { request: { path: '/social/tweet/retweeters', parameters: { tweet_id: id } }, View: Retweeters },
} as const;
const names = ['Replies', 'Quotes', 'Retweeters'] as const;

const Missing = (): VNode => (
  <Nothing title="This tweet is not here">
    <p>It was deleted, or this service never had it: it has only what was imported or followed.</p>
    <p>
      <a href={searchHref('')}>Explore what is here</a>
    </p>
  </Nothing>
);

function Loaded({ tweet }: { tweet: AnyTweet }): VNode {
  const tab = chosenTab(names) ?? 'Replies';
  const { request, View } = tabs[tab];
  useEffect(() => setTitle(`${tweet.author.name}: ${tweet.text.slice(0, 60)}`), []);
  return (
    <div class="columns">
      <div>
        <h1 class="sr">Tweet of {tweet.author.name}</h1>
        <Subject tweet={tweet} />
        <Thread tweet={tweet} />
        <Tabs name="Parts of the tweet" tabs={names} current={tab} />
        <section aria-label={tab}>
          <View request={request} />
        </section>
      </div>
      <aside class="rail" aria-label="Requests of this page">
        <RequestLine request={itself()} />
        <RequestLine request={request} />
      </aside>
    </div>
  );
}

function TweetPage(): VNode {
  const loaded = useLoaded(tweetHref(id), readTweet);
  if (loaded.is === 'loading') return <Loading rows={2} name="Loading the tweet" />;
  if (loaded.is === 'ready' && loaded.data !== undefined) return <Loaded tweet={loaded.data} />;
  return (
    <>
      <h1>Tweet</h1>
      {loaded.is === 'failed' ? <Fault error={loaded.error} again={loaded.again} /> : <Missing />}
    </>
  );
}

const NoId = (): VNode => (
  <>
    <h1>Tweet</h1>
    <Nothing title="This is not the id of a tweet">
      <p>An id has 1 to 19 digits.</p>
    </Nothing>
  </>
);

mount(/^\d{1,19}$/.test(id) ? TweetPage : NoId);
