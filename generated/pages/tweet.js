// pages/tweet/main.tsx
import {
  Avatar,
  Counts,
  Fault,
  FullTweetCard,
  ListView,
  LiveBar,
  LiveDot,
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
  longTime,
  mount,
  postUrl,
  searchHref,
  send,
  setTitle,
  subject,
  tweetHref,
  useArrivals,
  useEffect,
  useEvents,
  useList,
  useLoaded,
  useRef,
  useState
} from "./kit.js";
import { Fragment, jsx, jsxs } from "./kit.js";
var id = subject();
var search = (query, more = {}) => ({
  path: "/social/tweet/advanced_search",
  parameters: { query, query_type: "Latest", ...more }
});
var threadOf = (tweetId) => ({
  path: "/social/tweet/thread",
  parameters: { tweet_id: tweetId, limit: 100 }
});
var infoOf = (tweetId) => ({ path: "/social/tweet/info", parameters: { tweet_id: tweetId } });
async function readTweet(signal) {
  try {
    const [info, thread] = await Promise.all([send(infoOf(id), signal), send(threadOf(id), signal)]);
    return { info, thread };
  } catch (error) {
    if (error instanceof NotFoundError) return void 0;
    throw error;
  }
}
function useCounts(tweet) {
  const [counts, setCounts] = useState({});
  useEvents({ engagement: tweet.id }, ({ data }) => {
    if ("tweet_id" in data && data.tweet_id === tweet.id) setCounts(data);
  });
  return { ...tweet, ...counts };
}
var NotHere = ({ text, of }) => /* @__PURE__ */ jsxs("p", { class: "not-here", children: [
  text,
  " ",
  /* @__PURE__ */ jsx("span", { class: "id", children: of })
] });
function Subject({ info, isBelow }) {
  const { tweet, unknown_counts: unknown, quoted_tweet_id: quoted, retweeted_tweet_id: retweeted } = info;
  const counted = useCounts(tweet);
  const origin = postUrl(tweet);
  const place = useRef(null);
  useEffect(() => {
    if (isBelow) place.current?.scrollIntoView({ block: "start" });
  }, []);
  if (tweet.retweeted_tweet !== null) return /* @__PURE__ */ jsx(TweetCard, { tweet });
  return /* @__PURE__ */ jsxs("article", { class: "tweet-main", ref: place, children: [
    /* @__PURE__ */ jsxs("div", { class: "by", children: [
      /* @__PURE__ */ jsx(Avatar, { user: tweet.author }),
      /* @__PURE__ */ jsx(UserName, { user: tweet.author })
    ] }),
    /* @__PURE__ */ jsx(TweetText, { tweet }),
    /* @__PURE__ */ jsx(TweetExtras, { tweet }),
    quoted !== null && tweet.quoted_tweet === null && /* @__PURE__ */ jsx(NotHere, { text: "It quotes a tweet that is not in this archive.", of: quoted }),
    retweeted !== null && /* @__PURE__ */ jsx(NotHere, { text: "It retweets a tweet that is not in this archive.", of: retweeted }),
    /* @__PURE__ */ jsxs("p", { class: "hint", children: [
      /* @__PURE__ */ jsx("time", { dateTime: tweet.created_at, children: longTime(tweet.created_at) }),
      " · ",
      /* @__PURE__ */ jsx("span", { class: "id", children: tweet.id })
    ] }),
    /* @__PURE__ */ jsx(Counts, { tweet: counted, unknown }),
    /* @__PURE__ */ jsxs("div", { class: "row", children: [
      /* @__PURE__ */ jsx("a", { class: "button primary", href: askHref(tweet.id), children: "Ask about it" }),
      origin !== void 0 && /* @__PURE__ */ jsx("a", { class: "button", href: origin, target: "_blank", rel: "noopener noreferrer nofollow", children: "Original" }),
      /* @__PURE__ */ jsx("a", { class: "button", href: searchHref(`conversation_id:${tweet.id}`), children: "Whole conversation" })
    ] })
  ] });
}
var Ancestors = ({ info, thread }) => {
  const { ancestors, missing_ancestor_id: missing } = thread;
  if (ancestors.length === 0 && missing === null) return null;
  const whose = ancestors.length === 0 && info.in_reply_to_username !== null ? ` by @${info.in_reply_to_username}` : "";
  return /* @__PURE__ */ jsxs("section", { "aria-label": "Before this tweet", children: [
    missing !== null && (ancestors.length < maxAncestors ? /* @__PURE__ */ jsx(NotHere, { text: `A reply to a tweet${whose} that is not in this archive.`, of: missing }) : /* @__PURE__ */ jsx("p", { class: "not-here", children: /* @__PURE__ */ jsx("a", { href: tweetHref(missing), children: "Earlier tweets of this conversation" }) })),
    /* @__PURE__ */ jsx("ol", { class: "feed ancestors", children: ancestors.map((each) => /* @__PURE__ */ jsx("li", { children: /* @__PURE__ */ jsx(TweetCard, { tweet: each }) }, each.id)) })
  ] });
};
var maxAncestors = 100;
function Thread({ thread }) {
  const items = thread.tweets.slice(1);
  const last = items.at(-1);
  if (last === void 0) return null;
  return /* @__PURE__ */ jsxs("section", { "aria-labelledby": "thread-title", children: [
    /* @__PURE__ */ jsx("h2", { class: "section-title", id: "thread-title", children: "The author’s thread" }),
    /* @__PURE__ */ jsx("ol", { class: "feed threaded", children: items.map((each) => /* @__PURE__ */ jsx("li", { children: /* @__PURE__ */ jsx(TweetCard, { tweet: each }) }, each.id)) }),
    thread.has_next_page && /* @__PURE__ */ jsx("p", { children: /* @__PURE__ */ jsx("a", { href: tweetHref(last.id), children: "The thread continues" }) })
  ] });
}
function Replies({ request }) {
  const list = useList(request, "replies");
  const arrivals = useArrivals({ replies: id });
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx(LiveDot, { state: arrivals.state }),
    /* @__PURE__ */ jsx(LiveBar, { arrivals, show: list.prepend }),
    /* @__PURE__ */ jsx(ListView, { list, name: "Replies", draw: (tweet) => /* @__PURE__ */ jsx(TweetCard, { tweet }), empty: "No replies yet" })
  ] });
}
function Quotes({ request }) {
  const list = useList(request, "tweets");
  return /* @__PURE__ */ jsx(ListView, { list, name: "Quotes", draw: (tweet) => /* @__PURE__ */ jsx(FullTweetCard, { tweet }), empty: "Nobody quotes it" });
}
function Retweeters({ request }) {
  const list = useList(request, "retweeters");
  return /* @__PURE__ */ jsx(ListView, { list, name: "Retweeters", draw: (user) => /* @__PURE__ */ jsx(UserRow, { user }), empty: "Nobody retweeted it" });
}
var tabs = {
  Replies: { request: { path: "/social/tweet/replies", parameters: { tweet_id: id } }, View: Replies },
  Quotes: { request: search(`quoted_tweet_id:${id}`), View: Quotes },
  Retweeters: { request: { path: "/social/tweet/retweeters", parameters: { tweet_id: id } }, View: Retweeters }
};
var names = ["Replies", "Quotes", "Retweeters"];
var Missing = () => /* @__PURE__ */ jsxs(Nothing, { title: "This tweet is not here", children: [
  /* @__PURE__ */ jsx("p", { children: "It was deleted, or this service never had it: it has only what was imported or followed." }),
  /* @__PURE__ */ jsx("p", { children: /* @__PURE__ */ jsx("a", { href: searchHref(""), children: "Explore what is here" }) })
] });
function Loaded({ info, thread }) {
  const tab = chosenTab(names) ?? "Replies";
  const { request, View } = tabs[tab];
  const { author, text } = info.tweet;
  useEffect(() => setTitle(`${author.name}: ${text.slice(0, 60)}`), []);
  return /* @__PURE__ */ jsxs("div", { class: "columns", children: [
    /* @__PURE__ */ jsxs("div", { children: [
      /* @__PURE__ */ jsxs("h1", { class: "sr", children: [
        "Tweet of ",
        author.name
      ] }),
      /* @__PURE__ */ jsx(Ancestors, { info, thread }),
      /* @__PURE__ */ jsx(Subject, { info, isBelow: thread.ancestors.length > 0 }),
      /* @__PURE__ */ jsx(Thread, { thread }),
      /* @__PURE__ */ jsx(Tabs, { name: "Parts of the tweet", tabs: names, current: tab }),
      /* @__PURE__ */ jsx("section", { "aria-label": tab, children: /* @__PURE__ */ jsx(View, { request }) })
    ] }),
    /* @__PURE__ */ jsxs("aside", { class: "rail", "aria-label": "Requests of this page", children: [
      /* @__PURE__ */ jsx(RequestLine, { request: infoOf(id) }),
      /* @__PURE__ */ jsx(RequestLine, { request: threadOf(id) }),
      /* @__PURE__ */ jsx(RequestLine, { request })
    ] })
  ] });
}
function TweetPage() {
  const loaded = useLoaded(tweetHref(id), readTweet);
  if (loaded.is === "loading") return /* @__PURE__ */ jsx(Loading, { rows: 2, name: "Loading the tweet" });
  if (loaded.is === "ready" && loaded.data !== void 0) return /* @__PURE__ */ jsx(Loaded, { ...loaded.data });
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx("h1", { children: "Tweet" }),
    loaded.is === "failed" ? /* @__PURE__ */ jsx(Fault, { error: loaded.error, again: loaded.again }) : /* @__PURE__ */ jsx(Missing, {})
  ] });
}
var NoId = () => /* @__PURE__ */ jsxs(Fragment, { children: [
  /* @__PURE__ */ jsx("h1", { children: "Tweet" }),
  /* @__PURE__ */ jsx(Nothing, { title: "This is not the id of a tweet", children: /* @__PURE__ */ jsx("p", { children: "An id has 1 to 19 digits." }) })
] });
mount(/^\d{1,19}$/.test(id) ? TweetPage : NoId);
