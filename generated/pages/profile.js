// pages/profile/main.tsx
import {
  Avatar,
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
  dayOf as dayOf2,
  monthOf as monthOf2,
  mediaName,
  mount,
  numberOf,
  plural,
  send as send2,
  setTitle,
  showMedia,
  subject,
  useArrivals,
  useEffect,
  useList,
  useLoaded
} from "./kit.js";

// pages/plot/plot.tsx
import { full } from "./frame.js";
import { jsx, jsxs } from "./frame.js";
var width = 320;
var height = 96;
var Numbers = ({ title, points, unit = "" }) => /* @__PURE__ */ jsx("div", { class: "sr", children: /* @__PURE__ */ jsxs("table", { children: [
  /* @__PURE__ */ jsx("caption", { children: title }),
  /* @__PURE__ */ jsx("tbody", { children: points.map(({ label, value }) => /* @__PURE__ */ jsxs("tr", { children: [
    /* @__PURE__ */ jsx("th", { scope: "row", children: label }),
    /* @__PURE__ */ jsxs("td", { children: [
      full(value),
      " ",
      unit
    ] })
  ] }, label)) })
] }) });
var maxOf = ({ points }) => Math.max(0, ...points.map(({ value }) => value));
var topOf = (props) => Math.max(1, maxOf(props));
function MaxText({ props }) {
  const max = maxOf(props);
  const unit = props.unit === void 0 ? "" : ` ${max === 1 ? props.unit.replace(/s$/, "") : props.unit}`;
  return /* @__PURE__ */ jsxs("span", { class: "plot-max", children: [
    "max ",
    full(max),
    unit
  ] });
}
var Frame = ({ props, children }) => /* @__PURE__ */ jsxs("figure", { class: "plot", children: [
  /* @__PURE__ */ jsxs("figcaption", { children: [
    props.title,
    /* @__PURE__ */ jsx(MaxText, { props })
  ] }),
  /* @__PURE__ */ jsxs("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", "aria-hidden": "true", children: [
    [0.25, 0.5, 0.75].map((part) => /* @__PURE__ */ jsx("line", { class: "plot-grid", x1: "0", x2: width, y1: height * part, y2: height * part }, part)),
    children
  ] }),
  /* @__PURE__ */ jsxs("div", { class: "plot-ends", "aria-hidden": "true", children: [
    /* @__PURE__ */ jsx("span", { children: props.points[0]?.label }),
    /* @__PURE__ */ jsx("span", { children: props.points.at(-1)?.label })
  ] }),
  /* @__PURE__ */ jsx(Numbers, { ...props })
] });
function Bars(props) {
  const max = topOf(props);
  const step = width / Math.max(1, props.points.length);
  const gap = Math.min(2, step / 4);
  return /* @__PURE__ */ jsx(Frame, { props, children: props.points.map(({ label, value }, index) => {
    const tall = value === 0 ? 0 : Math.max(1.5, value / max * height);
    return /* @__PURE__ */ jsx(
      "rect",
      {
        class: "plot-bar",
        x: index * step + gap / 2,
        y: height - tall,
        width: step - gap,
        height: tall,
        children: /* @__PURE__ */ jsx("title", { children: `${label}: ${full(value)} ${props.unit ?? ""}`.trim() })
      },
      label
    );
  }) });
}
function Line(props) {
  const max = topOf(props);
  const step = width / Math.max(1, props.points.length - 1);
  const path = props.points.map(
    ({ value }, index) => `${index === 0 ? "M" : "L"}${(index * step).toFixed(1)} ${(height - value / max * (height - 2)).toFixed(1)}`
  ).join(" ");
  return /* @__PURE__ */ jsxs(Frame, { props, children: [
    /* @__PURE__ */ jsx("path", { class: "plot-area", d: `${path} L${width} ${height} L0 ${height}Z` }),
    /* @__PURE__ */ jsx("path", { class: "plot-line", d: path, "vector-effect": "non-scaling-stroke" })
  ] });
}

