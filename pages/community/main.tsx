/** /c/ID: a community and its tweets. */
import {
  Avatar,
  TweetCard,
  LinkedText,
  ListView,
  LiveBar,
  LiveDot,
  NotFoundError,
  Nothing,
  RequestLine,
  Tabs,
  chosenTab,
  compact,
  mount,
  searchHref,
  send,
  setTitle,
  subject,
  useArrivals,
  useEffect,
  useList,
  useLoaded,
  type AnyTweet,
  type Schemas,
  type VNode,
} from '../kit/index.ts';

const id = subject();
const info = { path: '/social/community/info', parameters: { id } };
const names = ['Recommended', 'Media'] as const;
const paths = { Recommended: '/social/community/discover', Media: '/social/community/media' } as const;

type Info = Schemas['CommunityInfo'];

/** The community; undefined where the archive has only tweets that name it. */
async function readInfo(signal: AbortSignal): Promise<Info | undefined> {
  try {
    return await send<Info>(info, signal);
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

const policies = {
  open: 'Everyone can join',
  restricted: 'Who wants to join asks first',
  closed: 'Only who is invited can join',
} as const;

function About({ community, unknown_counts: unknown }: Info): VNode {
  return (
    <>
      {community.description !== '' && <LinkedText text={community.description} />}
      <p class="facts">
        {!unknown.includes('member_count') && (
          <span>
            <b>{compact(community.member_count)}</b> {community.member_count === 1 ? 'member' : 'members'}
          </span>
        )}
        {!unknown.includes('moderator_count') && (
          <span>
            <b>{compact(community.moderator_count)}</b> {community.moderator_count === 1 ? 'moderator' : 'moderators'}
          </span>
        )}
        <span>{policies[community.join_policy]}</span>
      </p>
    </>
  );
}

function Header(): VNode {
  const loaded = useLoaded(id, readInfo);
  const community = loaded.is === 'ready' ? loaded.data?.community : undefined;
  const name = community?.name ?? 'Community';
  useEffect(() => setTitle(name), [name]);
  return (
    <header class="community-head">
      <Avatar user={{ name, username: id, profile_image: '' }} size="large" />
      <div>
        <h1>
          <bdi>{name}</bdi>
        </h1>
        {loaded.is === 'ready' && loaded.data !== undefined && <About {...loaded.data} />}
        {loaded.is === 'ready' && loaded.data === undefined && (
          <p class="hint">The archive has no name for this community. Tweets and members name it only by its id.</p>
        )}
      </div>
    </header>
  );
}

const empty = {
  Recommended: 'No tweets of this community are here',
  Media: 'No pictures or videos of this community are here',
};

function CommunityPage(): VNode {
  const tab = chosenTab(names) ?? 'Recommended';
  const request = { path: paths[tab], parameters: { id } };
  const read = useList<AnyTweet>(request, 'tweets');
  // Of a community that nothing names there are no tweets either.
  const list = read.error instanceof NotFoundError ? { ...read, error: undefined, hasMore: false } : read;
  const arrivals = useArrivals({ community: id });
  return (
    <>
      <Header />
      <Tabs name="Parts of the community" tabs={names} current={tab} />
      <div class="columns">
        <section aria-label={tab}>
          <div class="feed-head">
            <LiveDot state={arrivals.state} />
          </div>
          <LiveBar arrivals={arrivals} show={list.prepend} />
          <ListView
            list={list}
            name="Tweets"
            draw={(tweet) => <TweetCard tweet={tweet} />}
            empty={
              <Nothing title={empty[tab]}>
                <p>
                  This service has only what was imported or followed. <a href={searchHref('')}>Explore what is here</a>
                </p>
              </Nothing>
            }
          />
        </section>
        <aside class="rail" aria-label="Requests of this page">
          <RequestLine request={info} />
          <RequestLine request={request} />
        </aside>
      </div>
    </>
  );
}

mount(CommunityPage);
