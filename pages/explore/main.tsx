/** /explore?q=…: tweets that match a query, newest or most engaged first, the people it names, and what the results have in common. */
import {
  BadRequestError,
  Choice,
  ListView,
  LiveBar,
  LiveDot,
  Nothing,
  RequestLine,
  TweetCard,
  client,
  full,
  mount,
  root,
  searchHref,
  sentence,
  setTitle,
  useArrivals,
  useEffect,
  useList,
  useLoaded,
  useState,
  type AnyTweet,
  type ListState,
  type VNode,
} from '../kit/index.ts';
import { FeedAddress } from '../lists/feed-address.tsx';
import { Disclosures } from '../lists/disclosures.tsx';
import { QueryErrorPlace } from '../query/query-error-place.tsx';
import { parseQueryError } from '../query/query-error.ts';
import { examples } from './examples.ts';
import { Insights } from './insights.tsx';
import { MeaningOf } from './meaning-of.tsx';
import { People, peopleOf, useNamed } from './people.tsx';
import { SavedSearches } from './saved-searches.tsx';

/** What is shown without a query: everything but replies. */
const everything = '-filter:replies';

const parameters = new URLSearchParams(location.search);
const query = (parameters.get('q') ?? '').trim();
const order = parameters.get('order') === 'top' ? 'Top' : 'Latest';
const searched = query === '' ? everything : query;
const request = { path: '/social/tweet/advanced_search', parameters: { query: searched, query_type: order } } as const;

const Examples = (): VNode => (
  <p class="examples">
    {examples.map((example) => (
      <a key={example} href={searchHref(example, order)}>
        {example}
      </a>
    ))}
  </p>
);

/** How many tweets match: exactly up to 10,000. A count that takes too long is left out. */
function Total(): VNode {
  const loaded = useLoaded(searched, (signal) =>
    client.tweet.counts({ query: searched, granularity: 'all' }, { signal }),
  );
  const { total, total_relation: relation } = loaded.is === 'ready' ? loaded.data : { total: 0, total_relation: '' };
  const words = `${full(total)}${relation === 'at_least' ? '+' : ''} ${total === 1 ? 'tweet' : 'tweets'}`;
  return (
    <p class="total" role="status">
      {loaded.is === 'loading' && <span class="hint">Counting …</span>}
      {loaded.is === 'ready' && <b>{words}</b>}
    </p>
  );
}

/** An error in the query: what is wrong, where, and a button for the suggestion. */
function QueryFault({ error }: { error: BadRequestError }): VNode {
  const { message } = error;
  return (
    <div class="panel fault" role="alert">
      <h2>This query cannot be read</h2>
      <p>{sentence(message.replace(/^'query' cannot be read at \d+: /, ''))}</p>
      <QueryErrorPlace
        error={parseQueryError(message)}
        text={query}
        applyFix={(fixed) => location.assign(searchHref(fixed, order))}
      />
      <p class="hint">
        <a href={`${root}docs/search`}>The query language</a> with all its operators.
      </p>
    </div>
  );
}

const Empty = (): VNode =>
  query === '' ? (
    <Nothing title="There are no tweets here yet">
      <p>
        <a href={`${root}import`}>Import an archive</a>, or <a href={`${root}operate`}>follow accounts</a>. New tweets
        appear here by themselves.
      </p>
    </Nothing>
  ) : (
    <>
      <Nothing title="No tweets match this query">
        <p>
          Try fewer words, or one of the examples. <a href={searchHref('')}>Show everything</a>
        </p>
      </Nothing>
      <Examples />
    </>
  );

/** The list waits for the people above it, so that it does not move. */
function useResults(): { list: ListState<AnyTweet>; people: ReturnType<typeof peopleOf> } {
  const list = useList<AnyTweet>(request, 'tweets');
  const named = useNamed(query);
  const waits = named.is === 'loading' && list.error === undefined;
  const [first, setFirst] = useState<readonly AnyTweet[]>([]);
  // The people are those of the first page: they stay as they are while the reader goes on.
  useEffect(() => {
    if (first.length === 0 && list.items.length > 0) setFirst(list.items);
  }, [list.items]);
  const shown = first.length === 0 ? list.items : first;
  return {
    list: waits ? { ...list, items: [], isLoading: true } : list,
    people: waits ? [] : peopleOf(query, named.is === 'ready' ? named.data : [], shown),
  };
}

function Results() {
  const { list, people } = useResults();
  const arrivals = useArrivals(order === 'Latest' ? { search: searched } : undefined);
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  if (list.error instanceof BadRequestError && parseQueryError(list.error.message).offset !== undefined)
    return <QueryFault error={list.error} />;
  return (
    <>
      <People people={people} />
      <LiveBar
        arrivals={arrivals}
        show={(tweets) => {
          setFresh(new Set(tweets.map(({ id }) => id)));
          list.prepend(tweets);
        }}
      />
      <div class="row spread feed-head">
        <Choice
          name="Order"
          values={['Latest', 'Top'] as const}
          value={order}
          choose={(next) => location.assign(searchHref(query, next))}
        />
        <LiveDot state={arrivals.state} />
      </div>
      <ListView
        list={list}
        name="Tweets"
        draw={(tweet) => <TweetCard tweet={tweet} isNew={fresh.has(tweet.id)} />}
        empty={<Empty />}
      />
    </>
  );
}

const feed = { path: '/feeds/search', parameters: { query: searched } };

/** What a reader can do with the search. */
const Tools = (): VNode => (
  <Disclosures
    all={[
      { name: 'What it means', draw: () => <MeaningOf query={searched} isTyped={query !== ''} /> },
      { name: 'Saved searches', draw: () => <SavedSearches query={query} /> },
      { name: 'Feed', draw: () => <FeedAddress feed={feed} of={searched} /> },
    ]}
  >
    <Total />
  </Disclosures>
);

function Explore() {
  useEffect(() => setTitle(query === '' ? 'Explore' : `${query} · Explore`), []);
  return (
    <>
      <h1 class="searched">{query === '' ? 'Explore' : <bdi>{query}</bdi>}</h1>
      {query === '' && <Examples />}
      <Tools />
      <div class="columns">
        <section aria-label="Results">
          <Results />
        </section>
        <aside class="rail" aria-label="About these results">
          <RequestLine request={request} />
          <Insights query={searched} />
        </aside>
      </div>
    </>
  );
}

mount(Explore);
