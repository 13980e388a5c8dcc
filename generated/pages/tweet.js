// pages/tweet/main.tsx
import {
  Avatar,
  Counts,
  Fault as Fault2,
  Loading,
  NotFoundError,
  Nothing,
  RequestLine,
  Tabs,
  TweetCard as TweetCard2,
  TweetExtras,
  TweetText,
  UserName,
  UserRow,
  askHref,
  chosenTab,
  listOf,
  client as client2,
  longTime,
  mount,
  originOf,
  searchHref,
  send as send2,
  setTitle,
  subject,
  tweetHref as tweetHref2,
  useEffect as useEffect3,
  useEvents,
  useLoaded as useLoaded2,
  useRef as useRef3,
  useState as useState3
} from "./kit.js";

// pages/tweet/conversation.tsx
import {
  ListView,
  LiveBar,
  LiveDot,
  TweetCard,
  completed,
  plural,
  send,
  tweetHref,
  useArrivals,
  useEffect,
  useList,
  useLoaded,
  useRef,
  useState
} from "./kit.js";
import { Fragment, jsx, jsxs } from "./frame.js";
var maxDepth = 3;
var repliesTo = (id2, limit) => ({
  path: "/social/tweet/advanced_search",
  parameters: { query: `in_reply_to_tweet_id:${id2}`, query_type: "Top", limit }
});
function useSeen() {
  const place = useRef(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (place.current === null || isSeen) return void 0;
    const observer = new IntersectionObserver(
      (entries) => void (entries.some(({ isIntersecting }) => isIntersecting) && setSeen(true)),
      { rootMargin: "300px" }
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [isSeen]);
  return [place, isSeen];
}
function BestReply({ to, depth }) {
  const loaded = useLoaded(
    to.id,
    async (signal) => completed((await send(repliesTo(to.id, 1), signal)).tweets, signal)
  );
  const [best] = loaded.is === "ready" ? loaded.data : [];
  return best === void 0 ? null : /* @__PURE__ */ jsx(Branch, { tweet: best, depth });
}
function AllReplies({ to, depth }) {
  const list = useList(repliesTo(to.id, 20), "tweets");
  return /* @__PURE__ */ jsx(
    ListView,
    {
      list,
      name: `Replies to ${to.author.name}`,
      draw: (tweet) => /* @__PURE__ */ jsx(Branch, { tweet, depth }),
      empty: "Its replies are not in this archive",
      continues: "button"
    }
  );
}
function Below({ tweet, depth }) {
  const [showsAll, setAll] = useState(false);
  const [place, isSeen] = useSeen();
  const showsBest = depth === 0;
  const others = tweet.reply_count - (showsBest ? 1 : 0);
  if (depth >= maxDepth)
    return /* @__PURE__ */ jsx("p", { class: "branch", children: /* @__PURE__ */ jsxs("a", { href: tweetHref(tweet.id), children: [
      "Continue with ",
      plural(tweet.reply_count, "reply", "replies")
    ] }) });
  return /* @__PURE__ */ jsxs("div", { class: "branch", ref: place, children: [
    showsAll && /* @__PURE__ */ jsx(AllReplies, { to: tweet, depth: depth + 1 }),
    !showsAll && showsBest && isSeen && /* @__PURE__ */ jsx(BestReply, { to: tweet, depth: depth + 1 }),
    !showsAll && others > 0 && /* @__PURE__ */ jsxs("button", { type: "button", class: "small", onClick: () => setAll(true), children: [
      "Show ",
      plural(others, showsBest ? "more reply" : "reply", showsBest ? "more replies" : "replies")
    ] })
  ] });
}
function Branch({ tweet, depth }) {
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx(TweetCard, { tweet }),
    tweet.reply_count > 0 && /* @__PURE__ */ jsx(Below, { tweet, depth })
  ] });
}
function Replies({
  request,
  id: id2,
  shown
}) {
  const list = useList(request, "replies");
  const arrivals = useArrivals({ replies: id2 });
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx("div", { class: "feed-head", children: /* @__PURE__ */ jsx(LiveDot, { state: arrivals.state }) }),
    /* @__PURE__ */ jsx(LiveBar, { arrivals, show: list.prepend }),
    /* @__PURE__ */ jsx(
      ListView,
      {
        list: { ...list, items: list.items.filter((each) => !shown.has(each.id)) },
        name: "Replies",
        draw: (tweet) => /* @__PURE__ */ jsx(Branch, { tweet, depth: 0 }),
        empty: "No replies yet"
      }
    )
  ] });
}

