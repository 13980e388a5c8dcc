/** /t/ID: a tweet with what is above it, its author's thread, replies, quotes and retweeters. */
import {
  Avatar,
  Counts,
  Fault,
  Loading,
  NotFoundError,
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
  listOf,
  client,
  longTime,
  mount,
  originOf,
  searchHref,
  send,
  setTitle,
  subject,
  tweetHref,
  useEffect,
  useEvents,
  useLoaded,
  useRef,
  useState,
  type AnyTweet,
  type ApiRequest,
  type Schemas,
  type User,
  type VNode,
} from '../kit/index.ts';
import { Replies } from './conversation.tsx';
import { Unlike } from './unlike.tsx';

const id = subject();
const threadOf = (tweetId: string, limit = 100): ApiRequest => ({
  path: '/social/tweet/thread',
  parameters: { tweet_id: tweetId, limit },
});
const infoOf = (tweetId: string): ApiRequest => ({ path: '/social/tweet/info', parameters: { tweet_id: tweetId } });

type Tweet = Schemas['Tweet'];
type Info = Schemas['TweetInfo'];
type ThreadPage = Schemas['TweetThread'];

interface Read {
  readonly info: Info;
  readonly thread: ThreadPage;
  /** The tweet that began the conversation, or the highest one that is known. */
  readonly rootId: string;
}

/** How often the tweets above the tweet are read: conversations of more than 5,000 levels end there. */
const maxClimbs = 50;

/** The tweet at the top, where a response has only the nearest ones above. */
async function rootOf(first: ThreadPage, signal: AbortSignal): Promise<string> {
  let thread = first;
  let top = id;
  for (let climbs = 0; climbs <= maxClimbs; climbs++) {
    const { ancestors, missing_ancestor_id: above } = thread;
    top = above ?? ancestors[0]?.id ?? top;
    if (above === null || ancestors.length < maxAncestors) break;
    thread = await send<ThreadPage>(threadOf(above, 1), signal);
  }
  return top;
}

/** The tweet with its thread; undefined if the service does not have it. */
async function readTweet(signal: AbortSignal): Promise<Read | undefined> {
  try {
    const [info, thread] = await Promise.all([send<Info>(infoOf(id), signal), send<ThreadPage>(threadOf(id), signal)]);
    return { info, thread, rootId: await rootOf(thread, signal) };
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

/** The counts of a tweet, which follow its events, and a function that reads them anew. */
function useCounts(tweet: AnyTweet): readonly [AnyTweet, () => void] {
  const [counts, setCounts] = useState<Partial<Schemas['WsEngagement']>>({});
  useEvents({ engagement: tweet.id }, ({ data }) => {
    if ('tweet_id' in data && data.tweet_id === tweet.id) setCounts(data);
  });
  const read = (): void =>
    void client.tweet.info({ tweet_id: tweet.id }).then(
      ({ tweet: { like_count } }) => setCounts((before) => ({ ...before, like_count })),
      () => {},
    );
  return [{ ...tweet, ...counts }, read];
}

/** A tweet that another one refers to, and that the service does not have. */
const NotHere = ({ text, of }: { text: string; of: string }): VNode => (
  <p class="not-here">
    {text} <span class="id">{of}</span>
  </p>
);

/** `isBelow`: whether other tweets are above it; the reader begins at the tweet. */
function Subject({ info, isBelow, rootId }: { info: Info; isBelow: boolean; rootId: string }): VNode {
  const { tweet, unknown_counts: unknown, quoted_tweet_id: quoted, retweeted_tweet_id: retweeted } = info;
  const [counted, readCounts] = useCounts(tweet);
  const origin = originOf(tweet);
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    const parts = location.hash === '#parts' ? document.getElementById('parts') : null;
    if (parts !== null) parts.scrollIntoView({ block: 'start' });
    else if (isBelow) place.current?.scrollIntoView({ block: 'start' });
  }, []);
  if (tweet.retweeted_tweet !== null) return <TweetCard tweet={tweet} />;
  return (
    <article class="tweet-main" ref={place}>
      <div class="by">
        <Avatar user={tweet.author} />
        <UserName user={tweet.author} />
      </div>
      <TweetText tweet={tweet} />
      <TweetExtras tweet={tweet} />
      {quoted !== null && tweet.quoted_tweet === null && (
        <NotHere text="It quotes a tweet that is not in this archive." of={quoted} />
      )}
      {retweeted !== null && <NotHere text="It retweets a tweet that is not in this archive." of={retweeted} />}
      <p class="hint">
        <time dateTime={tweet.created_at}>{longTime(tweet.created_at)}</time> · <span class="id">{tweet.id}</span>
      </p>
      <Counts tweet={counted} unknown={unknown} />
      <div class="row">
        <a class="button primary" href={askHref(tweet.id)}>
          Ask about it
        </a>
        {origin !== undefined && (
          <a class="button" href={origin} target="_blank" rel="noopener noreferrer nofollow">
            Original
          </a>
        )}
        <a class="button" href={searchHref(`conversation_id:${rootId}`)}>
          Whole conversation
        </a>
      </div>
      {info.liked && <Unlike tweetId={tweet.id} onDone={readCounts} />}
    </article>
  );
}