// pages/explore/walk.ts
import {
  clockOf,
  dayMs,
  dayOf,
  hourMs,
  minuteMs,
  monthOf,
  piecesOf,
  send
} from "./kit.js";
async function walk(request, member, max, signal) {
  const items = [];
  let cursor;
  do {
    const page = await send(
      request,
      signal,
      cursor
    );
    items.push(...page[member]);
    cursor = page.next_cursor ?? void 0;
  } while (cursor !== void 0 && items.length < max);
  return { items: items.slice(0, max), isComplete: cursor === void 0 };
}
var maxBars = 60;
var hourOf = (at) => `${dayOf(at)}, ${String(new Date(at).getHours()).padStart(2, "0")}:00`;
var equal = (name, stepMs, maxSpanMs, label) => ({
  name,
  maxSpanMs,
  numberOf: (at) => Math.floor(at / stepMs),
  labelOf: (step) => label(step * stepMs)
});
var steps = [
  equal("minute", minuteMs, 3 * hourMs, clockOf),
  equal("hour", hourMs, 3 * dayMs, hourOf),
  equal("day", dayMs, (maxBars - 1) * dayMs, dayOf),
  equal("week", 7 * dayMs, (maxBars - 1) * 7 * dayMs, (at) => `week of ${dayOf(at)}`)
];
var months = {
  name: "month",
  maxSpanMs: Number.POSITIVE_INFINITY,
  numberOf: (at) => new Date(at).getUTCFullYear() * 12 + new Date(at).getUTCMonth(),
  labelOf: (step) => monthOf(new Date(Date.UTC(Math.floor(step / 12), step % 12, 15)).toISOString())
};
function perTime(tweets, what = "Tweets", valueOf = (_) => 1) {
  const times = tweets.map(({ created_at: at }) => Date.parse(at));
  const spanMs = Math.max(...times) - Math.min(...times);
  const { name, numberOf: numberOf2, labelOf } = steps.find(({ maxSpanMs }) => spanMs <= maxSpanMs) ?? months;
  const numbers = times.map(numberOf2);
  const last = Math.max(...numbers);
  const first = Math.max(Math.min(...numbers), last - maxBars + 1);
  const sums = /* @__PURE__ */ new Map();
  tweets.forEach((tweet, index) => {
    const step = numbers[index] ?? 0;
    sums.set(step, (sums.get(step) ?? 0) + valueOf(tweet));
  });
  const points = Array.from({ length: last - first + 1 }, (_, index) => ({
    label: labelOf(first + index),
    value: sums.get(first + index) ?? 0
  }));
  return { title: `${what} ${name === "hour" ? "an" : "a"} ${name}`, points };
}