// pages/tweet/unlike.tsx
import { Fault, client, useEffect as useEffect2, useRef as useRef2, useState as useState2 } from "./kit.js";
import { jsx as jsx2, jsxs as jsxs2 } from "./frame.js";
function Unlike({ tweetId, onDone }) {
  const [state, setState] = useState2("liked");
  const [error, setError] = useState2(void 0);
  const place = useRef2(null);
  useEffect2(() => {
    if (state === "asks") place.current?.querySelector("button")?.focus();
    if (state === "removed" || state === "gone") place.current?.focus();
  }, [state]);
  const remove = () => {
    setState("removes");
    setError(void 0);
    client.tweet.unlike({ tweet_id: tweetId }).then(
      ({ success }) => {
        setState(success ? "removed" : "gone");
        onDone();
      },
      (fault) => {
        setState("asks");
        setError(fault);
      }
    );
  };
  if (state === "removed" || state === "gone")
    return /* @__PURE__ */ jsx2("div", { class: "panel", role: "status", tabIndex: -1, ref: place, children: state === "removed" ? "The like is removed." : "The like was removed before." });
  if (state === "liked")
    return /* @__PURE__ */ jsxs2("div", { class: "row liked", children: [
      /* @__PURE__ */ jsx2("span", { class: "hint", children: "The account of this service likes it." }),
      /* @__PURE__ */ jsx2("button", { type: "button", class: "small", onClick: () => setState("asks"), children: "Unlike" })
    ] });
  return /* @__PURE__ */ jsxs2("div", { class: "panel", role: "group", "aria-labelledby": "unlike-title", ref: place, children: [
    /* @__PURE__ */ jsx2("h2", { id: "unlike-title", children: "Remove the like?" }),
    /* @__PURE__ */ jsx2("p", { children: "The tweet loses the like of the account of this service in this archive, for all who read it. It cannot be set again here. On the platform nothing changes." }),
    /* @__PURE__ */ jsxs2("div", { class: "row", children: [
      /* @__PURE__ */ jsx2("button", { type: "button", onClick: () => setState("liked"), children: "Keep it" }),
      /* @__PURE__ */ jsx2("button", { type: "button", class: "danger", disabled: state === "removes", onClick: remove, children: "Remove the like" })
    ] }),
    error !== void 0 && /* @__PURE__ */ jsx2(Fault, { error, retry: remove })
  ] });
}