/** The tweets above the tweet, down to it. */
const Ancestors = ({ info, thread }: Omit<Read, 'rootId'>): VNode | null => {
  const { ancestors, missing_ancestor_id: missing } = thread;
  if (ancestors.length === 0 && missing === null) return null;
  const whose = ancestors.length === 0 && info.in_reply_to_username !== null ? ` by @${info.in_reply_to_username}` : '';
  return (
    <section aria-label="Before this tweet">
      {missing !== null &&
        (ancestors.length < maxAncestors ? (
          <NotHere text={`A reply to a tweet${whose} that is not in this archive.`} of={missing} />
        ) : (
          <p class="not-here">
            <a href={tweetHref(missing)}>Earlier tweets of this conversation</a>
          </p>
        ))}
      <ol class="feed ancestors">
        {ancestors.map((each) => (
          <li key={each.id}>
            <TweetCard tweet={each} />
          </li>
        ))}
      </ol>
    </section>
  );
};

/** So many ancestors are in a response at most. */
const maxAncestors = 100;

/** What the author added to the tweet, oldest first. */
function Thread({ thread }: { thread: ThreadPage }): VNode | null {
  const items: readonly Tweet[] = thread.tweets.slice(1);
  const last = items.at(-1);
  if (last === undefined) return null;
  return (
    <section aria-labelledby="thread-title">
      <h2 class="section-title" id="thread-title">
        The author’s thread
      </h2>
      <ol class="feed threaded">
        {items.map((each) => (
          <li key={each.id}>
            <TweetCard tweet={each} />
          </li>
        ))}
      </ol>
      {thread.has_next_page && (
        <p>
          <a href={tweetHref(last.id)}>The thread continues</a>
        </p>
      )}
    </section>
  );
}

const Quotes = listOf<AnyTweet>('quotes', {
  name: 'Quotes',
  draw: (tweet) => <TweetCard tweet={tweet} />,
  empty: 'Nobody quotes it',
});

const Retweeters = listOf<User>('retweeters', {
  name: 'Retweeters',
  draw: (user) => <UserRow user={user} />,
  empty: 'Nobody retweeted it',
});

const tabs = {
  Replies: { request: { path: '/social/tweet/replies', parameters: { tweet_id: id } }, View: Replies },
  Quotes: { request: { path: '/social/tweet/quotes', parameters: { tweet_id: id } }, View: Quotes },
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

function Loaded({ info, thread, rootId }: Read): VNode {
  const shown = new Set(thread.tweets.map((each) => each.id));
  const tab = chosenTab(names) ?? 'Replies';
  const { request, View } = tabs[tab];
  const { author, text } = info.tweet;
  useEffect(() => setTitle(`${author.name}: ${text.slice(0, 60)}`), []);
  return (
    <div class="columns">
      <div>
        <h1 class="sr">Tweet of {author.name}</h1>
        <Ancestors info={info} thread={thread} />
        <Subject info={info} isBelow={thread.ancestors.length > 0} rootId={rootId} />
        <Thread thread={thread} />
        <div id="parts">
          <Tabs name="Parts of the tweet" tabs={names} current={tab} />
        </div>
        <section aria-label={tab}>
          <View request={request} id={id} shown={shown} />
        </section>
      </div>
      <aside class="rail" aria-label="Requests of this page">
        <RequestLine request={infoOf(id)} />
        <RequestLine request={threadOf(id)} />
        <RequestLine request={request} />
      </aside>
    </div>
  );
}

function TweetPage(): VNode {
  const loaded = useLoaded(tweetHref(id), readTweet);
  if (loaded.is === 'loading') return <Loading rows={2} name="Loading the tweet" />;
  if (loaded.is === 'ready' && loaded.data !== undefined) return <Loaded {...loaded.data} />;
  return (
    <>
      <h1>Tweet</h1>
      {loaded.is === 'failed' ? <Fault error={loaded.error} retry={loaded.retry} /> : <Missing />}
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
