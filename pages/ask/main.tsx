/** /ask?tweet=ID: the assistant as a chat beside a tweet. */
import {
  Fault,
  FullTweetCard,
  Gauge,
  Loading,
  NotFoundError,
  RequestLine,
  TweetCard,
  askHref,
  client,
  full,
  mount,
  root,
  send,
  setTitle,
  useEffect,
  useLoaded,
  useState,
  type AnyTweet,
  type Schemas,
  type VNode,
} from '../kit/index.ts';
import { Chat } from './chat.tsx';

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
  const popular = useLoaded('popular', (signal) =>
    send<Schemas['TweetShortPage']>(found('-filter:replies', 'Top', 8), signal),
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
      <h2 class="section-title pick-title">Or pick one that many people liked</h2>
      {popular.is === 'loading' && <Loading />}
      {popular.is === 'failed' && <Fault error={popular.error} retry={popular.retry} />}
      {popular.is === 'ready' && (
        <ol class="feed narrow">
          {popular.data.tweets.map((tweet) => (
            <li key={tweet.id}>
              <FullTweetCard tweet={tweet} />
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

/** The questions left. It is read again after each answer. */
function Quota({ round }: { round: number }): VNode | null {
  const status = useLoaded(`quota ${round}`, (signal) => client.assistant.status(undefined, { signal }));
  if (status.is !== 'ready') return null;
  const { remaining_now: left, daily_capacity: all } = status.data.capacity;
  return (
    <div class="panel">
      <Gauge name="Questions left today" value={left} max={all} text={`${full(left)} of ${full(all)} left`} />
    </div>
  );
}

/** The tweet; undefined if the service does not have it. */
async function readTweet(signal: AbortSignal): Promise<AnyTweet | undefined> {
  try {
    return (await client.tweet.info({ tweet_id: tweetId }, { signal })).tweet;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

function Asking(): VNode {
  const [round, setRound] = useState(0);
  const tweet = useLoaded(tweetId, readTweet);
  const request = { path: '/social/tweet/assistant', parameters: { tweet_id: tweetId } };
  return (
    <>
      <h1 class="sr">Ask about a tweet</h1>
      <div class="columns ask-columns">
        <aside class="rail" aria-label="The tweet">
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
          <Quota round={round} />
          <RequestLine request={request} />
          <p>
            <a href={`${root}ask`}>Choose another tweet</a>
          </p>
        </aside>
        <Chat tweetId={tweetId} onAnswer={() => setRound((before) => before + 1)} />
      </div>
    </>
  );
}

function Ask(): VNode {
  useEffect(() => setTitle('Ask'), []);
  return /^\d{1,19}$/.test(tweetId) ? <Asking /> : <Picker />;
}

mount(Ask);