// pages/tweet/main.tsx
import { Fragment as Fragment2, jsx as jsx3, jsxs as jsxs3 } from "./frame.js";
var id = subject();
var threadOf = (tweetId, limit = 100) => ({
  path: "/social/tweet/thread",
  parameters: { tweet_id: tweetId, limit }
});
var infoOf = (tweetId) => ({ path: "/social/tweet/info", parameters: { tweet_id: tweetId } });
var maxClimbs = 50;
async function rootOf(first, signal) {
  let thread = first;
  let top = id;
  for (let climbs = 0; climbs <= maxClimbs; climbs++) {
    const { ancestors, missing_ancestor_id: above } = thread;
    top = above ?? ancestors[0]?.id ?? top;
    if (above === null || ancestors.length < maxAncestors) break;
    thread = await send2(threadOf(above, 1), signal);
  }
  return top;
}
async function readTweet(signal) {
  try {
    const [info, thread] = await Promise.all([send2(infoOf(id), signal), send2(threadOf(id), signal)]);
    return { info, thread, rootId: await rootOf(thread, signal) };
  } catch (error) {
    if (error instanceof NotFoundError) return void 0;
    throw error;
  }
}
function useCounts(tweet) {
  const [counts, setCounts] = useState3({});
  useEvents({ engagement: tweet.id }, ({ data }) => {
    if ("tweet_id" in data && data.tweet_id === tweet.id) setCounts(data);
  });
  const read = () => void client2.tweet.info({ tweet_id: tweet.id }).then(
    ({ tweet: { like_count } }) => setCounts((before) => ({ ...before, like_count })),
    () => {
    }
  );
  return [{ ...tweet, ...counts }, read];
}
var NotHere = ({ text, of }) => /* @__PURE__ */ jsxs3("p", { class: "not-here", children: [
  text,
  " ",
  /* @__PURE__ */ jsx3("span", { class: "id", children: of })
] });
function Subject({ info, isBelow, rootId }) {
  const { tweet, unknown_counts: unknown, quoted_tweet_id: quoted, retweeted_tweet_id: retweeted } = info;
  const [counted, readCounts] = useCounts(tweet);
  const origin = originOf(tweet);
  const place = useRef3(null);
  useEffect3(() => {
    const parts = location.hash === "#parts" ? document.getElementById("parts") : null;
    if (parts !== null) parts.scrollIntoView({ block: "start" });
    else if (isBelow) place.current?.scrollIntoView({ block: "start" });
  }, []);
  if (tweet.retweeted_tweet !== null) return /* @__PURE__ */ jsx3(TweetCard2, { tweet });
  return /* @__PURE__ */ jsxs3("article", { class: "tweet-main", ref: place, children: [
    /* @__PURE__ */ jsxs3("div", { class: "by", children: [
      /* @__PURE__ */ jsx3(Avatar, { user: tweet.author }),
      /* @__PURE__ */ jsx3(UserName, { user: tweet.author })
    ] }),
    /* @__PURE__ */ jsx3(TweetText, { tweet }),
    /* @__PURE__ */ jsx3(TweetExtras, { tweet }),
    quoted !== null && tweet.quoted_tweet === null && /* @__PURE__ */ jsx3(NotHere, { text: "It quotes a tweet that is not in this archive.", of: quoted }),
    retweeted !== null && /* @__PURE__ */ jsx3(NotHere, { text: "It retweets a tweet that is not in this archive.", of: retweeted }),
    /* @__PURE__ */ jsxs3("p", { class: "hint", children: [
      /* @__PURE__ */ jsx3("time", { dateTime: tweet.created_at, children: longTime(tweet.created_at) }),
      " · ",
      /* @__PURE__ */ jsx3("span", { class: "id", children: tweet.id })
    ] }),
    /* @__PURE__ */ jsx3(Counts, { tweet: counted, unknown }),
    /* @__PURE__ */ jsxs3("div", { class: "row", children: [
      /* @__PURE__ */ jsx3("a", { class: "button primary", href: askHref(tweet.id), children: "Ask about it" }),
      origin !== void 0 && /* @__PURE__ */ jsx3("a", { class: "button", href: origin, target: "_blank", rel: "noopener noreferrer nofollow", children: "Original" }),
      /* @__PURE__ */ jsx3("a", { class: "button", href: searchHref(`conversation_id:${rootId}`), children: "Whole conversation" })
    ] }),
    info.liked && /* @__PURE__ */ jsx3(Unlike, { tweetId: tweet.id, onDone: readCounts })
  ] });
}
var Ancestors = ({ info, thread }) => {
  const { ancestors, missing_ancestor_id: missing } = thread;
  if (ancestors.length === 0 && missing === null) return null;
  const whose = ancestors.length === 0 && info.in_reply_to_username !== null ? ` by @${info.in_reply_to_username}` : "";
  return /* @__PURE__ */ jsxs3("section", { "aria-label": "Before this tweet", children: [
    missing !== null && (ancestors.length < maxAncestors ? /* @__PURE__ */ jsx3(NotHere, { text: `A reply to a tweet${whose} that is not in this archive.`, of: missing }) : /* @__PURE__ */ jsx3("p", { class: "not-here", children: /* @__PURE__ */ jsx3("a", { href: tweetHref2(missing), children: "Earlier tweets of this conversation" }) })),
    /* @__PURE__ */ jsx3("ol", { class: "feed ancestors", children: ancestors.map((each) => /* @__PURE__ */ jsx3("li", { children: /* @__PURE__ */ jsx3(TweetCard2, { tweet: each }) }, each.id)) })
  ] });
};
var maxAncestors = 100;
function Thread({ thread }) {
  const items = thread.tweets.slice(1);
  const last = items.at(-1);
  if (last === void 0) return null;
  return /* @__PURE__ */ jsxs3("section", { "aria-labelledby": "thread-title", children: [
    /* @__PURE__ */ jsx3("h2", { class: "section-title", id: "thread-title", children: "The author’s thread" }),
    /* @__PURE__ */ jsx3("ol", { class: "feed threaded", children: items.map((each) => /* @__PURE__ */ jsx3("li", { children: /* @__PURE__ */ jsx3(TweetCard2, { tweet: each }) }, each.id)) }),
    thread.has_next_page && /* @__PURE__ */ jsx3("p", { children: /* @__PURE__ */ jsx3("a", { href: tweetHref2(last.id), children: "The thread continues" }) })
  ] });
}
var Quotes = listOf("quotes", {
  name: "Quotes",
  draw: (tweet) => /* @__PURE__ */ jsx3(TweetCard2, { tweet }),
  empty: "Nobody quotes it"
});
var Retweeters = listOf("retweeters", {
  name: "Retweeters",
  draw: (user) => /* @__PURE__ */ jsx3(UserRow, { user }),
  empty: "Nobody retweeted it"
});
var tabs = {
  Replies: { request: { path: "/social/tweet/replies", parameters: { tweet_id: id } }, View: Replies },
  Quotes: { request: { path: "/social/tweet/quotes", parameters: { tweet_id: id } }, View: Quotes },
  Retweeters: { request: { path: "/social/tweet/retweeters", parameters: { tweet_id: id } }, View: Retweeters }
};
var names = ["Replies", "Quotes", "Retweeters"];
var Missing = () => /* @__PURE__ */ jsxs3(Nothing, { title: "This tweet is not here", children: [
  /* @__PURE__ */ jsx3("p", { children: "It was deleted, or this service never had it: it has only what was imported or followed." }),
  /* @__PURE__ */ jsx3("p", { children: /* @__PURE__ */ jsx3("a", { href: searchHref(""), children: "Explore what is here" }) })
] });
function Loaded({ info, thread, rootId }) {
  const shown = new Set(thread.tweets.map((each) => each.id));
  const tab = chosenTab(names) ?? "Replies";
  const { request, View } = tabs[tab];
  const { author, text } = info.tweet;
  useEffect3(() => setTitle(`${author.name}: ${text.slice(0, 60)}`), []);
  return /* @__PURE__ */ jsxs3("div", { class: "columns", children: [
    /* @__PURE__ */ jsxs3("div", { children: [
      /* @__PURE__ */ jsxs3("h1", { class: "sr", children: [
        "Tweet of ",
        author.name
      ] }),
      /* @__PURE__ */ jsx3(Ancestors, { info, thread }),
      /* @__PURE__ */ jsx3(Subject, { info, isBelow: thread.ancestors.length > 0, rootId }),
      /* @__PURE__ */ jsx3(Thread, { thread }),
      /* @__PURE__ */ jsx3("div", { id: "parts", children: /* @__PURE__ */ jsx3(Tabs, { name: "Parts of the tweet", tabs: names, current: tab }) }),
      /* @__PURE__ */ jsx3("section", { "aria-label": tab, children: /* @__PURE__ */ jsx3(View, { request, id, shown }) })
    ] }),
    /* @__PURE__ */ jsxs3("aside", { class: "rail", "aria-label": "Requests of this page", children: [
      /* @__PURE__ */ jsx3(RequestLine, { request: infoOf(id) }),
      /* @__PURE__ */ jsx3(RequestLine, { request: threadOf(id) }),
      /* @__PURE__ */ jsx3(RequestLine, { request })
    ] })
  ] });
}
function TweetPage() {
  const loaded = useLoaded2(tweetHref2(id), readTweet);
  if (loaded.is === "loading") return /* @__PURE__ */ jsx3(Loading, { rows: 2, name: "Loading the tweet" });
  if (loaded.is === "ready" && loaded.data !== void 0) return /* @__PURE__ */ jsx3(Loaded, { ...loaded.data });
  return /* @__PURE__ */ jsxs3(Fragment2, { children: [
    /* @__PURE__ */ jsx3("h1", { children: "Tweet" }),
    loaded.is === "failed" ? /* @__PURE__ */ jsx3(Fault2, { error: loaded.error, retry: loaded.retry }) : /* @__PURE__ */ jsx3(Missing, {})
  ] });
}
var NoId = () => /* @__PURE__ */ jsxs3(Fragment2, { children: [
  /* @__PURE__ */ jsx3("h1", { children: "Tweet" }),
  /* @__PURE__ */ jsx3(Nothing, { title: "This is not the id of a tweet", children: /* @__PURE__ */ jsx3("p", { children: "An id has 1 to 19 digits." }) })
] });
mount(/^\d{1,19}$/.test(id) ? TweetPage : NoId);
