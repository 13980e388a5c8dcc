/** /ask?tweet=ID: the assistant as a chat beside a tweet. */
import {
  Fault,
  Loading,
  NotFoundError,
  RequestLine,
  TweetCard,
  age,
  askHref,
  client,
  completed,
  full,
  mount,
  root,
  send,
  setTitle,
  useEffect,
  useLoaded,
  useMemo,
  useState,
  type AnyTweet,
  type Schemas,
  type VNode,
} from '../kit/index.ts';
import { Gauge } from '../plot/plot.tsx';
import { Chat } from './chat.tsx';
import { forgetConversations, storedConversations, type StoredConversation } from './stored.ts';

const tweetId = (new URLSearchParams(location.search).get('tweet') ?? '').trim();

const found = (query: string, order: string, limit: number) => ({
  path: '/social/tweet/advanced_search',
  parameters: { query, query_type: order, limit },
});

/** The tweet that a text names: an id, or an address that ends with one. */
const idIn = (text: string): string | undefined => /(\d{5,19})\/?(?:[?#].*)?$/.exec(text.trim())?.[1];

function Picker(): VNode {
  const [text, setText] = useState('');
  const [isWrong, setWrong] = useState(false);
  const popular = useLoaded('popular', async (signal) =>
    completed<AnyTweet>(
      (await send<Schemas['TweetShortPage']>(found('-filter:replies', 'Top', 8), signal)).tweets,
      signal,
    ),
  );
  const submit = (event: Event): void => {
    event.preventDefault();
    const id = idIn(text);
    if (id === undefined) setWrong(true);
    else location.assign(askHref(id));
  };
  return (
    <>
      <h1>Ask about a tweet</h1>
      <p class="lead">The assistant explains a tweet, names its sources, and answers what you ask next.</p>
      <form class="search-form" onSubmit={submit}>
        <input
          type="text"
          aria-label="Id or address of a tweet"
          placeholder="Id or address of a tweet"
          aria-invalid={isWrong}
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value);
            setWrong(false);
          }}
        />
        <button type="submit" class="primary">
          Open
        </button>
      </form>
      {isWrong && (
        <p class="wrong" role="alert">
          This names no tweet: type its id (digits), or paste its address.
        </p>
      )}
      <Recent />
      <h2 class="section-title pick-title">Or pick one that many people liked</h2>
      {popular.is === 'loading' && <Loading />}
      {popular.is === 'failed' && <Fault error={popular.error} retry={popular.retry} />}
      {popular.is === 'ready' && (
        <ol class="feed narrow">
          {popular.data.map((tweet) => (
            <li key={tweet.id}>
              <TweetCard tweet={tweet} />
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

const conversationHref = ({ id, tweetId: tweet }: StoredConversation): string =>
  `${root}ask?${new URLSearchParams({ tweet, conversation: id })}`;

/** What the reader asked in this browser, except in the conversation that is open. */
function Recent(): VNode | null {
  const open = new URLSearchParams(location.search).get('conversation');
  const [stored, setStored] = useState(() => storedConversations().filter(({ id }) => id !== open));
  if (stored.length === 0) return null;
  const forget = (): void => {
    forgetConversations();
    setStored([]);
  };
  return (
    <section class="panel recent" aria-labelledby="recent-title">
      <h2 id="recent-title">Recent conversations</h2>
      <ul>
        {stored.map((each) => (
          <li key={each.id}>
            <a href={conversationHref(each)}>
              <bdi>{each.turns.map(({ question }) => question || 'Explain this tweet').join(' · ')}</bdi>
            </a>{' '}
            <span class="time">{age(new Date(each.at).toISOString())}</span>
          </li>
        ))}
      </ul>
      <p class="hint">They are in this browser only, for a day.</p>
      <button type="button" class="small" onClick={forget}>
        Forget them
      </button>
    </section>
  );
}

/** The questions left. It is read again after each answer. */
function Quota({ round }: { round: number }): VNode | null {
  const status = useLoaded(`quota ${round}`, (signal) => client.assistant.status(undefined, { signal }));
  if (status.is === 'failed') return null;
  if (status.is === 'loading') return <div class="panel quota" />;
  const { remaining_now: left, daily_capacity: all } = status.data.capacity;
  return (
    <div class="panel quota">
      <Gauge name="Questions left today" value={left} max={all} text={`${full(left)} of ${full(all)} left`} />
    </div>
  );
}

/** The tweet; undefined if the service does not have it. */
async function readTweet(signal: AbortSignal): Promise<Schemas['Tweet'] | undefined> {
  try {
    return (await client.tweet.info({ tweet_id: tweetId }, { signal })).tweet;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

/** The pages that a tweet and the one that it quotes link to. */
function linksOf(tweet: Schemas['Tweet'] | undefined): ReadonlySet<string> {
  const both = [tweet, tweet?.quoted_tweet, tweet?.retweeted_tweet].filter(
    (each) => each !== undefined && each !== null,
  );
  const urls = both.flatMap(({ entities, card }) => [...entities.urls.map(({ url }) => url), card?.url ?? '']);
  return new Set(urls.flatMap((url) => (URL.canParse(url) ? [new URL(url).href] : [])));
}

function Asking(): VNode {
  const [round, setRound] = useState(0);
  const tweet = useLoaded(tweetId, readTweet);
  const request = { path: '/social/tweet/assistant', parameters: { tweet_id: tweetId } };
  const linked = useMemo(() => linksOf(tweet.is === 'ready' ? tweet.data : undefined), [tweet]);
  return (
    <>
      <h1 class="sr">Ask about a tweet</h1>
      <div class="columns ask-columns">
        <aside class="asked-tweet" aria-label="The tweet">
          {tweet.is === 'loading' && <Loading rows={1} />}
          {tweet.is === 'failed' && <Fault error={tweet.error} retry={tweet.retry} />}
          {tweet.is === 'ready' &&
            (tweet.data === undefined ? (
              <div class="panel fault">
                <h2>This tweet is not here</h2>
                <p>The assistant reads only tweets that this service has.</p>
              </div>
            ) : (
              <div class="panel boxed">
                <TweetCard tweet={tweet.data} />
              </div>
            ))}
        </aside>
        <Chat tweetId={tweetId} linked={linked} onAnswer={() => setRound((before) => before + 1)} />
        <aside class="ask-more" aria-label="About the assistant">
          <Quota round={round} />
          <Recent />
          <RequestLine request={request} />
          <p>
            <a href={`${root}ask`}>Choose another tweet</a>
          </p>
        </aside>
      </div>
    </>
  );
}

function Ask(): VNode {
  useEffect(() => setTitle('Ask'), []);
  return /^\d{1,19}$/.test(tweetId) ? <Asking /> : <Picker />;
}

mount(Ask);
