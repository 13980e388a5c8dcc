// pages/profile/main.tsx
import {
  Avatar,
  Bars,
  CommunityRow,
  Fault,
  FullTweetCard,
  Line,
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
  compact,
  dayOf,
  monthOf,
  mount,
  numberOf,
  perTime,
  plural,
  send,
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
function Followers({ request }) {
  const list = useList(request, "followers");
  return /* @__PURE__ */ jsx(
    ListView,
    {
      list,
      name: "Followers",
      draw: (each) => /* @__PURE__ */ jsx(UserRow, { user: each }),
      empty: "No followers are known here"
    }
  );
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
  Followers: { request: user("followers"), View: Followers },
  Mentions: { request: user("mentions"), View: listed("Nobody mentions this user") },
  Communities: { request: { path: "/social/community/members", parameters: { username } }, View: Communities }
};
var plotted = 100;
var countNames = [
  ["following_count", "following", "following", "Following"],
  ["followers_count", "follower", "followers", "Followers"],
  ["tweet_count", "tweet", "tweets", void 0],
  ["like_count", "like", "likes", void 0],
  ["media_count", "photo or video", "photos and videos", "Media"]
];
var ProfileCounts = ({ user: of, unknown_counts: unknown }) => /* @__PURE__ */ jsx("p", { class: "facts", children: countNames.filter(([name]) => !unknown.includes(name)).map(([name, one, many, to]) => {
  const words = /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx("b", { children: compact(of[name]) }),
    " ",
    of[name] === 1 ? one : many
  ] });
  const title = plural(of[name], one, many);
  return to === void 0 ? /* @__PURE__ */ jsx("span", { title, children: words }, name) : /* @__PURE__ */ jsx("a", { title, href: `?tab=${to}`, children: words }, name);
}) });
var About = ({ info }) => {
  const { description, location: place, created_at: joined, profile_image: face, profile_banner: banner } = info.user;
  return /* @__PURE__ */ jsxs("div", { class: "profile-about", children: [
    description !== "" && /* @__PURE__ */ jsx(LinkedText, { text: description }),
    (place !== "" || joined !== void 0) && /* @__PURE__ */ jsxs("p", { class: "facts", children: [
      place !== "" && /* @__PURE__ */ jsx("bdi", { children: place }),
      joined !== void 0 && /* @__PURE__ */ jsxs("span", { children: [
        "Joined ",
        monthOf(joined)
      ] })
    ] }),
    /* @__PURE__ */ jsx(ProfileCounts, { ...info }),
    /* @__PURE__ */ jsx(PictureConsent, { urls: [face, banner] })
  ] });
};
function Header({ info }) {
  const { name, username: named2, profile_image, profile_banner: banner = "" } = { ...nobody, ...info?.user };
  return /* @__PURE__ */ jsxs("header", { class: "profile", children: [
    /* @__PURE__ */ jsx("div", { class: `banner tone-${numberOf(username, 6)}`, "aria-hidden": "true", children: banner !== "" && /* @__PURE__ */ jsx(Picture, { url: banner, alt: "" }) }),
    /* @__PURE__ */ jsxs("div", { class: "profile-who", children: [
      /* @__PURE__ */ jsx(Avatar, { user: { name, username: named2, profile_image }, size: "large" }),
      /* @__PURE__ */ jsxs("div", { children: [
        /* @__PURE__ */ jsxs("h1", { children: [
          /* @__PURE__ */ jsx("bdi", { children: name === "" ? `@${username}` : name }),
          " ",
          (info?.user.verified === true || info?.user.is_blue_verified === true) && /* @__PURE__ */ jsx(Verified, {})
        ] }),
        /* @__PURE__ */ jsxs("p", { class: "hint", children: [
          "@",
          named2 === "" ? username : named2
        ] })
      ] })
    ] }),
    info === void 0 ? /* @__PURE__ */ jsx("p", { class: "hint profile-about", children: "The profile is not in this archive. Other records name this user." }) : /* @__PURE__ */ jsx(About, { info })
  ] });
}
var nobody = { name: username, username, profile_image: "" };
async function readInfo(signal) {
  try {
    return await send(user("info"), signal);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    await send(user("last_tweets", { limit: 1 }), signal);
    return void 0;
  }
}
function Pinned({ ids }) {
  const loaded = useLoaded(ids.join(), (signal) => client.tweets.getTweets({ ids: ids.slice(0, 100) }, { signal }));
  const tweets = loaded.is === "ready" ? loaded.data.tweets : [];
  if (tweets.length === 0) return null;
  return /* @__PURE__ */ jsxs("section", { class: "pinned", "aria-label": "Pinned", children: [
    /* @__PURE__ */ jsx("p", { class: "hint", children: "Pinned" }),
    tweets.map((tweet) => /* @__PURE__ */ jsx(TweetCard, { tweet }, tweet.id))
  ] });
}
function Plots() {
  const loaded = useLoaded(
    username,
    (signal) => walk(user("last_tweets", { include_replies: "1", limit: plotted }), "tweets", plotted, signal)
  );
  if (loaded.is !== "ready") return null;
  const own = loaded.data.items.filter((tweet) => tweet.retweeted_tweet === null).toReversed();
  if (own.length < 3) return null;
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx(Bars, { ...perTime(loaded.data.items), unit: "tweets" }),
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
  const loaded = useLoaded(username, readInfo);
  useEffect(() => setTitle(`@${username}`), []);
  const shown = tabs[tab];
  if (loaded.is === "loading") return /* @__PURE__ */ jsx(Loading, { name: "Loading the profile" });
  if (loaded.is === "failed")
    return /* @__PURE__ */ jsxs(Fragment, { children: [
      /* @__PURE__ */ jsxs("h1", { children: [
        "@",
        username
      ] }),
      /* @__PURE__ */ jsx(Fault, { error: loaded.error, retry: loaded.retry })
    ] });
  const pinned = loaded.data?.user.pinned_tweet_ids ?? [];
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx(Header, { info: loaded.data }),
    /* @__PURE__ */ jsx(Tabs, { name: "Parts of the profile", tabs: Object.keys(tabs), current: tab }),
    /* @__PURE__ */ jsxs("div", { class: "columns", children: [
      /* @__PURE__ */ jsxs("section", { "aria-label": tab, children: [
        tab === "Tweets" && pinned.length > 0 && /* @__PURE__ */ jsx(Pinned, { ids: pinned }),
        shown !== void 0 && /* @__PURE__ */ jsx(shown.View, { request: shown.request })
      ] }),
      /* @__PURE__ */ jsxs("aside", { class: "rail", "aria-label": "About this profile", children: [
        /* @__PURE__ */ jsx(RequestLine, { request: user("info") }),
        shown !== void 0 && /* @__PURE__ */ jsx(RequestLine, { request: shown.request }),
        /* @__PURE__ */ jsx(Plots, {})
      ] })
    ] })
  ] });
}
mount(Profile);