// pages/profile/main.tsx
import { Fragment, jsx as jsx2, jsxs as jsxs2 } from "./frame.js";
var username = subject().replace(/^@/, "");
var named = { username: /^\d+$/.test(username) ? `@${username}` : username };
var user = (operation, more = {}) => ({
  path: `/social/user/${operation}`,
  parameters: { ...named, ...more }
});
function TweetList({ request, empty }) {
  const list = useList(request, "tweets");
  return /* @__PURE__ */ jsx2(ListView, { list, name: "Tweets", draw: (tweet) => /* @__PURE__ */ jsx2(TweetCard, { tweet }), empty });
}
function OwnTweets({ request }) {
  const list = useList(request, "tweets");
  const arrivals = useArrivals({ user: named.username });
  return /* @__PURE__ */ jsxs2(Fragment, { children: [
    /* @__PURE__ */ jsx2("div", { class: "row spread feed-head", children: /* @__PURE__ */ jsx2(LiveDot, { state: arrivals.state }) }),
    /* @__PURE__ */ jsx2(LiveBar, { arrivals, show: list.prepend }),
    /* @__PURE__ */ jsx2(ListView, { list, name: "Tweets", draw: (tweet) => /* @__PURE__ */ jsx2(TweetCard, { tweet }), empty: "No tweets yet" })
  ] });
}
function Following({ request }) {
  const list = useList(request, "following");
  return /* @__PURE__ */ jsx2(ListView, { list, name: "Following", draw: (each) => /* @__PURE__ */ jsx2(UserRow, { user: each }), empty: "Follows nobody here" });
}
function Followers({ request }) {
  const list = useList(request, "followers");
  return /* @__PURE__ */ jsx2(
    ListView,
    {
      list,
      name: "Followers",
      draw: (each) => /* @__PURE__ */ jsx2(UserRow, { user: each }),
      empty: "No followers are known here"
    }
  );
}
var CommunityRow = ({ community }) => /* @__PURE__ */ jsxs2("article", { class: "tweet-card user-row", children: [
  /* @__PURE__ */ jsx2(Avatar, { user: { name: community.name, username: community.id, profile_image: "" } }),
  /* @__PURE__ */ jsxs2("div", { children: [
    /* @__PURE__ */ jsx2("a", { class: "user-name", href: communityHref(community.id), children: /* @__PURE__ */ jsx2("bdi", { class: "name", children: community.name }) }),
    /* @__PURE__ */ jsx2("p", { class: "text", dir: "auto", children: community.description }),
    /* @__PURE__ */ jsxs2("p", { class: "facts", children: [
      /* @__PURE__ */ jsx2("span", { children: plural(community.member_count, "member") }),
      /* @__PURE__ */ jsx2("span", { children: community.role }),
      /* @__PURE__ */ jsx2("span", { children: community.join_policy })
    ] })
  ] })
] });
function Communities({ request }) {
  const list = useList(request, "communities");
  return /* @__PURE__ */ jsx2(
    ListView,
    {
      list,
      name: "Communities",
      draw: (community) => /* @__PURE__ */ jsx2(CommunityRow, { community }),
      empty: "In no community here"
    }
  );
}
function MediaList({ request }) {
  const list = useList(request, "tweets");
  const all = list.items.flatMap(({ id, media }) => media.map((each) => ({ media: each, tweetId: id })));
  const tile = ({ id, media }) => {
    const [first] = media;
    if (first === void 0) return /* @__PURE__ */ jsx2(Fragment, {});
    return /* @__PURE__ */ jsxs2(
      "button",
      {
        type: "button",
        class: "cell",
        onClick: () => showMedia(
          all,
          all.findIndex(({ tweetId }) => tweetId === id)
        ),
        children: [
          /* @__PURE__ */ jsx2(Picture, { url: first.url, alt: first.alt_text ?? mediaName(first, 0, media.length) }),
          (media.length > 1 || first.type !== "photo") && /* @__PURE__ */ jsx2("span", { class: "media-kind", children: first.type === "photo" ? `${media.length} photos` : `▶ ${mediaName(first, 0, media.length)}` })
        ]
      }
    );
  };
  return /* @__PURE__ */ jsxs2(Fragment, { children: [
    /* @__PURE__ */ jsx2(PictureConsent, { urls: all.map(({ media }) => media.url) }),
    /* @__PURE__ */ jsx2(ListView, { list, name: "Media", layout: "media-tiles", draw: tile, empty: "No pictures or videos are here" })
  ] });
}
var listed = (empty) => ({ request }) => /* @__PURE__ */ jsx2(TweetList, { request, empty });
var tabs = {
  Tweets: { request: user("last_tweets"), View: OwnTweets },
  Replies: { request: user("last_tweets", { include_replies: "1" }), View: listed("No tweets or replies yet") },
  Media: {
    request: {
      path: "/social/tweet/advanced_search",
      parameters: { query: `from:${username} filter:media`, query_type: "Latest" }
    },
    View: MediaList
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
var ProfileCounts = ({ user: of, unknown_counts: unknown }) => /* @__PURE__ */ jsx2("p", { class: "facts", children: countNames.filter(([name]) => !unknown.includes(name)).map(([name, one, many, to]) => {
  const words = /* @__PURE__ */ jsxs2(Fragment, { children: [
    /* @__PURE__ */ jsx2("b", { children: compact(of[name]) }),
    " ",
    of[name] === 1 ? one : many
  ] });
  const title = plural(of[name], one, many);
  return to === void 0 ? /* @__PURE__ */ jsx2("span", { title, children: words }, name) : /* @__PURE__ */ jsx2("a", { title, href: `?tab=${to}`, children: words }, name);
}) });
var About = ({ info }) => {
  const { description, location: place, created_at: joined, profile_image: face, profile_banner: banner } = info.user;
  return /* @__PURE__ */ jsxs2("div", { class: "profile-about", children: [
    description !== "" && /* @__PURE__ */ jsx2(LinkedText, { text: description }),
    (place !== "" || joined !== void 0) && /* @__PURE__ */ jsxs2("p", { class: "facts", children: [
      place !== "" && /* @__PURE__ */ jsx2("bdi", { children: place }),
      joined !== void 0 && /* @__PURE__ */ jsxs2("span", { children: [
        "Joined ",
        monthOf2(joined)
      ] })
    ] }),
    /* @__PURE__ */ jsx2(ProfileCounts, { ...info }),
    /* @__PURE__ */ jsx2(PictureConsent, { urls: [face, banner] })
  ] });
};
function Header({ info }) {
  const { name, username: named2, profile_image, profile_banner: banner = "" } = { ...nobody, ...info?.user };
  return /* @__PURE__ */ jsxs2("header", { class: "profile", children: [
    /* @__PURE__ */ jsx2("div", { class: `banner tone-${numberOf(username, 6)}`, "aria-hidden": "true", children: banner !== "" && /* @__PURE__ */ jsx2(Picture, { url: banner, alt: "" }) }),
    /* @__PURE__ */ jsxs2("div", { class: "profile-who", children: [
      /* @__PURE__ */ jsx2(Avatar, { user: { name, username: named2, profile_image }, size: "large" }),
      /* @__PURE__ */ jsxs2("div", { children: [
        /* @__PURE__ */ jsxs2("h1", { children: [
          /* @__PURE__ */ jsx2("bdi", { children: name === "" ? `@${username}` : name }),
          " ",
          (info?.user.verified === true || info?.user.is_blue_verified === true) && /* @__PURE__ */ jsx2(Verified, {})
        ] }),
        /* @__PURE__ */ jsxs2("p", { class: "hint", children: [
          "@",
          named2 === "" ? username : named2
        ] })
      ] })
    ] }),
    info === void 0 ? /* @__PURE__ */ jsx2("p", { class: "hint profile-about", children: "The profile is not in this archive. Other records name this user." }) : /* @__PURE__ */ jsx2(About, { info })
  ] });
}
var nobody = { name: username, username, profile_image: "" };
async function readInfo(signal) {
  try {
    return await send2(user("info"), signal);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    await send2(user("last_tweets", { limit: 1 }), signal);
    return void 0;
  }
}
function Pinned({ ids, children }) {
  const loaded = useLoaded(ids.join(), (signal) => client.tweets.getTweets({ ids: ids.slice(0, 100) }, { signal }));
  const tweets = loaded.is === "ready" ? loaded.data.tweets : [];
  return /* @__PURE__ */ jsxs2(Fragment, { children: [
    tweets.length > 0 && /* @__PURE__ */ jsxs2("section", { class: "pinned", "aria-label": "Pinned", children: [
      /* @__PURE__ */ jsx2("p", { class: "hint", children: "Pinned" }),
      tweets.map((tweet) => /* @__PURE__ */ jsx2(TweetCard, { tweet }, tweet.id))
    ] }),
    loaded.is === "loading" ? /* @__PURE__ */ jsx2("div", { class: "whole-screen", children: /* @__PURE__ */ jsx2(Loading, { name: "Loading the pinned tweets" }) }) : children
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
  return /* @__PURE__ */ jsxs2(Fragment, { children: [
    /* @__PURE__ */ jsx2(Bars, { ...perTime(loaded.data.items), unit: "tweets" }),
    /* @__PURE__ */ jsx2(
      Line,
      {
        title: "Likes of each tweet",
        unit: "likes",
        points: own.map(({ like_count: value, created_at: at }) => ({ label: dayOf2(at), value }))
      }
    ),
    /* @__PURE__ */ jsxs2("p", { class: "hint", children: [
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
  if (loaded.is === "loading") return /* @__PURE__ */ jsx2(Loading, { name: "Loading the profile" });
  if (loaded.is === "failed")
    return /* @__PURE__ */ jsxs2(Fragment, { children: [
      /* @__PURE__ */ jsxs2("h1", { children: [
        "@",
        username
      ] }),
      /* @__PURE__ */ jsx2(Fault, { error: loaded.error, retry: loaded.retry })
    ] });
  const pinned = loaded.data?.user.pinned_tweet_ids ?? [];
  const list = shown === void 0 ? null : /* @__PURE__ */ jsx2(shown.View, { request: shown.request });
  return /* @__PURE__ */ jsxs2(Fragment, { children: [
    /* @__PURE__ */ jsx2(Header, { info: loaded.data }),
    /* @__PURE__ */ jsx2(Tabs, { name: "Parts of the profile", tabs: Object.keys(tabs), current: tab }),
    /* @__PURE__ */ jsxs2("div", { class: "columns", children: [
      /* @__PURE__ */ jsx2("section", { "aria-label": tab, children: tab === "Tweets" && pinned.length > 0 ? /* @__PURE__ */ jsx2(Pinned, { ids: pinned, children: list }) : list }),
      /* @__PURE__ */ jsxs2("aside", { class: "rail", "aria-label": "About this profile", children: [
        /* @__PURE__ */ jsx2(RequestLine, { request: user("info") }),
        shown !== void 0 && /* @__PURE__ */ jsx2(RequestLine, { request: shown.request }),
        /* @__PURE__ */ jsx2(Plots, {})
      ] })
    ] })
  ] });
}
mount(Profile);
