/** /c/ID: tweets of a community. */
import {
  FullTweetCard,
  ListView,
  LiveBar,
  LiveDot,
  RequestLine,
  Tabs,
  chosenTab,
  mount,
  setTitle,
  subject,
  useArrivals,
  useEffect,
  useList,
  type AnyTweet,
  type VNode,
} from '../kit/index.ts';

const id = subject();
const names = ['Recommended', 'Media'] as const;
const paths = { Recommended: '/social/community/discover', Media: '/social/community/media' } as const;

function CommunityPage(): VNode {
  const tab = chosenTab(names) ?? 'Recommended';
  const request = { path: paths[tab], parameters: { id } };
  const list = useList<AnyTweet>(request, 'tweets');
  const arrivals = useArrivals({ community: id });
  useEffect(() => setTitle(`Community ${id}`), []);
  return (
    <>
      <h1>Community</h1>
      <p class="lead id">{id}</p>
      <Tabs name="Parts of the community" tabs={names} current={tab} />
      <div class="columns">
        <section aria-label={tab}>
          <LiveDot state={arrivals.state} />
          <LiveBar arrivals={arrivals} show={list.prepend} />
          <ListView
            list={list}
            name="Tweets"
            draw={(tweet) => <FullTweetCard tweet={tweet} />}
            empty="No tweets here"
          />
        </section>
        <aside class="rail" aria-label="Request of this page">
          <RequestLine request={request} />
        </aside>
      </div>
    </>
  );
}

mount(CommunityPage);
