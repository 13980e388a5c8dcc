/** /u/NAME: a user with tweets, replies, media, highlights, following, mentions and communities. */
import {
  Avatar,
  BadRequestError,
  Fault,
  LinkedText,
  ListView,
  LiveBar,
  LiveDot,
  Loading,
  NotFoundError,
  Picture,
  PictureConsent,
  RequestLine,
  Tabs,
  TweetCard,
  UserRow,
  Verified,
  chosenTab,
  client,
  communityHref,
  compact,
  listOf,
  monthOf,
  mediaName,
  mount,
  numberOf,
  plural,
  send,
  setTitle,
  showMedia,
  subject,
  useArrivals,
  useEffect,
  useList,
  useLoaded,
  utcDay,
  type AnyTweet,
  type ApiRequest,
  type ComponentChildren,
  type Community,
  type Schemas,
  type User,
  type VNode,
} from '../kit/index.ts';
import { Bars, Line } from '../plot/plot.tsx';
import { covering, perTime, walk } from '../explore/walk.ts';
import { FeedAddress } from '../lists/feed-address.tsx';
import { isUsername } from '../../server/text/username.ts';
import { Missing } from './missing.tsx';
import { Disclosures } from '../lists/disclosures.tsx';

const username = subject().replace(/^@/, '');
/** A username that consists of digits needs the @, otherwise it would be an id. */
const named = { username: /^\d+$/.test(username) ? `@${username}` : username };

const user = (operation: string, more: ApiRequest['parameters'] = {}): ApiRequest => ({
  path: `/social/user/${operation}`,
  parameters: { ...named, ...more },
});

const drawTweet = (tweet: AnyTweet): VNode => <TweetCard tweet={tweet} />;
const tweetList = (empty: string) => listOf<AnyTweet>('tweets', { name: 'Tweets', draw: drawTweet, empty });

const feed = { path: '/feeds/user', parameters: named };

function OwnTweets({ request }: { request: ApiRequest }): VNode {
  const list = useList<AnyTweet>(request, 'tweets');
  const arrivals = useArrivals({ user: named.username });
  return (
    <>
      <Disclosures all={[{ name: 'Feed', draw: () => <FeedAddress feed={feed} of={`@${username}`} /> }]}>
        <LiveDot state={arrivals.state} />
      </Disclosures>
      <LiveBar arrivals={arrivals} show={list.prepend} />
      <ListView list={list} name="Tweets" draw={drawTweet} empty="No tweets yet" />
    </>
  );
}

const userList = (member: string, name: string, empty: string) =>
  listOf<User>(member, { name, draw: (each) => <UserRow user={each} />, empty });

const CommunityRow = ({ community }: { community: Community }): VNode => (
  <article class="tweet-card user-row">
    <Avatar user={{ name: community.name, username: community.id, profile_image: '' }} />
    <div>
      <a class="user-name" href={communityHref(community.id)}>
        <bdi class="name">{community.name}</bdi>
      </a>
      <p class="text" dir="auto">
        {community.description}
      </p>
      <p class="facts">
        <span>{plural(community.member_count, 'member')}</span>
        <span>{community.role}</span>
        <span>{community.join_policy}</span>
      </p>
    </div>
  </article>
);

const Communities = listOf<Community>('communities', {
  name: 'Communities',
  draw: (community) => <CommunityRow community={community} />,
  empty: 'In no community here',
});

/** Pictures and videos as a grid, one tile for each tweet. A press shows all that are loaded, beginning with that one. */
function MediaList({ request }: { request: ApiRequest }): VNode {
  const list = useList<Schemas['Tweet']>(request, 'tweets');
  const all = list.items.flatMap(({ id, media }) => media.map((each) => ({ media: each, tweetId: id })));
  const tile = ({ id, media }: Schemas['Tweet']): VNode => {
    const [first] = media;
    if (first === undefined) return <></>;
    return (
      <button
        type="button"
        class="cell"
        onClick={() =>
          showMedia(
            all,
            all.findIndex(({ tweetId }) => tweetId === id),
          )
        }
      >
        <Picture url={first.url} alt={first.alt_text ?? mediaName(first, 0, media.length)} />
        {(media.length > 1 || first.type !== 'photo') && (
          <span class="media-kind">
            {first.type === 'photo' ? `${media.length} photos` : `▶ ${mediaName(first, 0, media.length)}`}
          </span>
        )}
      </button>
    );
  };
  return (
    <>
      <PictureConsent urls={all.map(({ media }) => media.url)} />
      <ListView list={list} name="Media" layout="media-tiles" draw={tile} empty="No pictures or videos are here" />
    </>
  );
}

