/** /explore?q=…: tweets that match a query, newest or most engaged first, and what they have in common. */
import {
  Choice,
  TweetCard,
  LiveBar,
  LiveDot,
  ListView,
  Nothing,
  RequestLine,
  mount,
  root,
  searchHref,
  setTitle,
  useArrivals,
  useEffect,
  useList,
  useState,
  type AnyTweet,
} from '../kit/index.ts';
import { examples } from './examples.ts';
import { Insights } from './insights.tsx';

/** What is shown without a query: everything but replies. */
const everything = '-filter:replies';

function SearchBox({ query, order }: { query: string; order: 'Latest' | 'Top' }) {
  const [text, setText] = useState(query);
  const go = (next: string): void => location.assign(searchHref(next, order));
  return (
    <search>
      <form
        class="search-form"
        onSubmit={(event) => {
          event.preventDefault();
          go(text.trim());
        }}
      >
        <input
          type="search"
          name="q"
          aria-label="Search tweets"
          placeholder="Search: words, from:name, #tag, filter:media …"
          autocomplete="off"
          spellcheck={false}
          maxLength={1024}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <button type="submit" class="primary">
          Search
        </button>
      </form>
      <p class="examples">
        {examples.map((example) => (
          <a key={example} href={searchHref(example, order)}>
            {example}
          </a>
        ))}
      </p>
    </search>
  );
}

const parameters = new URLSearchParams(location.search);
const query = (parameters.get('q') ?? '').trim();
const order = parameters.get('order') === 'top' ? 'Top' : 'Latest';
const request = {
  path: '/social/tweet/advanced_search',
  parameters: { query: query === '' ? everything : query, query_type: order },
} as const;

function Results() {
  const list = useList<AnyTweet>(request, 'tweets');
  const arrivals = useArrivals(order === 'Latest' ? { search: request.parameters.query } : undefined);
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  return (
    <section aria-label="Results">
      <div class="row spread feed-head">
        <Choice
          name="Order"
          values={['Latest', 'Top'] as const}
          value={order}
          choose={(next) => location.assign(searchHref(query, next))}
        />
        <LiveDot state={arrivals.state} />
      </div>
      <LiveBar
        arrivals={arrivals}
        show={(tweets) => {
          setFresh(new Set(tweets.map(({ id }) => id)));
          list.prepend(tweets);
        }}
      />
      <ListView
        list={list}
        name="Tweets"
        draw={(tweet) => <TweetCard tweet={tweet} isNew={fresh.has(tweet.id)} />}
        empty={
          query === '' ? (
            <Nothing title="There are no tweets here yet">
              <p>
                <a href={`${root}import`}>Import an archive</a>, or <a href={`${root}operate`}>follow accounts</a>. New
                tweets appear here by themselves.
              </p>
            </Nothing>
          ) : (
            <Nothing title="No tweets match this query">
              <p>
                Try fewer words, or one of the examples above. <a href={searchHref('')}>Show everything</a>
              </p>
            </Nothing>
          )
        }
      />
    </section>
  );
}

function Explore() {
  useEffect(() => setTitle(query === '' ? 'Explore' : `${query} · Explore`), []);
  return (
    <>
      <h1>Explore</h1>
      <SearchBox query={query} order={order} />
      <div class="columns">
        <Results />
        <aside class="rail" aria-label="About these results">
          <RequestLine request={request} />
          <Insights query={request.parameters.query} />
        </aside>
      </div>
    </>
  );
}

mount(Explore);
