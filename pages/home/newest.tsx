/** The newest tweets, for a reader with a valid key. They show what is here before a reader knows what to search. */
import {
  Loading,
  TweetCard,
  completed,
  root,
  send,
  useKey,
  useLoaded,
  type AnyTweet,
  type Schemas,
  type VNode,
} from '../kit/index.ts';

const request = { path: '/social/tweet/advanced_search', parameters: { query: '-filter:replies', limit: 3 } } as const;

export function Newest(): VNode | null {
  const key = useKey();
  const loaded = useLoaded(key, async (signal) =>
    key === '' ? [] : completed<AnyTweet>((await send<Schemas['TweetShortPage']>(request, signal)).tweets, signal),
  );
  // The first request below explains an error.
  if (key === '' || loaded.is === 'failed' || (loaded.is === 'ready' && loaded.data.length === 0)) return null;
  return (
    <section aria-labelledby="newest-title">
      <h2 class="section-title" id="newest-title">
        Newest here
      </h2>
      {loaded.is === 'loading' ? (
        <div class="whole-screen">
          <Loading rows={1} />
        </div>
      ) : (
        <ol class="newest">
          {loaded.data.map((tweet) => (
            <li class="panel boxed" key={tweet.id}>
              <TweetCard tweet={tweet} />
            </li>
          ))}
        </ol>
      )}
      <p>
        <a href={`${root}explore`}>All tweets, and search</a>
      </p>
    </section>
  );
}