interface Tab {
  readonly request: ApiRequest;
  readonly View: (props: { request: ApiRequest }) => VNode;
}

const tabs: Readonly<Record<string, Tab>> = {
  Tweets: { request: user('last_tweets'), View: OwnTweets },
  Replies: { request: user('last_tweets', { include_replies: '1' }), View: tweetList('No tweets or replies yet') },
  Media: {
    request: {
      path: '/social/tweet/advanced_search',
      parameters: { query: `from:${username} filter:media`, query_type: 'Latest' },
    },
    View: MediaList,
  },
  Highlights: { request: user('highlights'), View: tweetList('No highlights') },
  Following: { request: user('followings'), View: userList('following', 'Following', 'Follows nobody here') },
  Followers: { request: user('followers'), View: userList('followers', 'Followers', 'No followers are known here') },
  Mentions: { request: user('mentions'), View: tweetList('Nobody mentions this user') },
  Communities: { request: { path: '/social/community/members', parameters: { username } }, View: Communities },
};

/** How many tweets the plots are about: one request. */
const plotted = 100;

type Info = Schemas['UserInfo'];

/** The names of the counts, and the tab that lists what is counted. */
const countNames = [
  ['following_count', 'following', 'following', 'Following'],
  ['followers_count', 'follower', 'followers', 'Followers'],
  ['tweet_count', 'tweet', 'tweets', 'Tweets'],
  ['like_count', 'like', 'likes', undefined],
  ['media_count', 'photo or video', 'photos and videos', 'Media'],
] as const;

/** The counts that are known; an unknown one is not zero. */
const ProfileCounts = ({ user: of, unknown_counts: unknown }: Info): VNode => (
  <p class="facts">
    {countNames
      .filter(([name]) => !unknown.includes(name))
      .map(([name, one, many, to]) => {
        const words = (
          <>
            <b>{compact(of[name])}</b> {of[name] === 1 ? one : many}
          </>
        );
        const title = plural(of[name], one, many);
        return to === undefined ? (
          <span key={name} title={title}>
            {words}
          </span>
        ) : (
          <a key={name} title={title} href={`?tab=${to}`}>
            {words}
          </a>
        );
      })}
  </p>
);

const About = ({ info }: { info: Info }): VNode => {
  const { description, location: place, created_at: joined, profile_image: face, profile_banner: banner } = info.user;
  return (
    <div class="profile-about">
      {description !== '' && <LinkedText text={description} />}
      {(place !== '' || joined !== undefined) && (
        <p class="facts">
          {place !== '' && <bdi>{place}</bdi>}
          {joined !== undefined && <span>Joined {monthOf(joined)}</span>}
        </p>
      )}
      <ProfileCounts {...info} />
      <PictureConsent urls={[face, banner]} />
    </div>
  );
};

/** `info`: undefined for a user of whom only the username is known. */
function Header({ info }: { info: Info | undefined }): VNode {
  const { name, username: named, profile_image, profile_banner: banner = '' } = { ...nobody, ...info?.user };
  return (
    <header class="profile">
      <div class={`banner tone-${numberOf(username, 6)}`} aria-hidden="true">
        {banner !== '' && <Picture url={banner} alt="" />}
      </div>
      <div class="profile-who">
        <Avatar user={{ name, username: named, profile_image }} size="large" />
        <div>
          <h1>
            <bdi>{name === '' ? `@${username}` : name}</bdi>{' '}
            {(info?.user.verified === true || info?.user.is_blue_verified === true) && <Verified />}
          </h1>
          <p class="hint">@{named === '' ? username : named}</p>
        </div>
      </div>
      {info === undefined ? (
        <p class="hint profile-about">The profile is not in this archive. Other records name this user.</p>
      ) : (
        <About info={info} />
      )}
    </header>
  );
}

