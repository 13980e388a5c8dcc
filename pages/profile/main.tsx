/** /u/NAME: a user with tweets, replies, media, highlights, following, mentions and communities. */
import {
  Avatar,
  Bars,
  CommunityRow,
  Fault,
  FullTweetCard,
  Line,
  ListView,
  LiveBar,
  LiveDot,
  Loading,
  RequestLine,
  Tabs,
  TweetCard,
  UserRow,
  Verified,
  chosenTab,
  compact,
  dayOf,
  mount,
  numberOf,
  perTime,
  setTitle,
  subject,
  useArrivals,
  useEffect,
  useList,
  useLoaded,
  walk,
  type AnyTweet,
  type ApiRequest,
  type Community,
  type Schemas,
  type User,
  type VNode,
} from '../kit/index.ts';

const username = subject().replace(/^@/, '');
/** A username that consists of digits needs the @, otherwise it would be an id. */
const named = { username: /^\d+$/.test(username) ? `@${username}` : username };

const user = (operation: string, more: ApiRequest['parameters'] = {}): ApiRequest => ({
  path: `/social/user/${operation}`,
  parameters: { ...named, ...more },
});

function TweetList({ request, empty }: { request: ApiRequest; empty: string }): VNode {
  const list = useList<AnyTweet>(request, 'tweets');
  return <ListView list={list} name="Tweets" draw={(tweet) => <FullTweetCard tweet={tweet} />} empty={empty} />;
}

function OwnTweets({ request }: { request: ApiRequest }): VNode {
  const list = useList<AnyTweet>(request, 'tweets');
  const arrivals = useArrivals({ user: named.username });
  return (
    <>
      <div class="row spread feed-head">
        <LiveDot state={arrivals.state} />
      </div>
      <LiveBar arrivals={arrivals} show={list.prepend} />
      <ListView list={list} name="Tweets" draw={(tweet) => <TweetCard tweet={tweet} />} empty="No tweets yet" />
    </>
  );
}

function Following({ request }: { request: ApiRequest }): VNode {
  const list = useList<User>(request, 'following');
  return <ListView list={list} name="Following" draw={(each) => <UserRow user={each} />} empty="Follows nobody here" />;
}

function Communities({ request }: { request: ApiRequest }): VNode {
  const list = useList<Community>(request, 'communities');
  return (
    <ListView
      list={list}
      name="Communities"
      draw={(community) => <CommunityRow community={community} />}
      empty="In no community here"
    />
  );
}

interface Tab {
  readonly request: ApiRequest;
  readonly View: (props: { request: ApiRequest }) => VNode;
}

const listed =
  (empty: string) =>
  ({ request }: { request: ApiRequest }): VNode => <TweetList request={request} empty={empty} />;

const tabs: Readonly<Record<string, Tab>> = {
  Tweets: { request: user('last_tweets'), View: OwnTweets },
  Replies: { request: user('last_tweets', { include_replies: '1' }), View: listed('No tweets or replies yet') },
  Media: {
    request: {
      path: '/social/tweet/advanced_search',
      parameters: { query: `from:${username} filter:media`, query_type: 'Latest' },
    },
    View: listed('No tweets with media'),
  },
  Highlights: { request: user('highlights'), View: listed('No highlights') },
  Following: { request: user('followings'), View: Following },
  Mentions: { request: user('mentions'), View: listed('Nobody mentions this user') },
  Communities: { request: { path: '/social/community/members', parameters: { username } }, View: Communities },
};

/** How many tweets the plots are about: one request. */
const plotted = 100;

function Header({ tweets }: { tweets: readonly Schemas['Tweet'][] }): VNode {
  const author = tweets[0]?.author;
  return (
    <div class="profile">
      <div class={`banner tone-${numberOf(username, 6)}`} aria-hidden="true" />
      <div class="profile-who">
        <Avatar user={author ?? { name: username, username, profile_image: '' }} size="large" />
        <div>
          <h1>
            <bdi>{author?.name ?? username}</bdi> {author?.verified === true && <Verified />}
          </h1>
          <p class="hint">
            @{author?.username ?? username}
            {author !== undefined && (
              <>
                {' · '}
                <b>{compact(author.followers_count)}</b> followers
              </>
            )}
          </p>
        </div>
      </div>
    </div>
  );
}

function Plots({ tweets }: { tweets: readonly Schemas['Tweet'][] }): VNode | null {
  const own = tweets.filter((tweet) => tweet.retweeted_tweet === null).toReversed();
  if (own.length < 3) return null;
  return (
    <>
      <Bars {...perTime(tweets)} unit="tweets" />
      <Line
        title="Likes of each tweet"
        unit="likes"
        points={own.map(({ like_count: value, created_at: at }) => ({ label: dayOf(at), value }))}
      />
      <p class="hint">The newest {own.length} tweets and replies.</p>
    </>
  );
}

function Profile(): VNode {
  const tab = chosenTab(Object.keys(tabs)) ?? 'Tweets';
  const loaded = useLoaded(username, (signal) =>
    walk<Schemas['Tweet']>(user('last_tweets', { include_replies: '1', limit: plotted }), 'tweets', plotted, signal),
  );
  useEffect(() => setTitle(`@${username}`), []);
  const shown = tabs[tab];
  if (loaded.is === 'loading') return <Loading name="Loading the profile" />;
  if (loaded.is === 'failed')
    return (
      <>
        <h1>@{username}</h1>
        <Fault error={loaded.error} again={loaded.again} />
      </>
    );
  return (
    <>
      <Header tweets={loaded.data.items} />
      <Tabs name="Parts of the profile" tabs={Object.keys(tabs)} current={tab} />
      <div class="columns">
        <section aria-label={tab}>{shown !== undefined && <shown.View request={shown.request} />}</section>
        <aside class="rail" aria-label="About this profile">
          {shown !== undefined && <RequestLine request={shown.request} />}
          <Plots tweets={loaded.data.items} />
        </aside>
      </div>
    </>
  );
}

mount(Profile);
