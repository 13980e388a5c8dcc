// pages/profile/main.tsx
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
  walk
} from "./kit.js";
import { Fragment, jsx, jsxs } from "./kit.js";
var username = subject().replace(/^@/, "");
var named = { username: /^\d+$/.test(username) ? `@${username}` : username };
var user = (operation, more = {}) => ({
  path: `/social/user/${operation}`,
  parameters: { ...named, ...more }
});
function TweetList({ request, empty }) {
  const list = useList(request, "tweets");
  return /* @__PURE__ */ jsx(ListView, { list, name: "Tweets", draw: (tweet) => /* @__PURE__ */ jsx(FullTweetCard, { tweet }), empty });
}
function OwnTweets({ request }) {
  const list = useList(request, "tweets");
  const arrivals = useArrivals({ user: named.username });
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx("div", { class: "row spread feed-head", children: /* @__PURE__ */ jsx(LiveDot, { state: arrivals.state }) }),
    /* @__PURE__ */ jsx(LiveBar, { arrivals, show: list.prepend }),
    /* @__PURE__ */ jsx(ListView, { list, name: "Tweets", draw: (tweet) => /* @__PURE__ */ jsx(TweetCard, { tweet }), empty: "No tweets yet" })
  ] });
}
function Following({ request }) {
  const list = useList(request, "following");
  return /* @__PURE__ */ jsx(ListView, { list, name: "Following", draw: (each) => /* @__PURE__ */ jsx(UserRow, { user: each }), empty: "Follows nobody here" });
}
function Communities({ request }) {
  const list = useList(request, "communities");
  return /* @__PURE__ */ jsx(
    ListView,
    {
      list,
      name: "Communities",
      draw: (community) => /* @__PURE__ */ jsx(CommunityRow, { community }),
      empty: "In no community here"
    }
  );
}
var listed = (empty) => ({ request }) => /* @__PURE__ */ jsx(TweetList, { request, empty });
var tabs = {
  Tweets: { request: user("last_tweets"), View: OwnTweets },
  Replies: { request: user("last_tweets", { include_replies: "1" }), View: listed("No tweets or replies yet") },
  Media: {
    request: {
      path: "/social/tweet/advanced_search",
      parameters: { query: `from:${username} filter:media`, query_type: "Latest" }
    },
    View: listed("No tweets with media")
  },
  Highlights: { request: user("highlights"), View: listed("No highlights") },
  Following: { request: user("followings"), View: Following },
  Mentions: { request: user("mentions"), View: listed("Nobody mentions this user") },
  Communities: { request: { path: "/social/community/members", parameters: { username } }, View: Communities }
};
var plotted = 100;
function Header({ tweets }) {
  const author = tweets[0]?.author;
  return /* @__PURE__ */ jsxs("div", { class: "profile", children: [
    /* @__PURE__ */ jsx("div", { class: `banner tone-${numberOf(username, 6)}`, "aria-hidden": "true" }),
    /* @__PURE__ */ jsxs("div", { class: "profile-who", children: [
      /* @__PURE__ */ jsx(Avatar, { user: author ?? { name: username, username, profile_image: "" }, size: "large" }),
      /* @__PURE__ */ jsxs("div", { children: [
        /* @__PURE__ */ jsxs("h1", { children: [
          /* @__PURE__ */ jsx("bdi", { children: author?.name ?? username }),
          " ",
          author?.verified === true && /* @__PURE__ */ jsx(Verified, {})
        ] }),
        /* @__PURE__ */ jsxs("p", { class: "hint", children: [
          "@",
          author?.username ?? username,
          author !== void 0 && /* @__PURE__ */ jsxs(Fragment, { children: [
            " · ",
            /* @__PURE__ */ jsx("b", { children: compact(author.followers_count) }),
            " followers"
          ] })
        ] })
      ] })
    ] })
  ] });
}
function Plots({ tweets }) {
  const own = tweets.filter((tweet) => tweet.retweeted_tweet === null).toReversed();
  if (own.length < 3) return null;
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx(Bars, { ...perTime(tweets), unit: "tweets" }),
    /* @__PURE__ */ jsx(
      Line,
      {
        title: "Likes of each tweet",
        unit: "likes",
        points: own.map(({ like_count: value, created_at: at }) => ({ label: dayOf(at), value }))
      }
    ),
    /* @__PURE__ */ jsxs("p", { class: "hint", children: [
      "The newest ",
      own.length,
      " tweets and replies."
    ] })
  ] });
}
function Profile() {
  const tab = chosenTab(Object.keys(tabs)) ?? "Tweets";
  const loaded = useLoaded(
    username,
    (signal) => walk(user("last_tweets", { include_replies: "1", limit: plotted }), "tweets", plotted, signal)
  );
  useEffect(() => setTitle(`@${username}`), []);
  const shown = tabs[tab];
  if (loaded.is === "loading") return /* @__PURE__ */ jsx(Loading, { name: "Loading the profile" });
  if (loaded.is === "failed")
    return /* @__PURE__ */ jsxs(Fragment, { children: [
      /* @__PURE__ */ jsxs("h1", { children: [
        "@",
        username
      ] }),
      /* @__PURE__ */ jsx(Fault, { error: loaded.error, again: loaded.again })
    ] });
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx(Header, { tweets: loaded.data.items }),
    /* @__PURE__ */ jsx(Tabs, { name: "Parts of the profile", tabs: Object.keys(tabs), current: tab }),
    /* @__PURE__ */ jsxs("div", { class: "columns", children: [
      /* @__PURE__ */ jsx("section", { "aria-label": tab, children: shown !== void 0 && /* @__PURE__ */ jsx(shown.View, { request: shown.request }) }),
      /* @__PURE__ */ jsxs("aside", { class: "rail", "aria-label": "About this profile", children: [
        shown !== void 0 && /* @__PURE__ */ jsx(RequestLine, { request: shown.request }),
        /* @__PURE__ */ jsx(Plots, { tweets: loaded.data.items })
      ] })
    ] })
  ] });
}
mount(Profile);