const nobody = { name: username, username, profile_image: '' };

/** The profile; undefined for a user of whom only the username is known. Rejects for a user that nothing names. */
async function readInfo(signal: AbortSignal): Promise<Info | undefined> {
  try {
    return await send<Info>(user('info'), signal);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    await send(user('last_tweets', { limit: 1 }), signal);
    return undefined;
  }
}

/** The tweets that the user put on top of the profile, those that are here, and then what is below. */
function Pinned({ ids, children }: { ids: readonly string[]; children: ComponentChildren }): VNode {
  const loaded = useLoaded(ids.join(), (signal) => client.tweets.getTweets({ ids: ids.slice(0, 100) }, { signal }));
  const tweets = loaded.is === 'ready' ? loaded.data.tweets : [];
  return (
    <>
      {tweets.length > 0 && (
        <section class="pinned" aria-label="Pinned">
          <p class="hint">Pinned</p>
          {tweets.map((tweet) => (
            <TweetCard key={tweet.id} tweet={tweet} />
          ))}
        </section>
      )}
      {loaded.is === 'loading' ? (
        <div class="whole-screen">
          <Loading name="Loading the pinned tweets" />
        </div>
      ) : (
        children
      )}
    </>
  );
}

/** Plots of the newest tweets. They appear when the page is there already. */
function Plots(): VNode | null {
  const loaded = useLoaded(username, (signal) =>
    walk<Schemas['Tweet']>(user('last_tweets', { include_replies: '1', limit: plotted }), 'tweets', plotted, signal),
  );
  if (loaded.is !== 'ready') return null;
  const own = loaded.data.items.filter((tweet) => tweet.retweeted_tweet === null).toReversed();
  if (own.length < 3) return null;
  return (
    <>
      <Bars {...perTime(loaded.data.items)} unit="tweets" />
      <Line
        title="Likes of each tweet"
        unit="likes"
        points={own.map(({ like_count: value, created_at: at }) => ({ label: utcDay(Date.parse(at)), value }))}
        covers={covering(own.map(({ created_at: at }) => Date.parse(at)))}
      />
    </>
  );
}

/** Whether no user can have the name: nothing names it, or it is no username. */
const isNobody = (error: unknown): boolean =>
  error instanceof NotFoundError || (error instanceof BadRequestError && !isUsername(username));

function Profile(): VNode {
  const tab = chosenTab(Object.keys(tabs)) ?? 'Tweets';
  const loaded = useLoaded(username, readInfo);
  useEffect(() => setTitle(`@${username}`), []);
  const shown = tabs[tab];
  if (loaded.is === 'loading') return <Loading name="Loading the profile" />;
  if (loaded.is === 'failed')
    return (
      <>
        <h1>@{username}</h1>
        {isNobody(loaded.error) ? <Missing username={username} /> : <Fault error={loaded.error} retry={loaded.retry} />}
      </>
    );
  const pinned = loaded.data?.user.pinned_tweet_ids ?? [];
  const list = shown === undefined ? null : <shown.View request={shown.request} />;
  return (
    <>
      <Header info={loaded.data} />
      <Tabs name="Parts of the profile" tabs={Object.keys(tabs)} current={tab} />
      <div class="columns">
        <section aria-label={tab}>
          {tab === 'Tweets' && pinned.length > 0 ? <Pinned ids={pinned}>{list}</Pinned> : list}
        </section>
        <aside class="rail" aria-label="About this profile">
          <RequestLine request={user('info')} />
          {shown !== undefined && <RequestLine request={shown.request} />}
          <Plots />
        </aside>
      </div>
    </>
  );
}

mount(Profile);
