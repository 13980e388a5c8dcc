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
  fullForm,
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
  useState,
  walk
} from "./kit.js";
import { Fragment, jsx, jsxs } from "./kit.js";
var id = subject();
var search = (query, more = {}) => ({
  path: "/social/tweet/advanced_search",
  parameters: { query, query_type: "Latest", ...more }
});
var itself = () => search(`since_id:${(BigInt(id) - 1n).toString()} max_id:${id} include:nativeretweets`, { limit: 1 });
var maxBack = 500;
async function readTweet(signal) {
  const { tweets } = await send(itself(), signal);
  const found = tweets.find((tweet) => tweet.id === id);
  return found === void 0 ? void 0 : await fullForm(found, maxBack) ?? found;
}
function useCounts(tweet) {
  const [counts, setCounts] = useState({});
  useEvents({ engagement: tweet.id }, ({ data }) => {
    if ("tweet_id" in data && data.tweet_id === tweet.id) setCounts(data);
  });
  return { ...tweet, ...counts };
}
function Subject({ tweet }) {
  const repeated = "media" in tweet ? tweet.retweeted_tweet : null;
  const counted = useCounts(tweet);
  const origin = postUrl(tweet);
  if (repeated !== null) return /* @__PURE__ */ jsx(TweetCard, { tweet });
  return /* @__PURE__ */ jsxs("article", { class: "tweet-main", children: [
    /* @__PURE__ */ jsxs("div", { class: "by", children: [
      /* @__PURE__ */ jsx(Avatar, { user: tweet.author }),
      /* @__PURE__ */ jsx(UserName, { user: tweet.author })
    ] }),
    /* @__PURE__ */ jsx(TweetText, { tweet }),
    /* @__PURE__ */ jsx(TweetExtras, { tweet }),
    /* @__PURE__ */ jsxs("p", { class: "hint", children: [
      /* @__PURE__ */ jsx("time", { dateTime: tweet.created_at, children: longTime(tweet.created_at) }),
      " · ",
      /* @__PURE__ */ jsx("span", { class: "id", children: tweet.id })
    ] }),
    /* @__PURE__ */ jsx(Counts, { tweet: counted, all: true }),
    /* @__PURE__ */ jsxs("div", { class: "row", children: [
      /* @__PURE__ */ jsx("a", { class: "button primary", href: askHref(tweet.id), children: "Ask about it" }),
      origin !== void 0 && /* @__PURE__ */ jsx("a", { class: "button", href: origin, target: "_blank", rel: "noopener noreferrer nofollow", children: "Original" }),
      /* @__PURE__ */ jsx("a", { class: "button", href: searchHref(`conversation_id:${tweet.id}`), children: "Whole conversation" })
    ] })
  ] });
}
function Thread({ tweet }) {
  const loaded = useLoaded(
    tweet.id,
    (signal) => walk(
      search(`conversation_id:${tweet.id} from:${tweet.author.username} to:${tweet.author.username}`, { limit: 100 }),
      "tweets",
      100,
      signal
    )
  );
  const items = loaded.is === "ready" ? loaded.data.items.filter((each) => each.id !== tweet.id).toReversed() : [];
  if (items.length === 0) return null;
  return /* @__PURE__ */ jsxs("section", { "aria-labelledby": "thread-title", children: [
    /* @__PURE__ */ jsx("h2", { class: "section-title", id: "thread-title", children: "The author’s thread" }),
    /* @__PURE__ */ jsx("ol", { class: "feed threaded", children: items.map((each) => /* @__PURE__ */ jsx("li", { children: /* @__PURE__ */ jsx(FullTweetCard, { tweet: each }) }, each.id)) })
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
function Loaded({ tweet }) {
  const tab = chosenTab(names) ?? "Replies";
  const { request, View } = tabs[tab];
  useEffect(() => setTitle(`${tweet.author.name}: ${tweet.text.slice(0, 60)}`), []);
  return /* @__PURE__ */ jsxs("div", { class: "columns", children: [
    /* @__PURE__ */ jsxs("div", { children: [
      /* @__PURE__ */ jsxs("h1", { class: "sr", children: [
        "Tweet of ",
        tweet.author.name
      ] }),
      /* @__PURE__ */ jsx(Subject, { tweet }),
      /* @__PURE__ */ jsx(Thread, { tweet }),
      /* @__PURE__ */ jsx(Tabs, { name: "Parts of the tweet", tabs: names, current: tab }),
      /* @__PURE__ */ jsx("section", { "aria-label": tab, children: /* @__PURE__ */ jsx(View, { request }) })
    ] }),
    /* @__PURE__ */ jsxs("aside", { class: "rail", "aria-label": "Requests of this page", children: [
      /* @__PURE__ */ jsx(RequestLine, { request: itself() }),
      /* @__PURE__ */ jsx(RequestLine, { request })
    ] })
  ] });
}
function TweetPage() {
  const loaded = useLoaded(tweetHref(id), readTweet);
  if (loaded.is === "loading") return /* @__PURE__ */ jsx(Loading, { rows: 2, name: "Loading the tweet" });
  if (loaded.is === "ready" && loaded.data !== void 0) return /* @__PURE__ */ jsx(Loaded, { tweet: loaded.data });
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
