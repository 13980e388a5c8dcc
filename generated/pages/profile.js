// pages/profile/main.tsx
import {
  Avatar,
  Fault as Fault2,
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
  client as client2,
  communityHref,
  compact,
  monthOf as monthOf2,
  mediaName,
  mount,
  numberOf,
  plural as plural2,
  send as send2,
  setTitle,
  showMedia,
  subject,
  useArrivals,
  useEffect,
  useList,
  useLoaded,
  utcDay as utcDay2
} from "./kit.js";

// pages/plot/plot.tsx
import { full } from "./frame.js";

// pages/plot/scale.ts
function topOf(points) {
  const max = Math.max(0, ...points.map(({ value }) => value ?? 0));
  if (max === 0) return 1;
  const power = 10 ** Math.floor(Math.log10(max));
  return ([1, 2, 5, 10].find((factor) => factor * power >= max) ?? 10) * power;
}
var ticksOf = (top) => top >= 1 && !Number.isInteger(top / 2) ? [top, 0] : [top, top / 2, 0];

// pages/plot/plot.tsx
import { jsx, jsxs } from "./frame.js";
var width = 320;
var height = 96;
var withUnit = (value, unit) => unit === void 0 ? full(value) : `${full(value)} ${value === 1 ? unit.replace(/s$/, "") : unit}`;
var Numbers = ({ title, points, unit }) => /* @__PURE__ */ jsx("div", { class: "sr", children: /* @__PURE__ */ jsxs("table", { children: [
  /* @__PURE__ */ jsx("caption", { children: title }),
  /* @__PURE__ */ jsx("tbody", { children: points.map(({ label, value }, index) => /* @__PURE__ */ jsxs("tr", { children: [
    /* @__PURE__ */ jsx("th", { scope: "row", children: label }),
    /* @__PURE__ */ jsx("td", { children: value === null ? "no data" : withUnit(value, unit) })
  ] }, index)) })
] }) });
var Axis = ({ top, unit }) => /* @__PURE__ */ jsx("div", { class: "plot-axis", "aria-hidden": "true", children: ticksOf(top).map((value, index) => /* @__PURE__ */ jsx("span", { children: index === 0 ? withUnit(value, unit) : full(value) }, value)) });
var Ends = ({ points }) => /* @__PURE__ */ jsxs("div", { class: "plot-ends", "aria-hidden": "true", children: [
  /* @__PURE__ */ jsx("span", { children: points[0]?.label }),
  points.length > 8 && /* @__PURE__ */ jsx("span", { children: points[Math.floor(points.length / 2)]?.label }),
  points.length > 1 && /* @__PURE__ */ jsx("span", { children: points.at(-1)?.label })
] });
var Frame = ({ props, top, children }) => /* @__PURE__ */ jsxs("figure", { class: "plot", children: [
  /* @__PURE__ */ jsx("figcaption", { children: props.title }),
  /* @__PURE__ */ jsxs("div", { class: "plot-field", children: [
    /* @__PURE__ */ jsxs("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", "aria-hidden": "true", children: [
      [0, 0.5].map((part) => /* @__PURE__ */ jsx("line", { class: "plot-grid", x1: "0", x2: width, y1: height * part, y2: height * part }, part)),
      children
    ] }),
    /* @__PURE__ */ jsx(Axis, { top, unit: props.unit }),
    /* @__PURE__ */ jsx(Ends, { points: props.points })
  ] }),
  props.covers !== void 0 && /* @__PURE__ */ jsx("p", { class: "plot-covers", children: props.covers }),
  /* @__PURE__ */ jsx(Numbers, { ...props })
] });
function Bars(props) {
  const top = topOf(props.points);
  const step = width / Math.max(1, props.points.length);
  const gap = Math.min(2, step / 4);
  return /* @__PURE__ */ jsx(Frame, { props, top, children: props.points.map(({ label, value }, index) => {
    const tall = value === null || value === 0 ? 0 : Math.max(1.5, value / top * height);
    return /* @__PURE__ */ jsx(
      "rect",
      {
        class: "plot-bar",
        x: index * step + gap / 2,
        y: height - tall,
        width: step - gap,
        height: tall,
        children: /* @__PURE__ */ jsx("title", { children: `${label}: ${value === null ? "no data" : withUnit(value, props.unit)}` })
      },
      index
    );
  }) });
}
function runsOf(points) {
  const runs = [];
  let open = false;
  for (const [index, { value }] of points.entries()) {
    if (value !== null) {
      if (!open) runs.push([]);
      runs.at(-1)?.push([index, value]);
    }
    open = value !== null;
  }
  return runs;
}
function Line(props) {
  const top = topOf(props.points);
  const step = width / Math.max(1, props.points.length - 1);
  return /* @__PURE__ */ jsx(Frame, { props, top, children: runsOf(props.points).map((run) => {
    const places = run.map(([index, value]) => [index * step, height - value / top * (height - 2)]);
    const [x, y] = places[0] ?? [0, 0];
    const ends = places.length === 1 ? [[Math.max(0, x - 3), y], [Math.min(width, x + 3), y]] : places;
    const path = ends.map(([at, tall], place) => `${place === 0 ? "M" : "L"}${at.toFixed(1)} ${tall.toFixed(1)}`).join(" ");
    return /* @__PURE__ */ jsxs("g", { children: [
      /* @__PURE__ */ jsx(
        "path",
        {
          class: "plot-area",
          d: `${path} L${(ends.at(-1)?.[0] ?? 0).toFixed(1)} ${height} L${(ends[0]?.[0] ?? 0).toFixed(1)} ${height}Z`
        }
      ),
      /* @__PURE__ */ jsx("path", { class: "plot-line", d: path, "vector-effect": "non-scaling-stroke" })
    ] }, x);
  }) });
}

// pages/explore/walk.ts
import {
  dayMs,
  hourMs,
  minuteMs,
  monthOf,
  piecesOf,
  plural,
  send,
  utcDate,
  utcDay
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
var hourOf = (at) => `${utcDay(at)}, ${new Date(at).toISOString().slice(11, 13)}:00`;
var equal = (name, stepMs, maxSpanMs, label) => ({
  name,
  maxSpanMs,
  numberOf: (at) => Math.floor(at / stepMs),
  labelOf: (step) => label(step * stepMs)
});
var steps = [
  equal("minute", minuteMs, 3 * hourMs, (at) => new Date(at).toISOString().slice(11, 16)),
  equal("hour", hourMs, 3 * dayMs, hourOf),
  equal("day", dayMs, (maxBars - 1) * dayMs, utcDay),
  equal("week", 7 * dayMs, (maxBars - 1) * 7 * dayMs, (at) => `week of ${utcDay(at)}`)
];
var months = {
  name: "month",
  maxSpanMs: Number.POSITIVE_INFINITY,
  numberOf: (at) => new Date(at).getUTCFullYear() * 12 + new Date(at).getUTCMonth(),
  labelOf: (step) => monthOf(new Date(Date.UTC(Math.floor(step / 12), step % 12, 15)).toISOString())
};
var utcMinute = (at) => `${utcDate(at)}, ${new Date(at).toISOString().slice(11, 16)}`;
function covering(times) {
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const range = first === last ? utcMinute(first) : `${utcMinute(first)} to ${utcMinute(last)}`;
  return `${plural(times.length, "tweet")}, ${range} UTC`;
}
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
  const covered = times.filter((_, index) => (numbers[index] ?? 0) >= first);
  return { title: `${what} ${name === "hour" ? "an" : "a"} ${name}`, points, covers: covering(covered) };
}

// pages/lists/feed-address.tsx
import { CopyButton, Fault, baseUrl, client, targetOf, useState } from "./kit.js";
import { Fragment, jsx as jsx2, jsxs as jsxs2 } from "./frame.js";
var maxName = 100;
var controls = /\p{Cc}/gu;
function FeedAddress({ feed: feed2, of }) {
  const [token, setToken] = useState(void 0);
  const [error, setError] = useState(void 0);
  const [isBusy, setBusy] = useState(false);
  const make = () => {
    setBusy(true);
    setError(void 0);
    client.feedToken.create({ name: `Feed of ${of}`.replaceAll(controls, " ").slice(0, maxName) }).then((made) => setToken(made.token), setError).finally(() => setBusy(false));
  };
  if (token === void 0)
    return /* @__PURE__ */ jsxs2(Fragment, { children: [
      /* @__PURE__ */ jsx2("p", { children: "An Atom feed of the newest tweets, for any feed reader. Its address contains a new token, which reads feeds and nothing else, so that your key stays here." }),
      /* @__PURE__ */ jsx2("button", { type: "button", class: "primary", disabled: isBusy, onClick: make, children: "Make the address" }),
      error !== void 0 && /* @__PURE__ */ jsx2(Fault, { error, retry: make })
    ] });
  const address = baseUrl + targetOf({ ...feed2, parameters: { ...feed2.parameters, api_key: token } });
  return /* @__PURE__ */ jsxs2(Fragment, { children: [
    /* @__PURE__ */ jsx2("label", { for: "feed-address", children: "Address of the feed" }),
    /* @__PURE__ */ jsxs2("div", { class: "row", children: [
      /* @__PURE__ */ jsx2(
        "input",
        {
          id: "feed-address",
          class: "grow",
          type: "text",
          readOnly: true,
          value: address,
          "aria-describedby": "feed-hint",
          onFocus: ({ currentTarget }) => currentTarget.select()
        }
      ),
      /* @__PURE__ */ jsx2(CopyButton, { text: () => address, name: "Copy the address" }),
      /* @__PURE__ */ jsx2("a", { class: "button", href: address, rel: "alternate", type: "application/atom+xml", children: "Open" })
    ] }),
    /* @__PURE__ */ jsxs2("p", { class: "hint", id: "feed-hint", children: [
      "Copy it now: the token cannot be shown again. Whoever has the address can read feeds, until you revoke the token with ",
      /* @__PURE__ */ jsx2("code", { children: "/social/feed_token/revoke" }),
      ". With ",
      /* @__PURE__ */ jsx2("code", { children: "format=json" }),
      " it is a JSON feed."
    ] })
  ] });
}

// pages/lists/disclosures.tsx
import { useState as useState2 } from "./frame.js";
import { Fragment as Fragment2, jsx as jsx3, jsxs as jsxs3 } from "./frame.js";
function Disclosures({ all, children }) {
  const [open, setOpen] = useState2(void 0);
  const shown = all.find(({ name }) => name === open);
  return /* @__PURE__ */ jsxs3(Fragment2, { children: [
    /* @__PURE__ */ jsxs3("div", { class: "row disclosures", children: [
      all.map(({ name }) => /* @__PURE__ */ jsx3(
        "button",
        {
          type: "button",
          class: "small",
          "aria-expanded": name === open,
          onClick: () => setOpen(name === open ? void 0 : name),
          children: name
        },
        name
      )),
      children
    ] }),
    shown !== void 0 && /* @__PURE__ */ jsx3("section", { class: "panel", "aria-label": shown.name, children: shown.draw() }, shown.name)
  ] });
}

// pages/profile/main.tsx
import { Fragment as Fragment3, jsx as jsx4, jsxs as jsxs4 } from "./frame.js";
var username = subject().replace(/^@/, "");
var named = { username: /^\d+$/.test(username) ? `@${username}` : username };
var user = (operation, more = {}) => ({
  path: `/social/user/${operation}`,
  parameters: { ...named, ...more }
});
function TweetList({ request, empty }) {
  const list = useList(request, "tweets");
  return /* @__PURE__ */ jsx4(ListView, { list, name: "Tweets", draw: (tweet) => /* @__PURE__ */ jsx4(TweetCard, { tweet }), empty });
}
var feed = { path: "/feeds/user", parameters: named };
function OwnTweets({ request }) {
  const list = useList(request, "tweets");
  const arrivals = useArrivals({ user: named.username });
  return /* @__PURE__ */ jsxs4(Fragment3, { children: [
    /* @__PURE__ */ jsx4(Disclosures, { all: [{ name: "Feed", draw: () => /* @__PURE__ */ jsx4(FeedAddress, { feed, of: `@${username}` }) }], children: /* @__PURE__ */ jsx4(LiveDot, { state: arrivals.state }) }),
    /* @__PURE__ */ jsx4(LiveBar, { arrivals, show: list.prepend }),
    /* @__PURE__ */ jsx4(ListView, { list, name: "Tweets", draw: (tweet) => /* @__PURE__ */ jsx4(TweetCard, { tweet }), empty: "No tweets yet" })
  ] });
}
function Following({ request }) {
  const list = useList(request, "following");
  return /* @__PURE__ */ jsx4(ListView, { list, name: "Following", draw: (each) => /* @__PURE__ */ jsx4(UserRow, { user: each }), empty: "Follows nobody here" });
}
function Followers({ request }) {
  const list = useList(request, "followers");
  return /* @__PURE__ */ jsx4(
    ListView,
    {
      list,
      name: "Followers",
      draw: (each) => /* @__PURE__ */ jsx4(UserRow, { user: each }),
      empty: "No followers are known here"
    }
  );
}
var CommunityRow = ({ community }) => /* @__PURE__ */ jsxs4("article", { class: "tweet-card user-row", children: [
  /* @__PURE__ */ jsx4(Avatar, { user: { name: community.name, username: community.id, profile_image: "" } }),
  /* @__PURE__ */ jsxs4("div", { children: [
    /* @__PURE__ */ jsx4("a", { class: "user-name", href: communityHref(community.id), children: /* @__PURE__ */ jsx4("bdi", { class: "name", children: community.name }) }),
    /* @__PURE__ */ jsx4("p", { class: "text", dir: "auto", children: community.description }),
    /* @__PURE__ */ jsxs4("p", { class: "facts", children: [
      /* @__PURE__ */ jsx4("span", { children: plural2(community.member_count, "member") }),
      /* @__PURE__ */ jsx4("span", { children: community.role }),
      /* @__PURE__ */ jsx4("span", { children: community.join_policy })
    ] })
  ] })
] });
function Communities({ request }) {
  const list = useList(request, "communities");
  return /* @__PURE__ */ jsx4(
    ListView,
    {
      list,
      name: "Communities",
      draw: (community) => /* @__PURE__ */ jsx4(CommunityRow, { community }),
      empty: "In no community here"
    }
  );
}
function MediaList({ request }) {
  const list = useList(request, "tweets");
  const all = list.items.flatMap(({ id, media }) => media.map((each) => ({ media: each, tweetId: id })));
  const tile = ({ id, media }) => {
    const [first] = media;
    if (first === void 0) return /* @__PURE__ */ jsx4(Fragment3, {});
    return /* @__PURE__ */ jsxs4(
      "button",
      {
        type: "button",
        class: "cell",
        onClick: () => showMedia(
          all,
          all.findIndex(({ tweetId }) => tweetId === id)
        ),
        children: [
          /* @__PURE__ */ jsx4(Picture, { url: first.url, alt: first.alt_text ?? mediaName(first, 0, media.length) }),
          (media.length > 1 || first.type !== "photo") && /* @__PURE__ */ jsx4("span", { class: "media-kind", children: first.type === "photo" ? `${media.length} photos` : `▶ ${mediaName(first, 0, media.length)}` })
        ]
      }
    );
  };
  return /* @__PURE__ */ jsxs4(Fragment3, { children: [
    /* @__PURE__ */ jsx4(PictureConsent, { urls: all.map(({ media }) => media.url) }),
    /* @__PURE__ */ jsx4(ListView, { list, name: "Media", layout: "media-tiles", draw: tile, empty: "No pictures or videos are here" })
  ] });
}
var listed = (empty) => ({ request }) => /* @__PURE__ */ jsx4(TweetList, { request, empty });
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
  ["tweet_count", "tweet", "tweets", "Tweets"],
  ["like_count", "like", "likes", void 0],
  ["media_count", "photo or video", "photos and videos", "Media"]
];
var ProfileCounts = ({ user: of, unknown_counts: unknown }) => /* @__PURE__ */ jsx4("p", { class: "facts", children: countNames.filter(([name]) => !unknown.includes(name)).map(([name, one, many, to]) => {
  const words = /* @__PURE__ */ jsxs4(Fragment3, { children: [
    /* @__PURE__ */ jsx4("b", { children: compact(of[name]) }),
    " ",
    of[name] === 1 ? one : many
  ] });
  const title = plural2(of[name], one, many);
  return to === void 0 ? /* @__PURE__ */ jsx4("span", { title, children: words }, name) : /* @__PURE__ */ jsx4("a", { title, href: `?tab=${to}`, children: words }, name);
}) });
var About = ({ info }) => {
  const { description, location: place, created_at: joined, profile_image: face, profile_banner: banner } = info.user;
  return /* @__PURE__ */ jsxs4("div", { class: "profile-about", children: [
    description !== "" && /* @__PURE__ */ jsx4(LinkedText, { text: description }),
    (place !== "" || joined !== void 0) && /* @__PURE__ */ jsxs4("p", { class: "facts", children: [
      place !== "" && /* @__PURE__ */ jsx4("bdi", { children: place }),
      joined !== void 0 && /* @__PURE__ */ jsxs4("span", { children: [
        "Joined ",
        monthOf2(joined)
      ] })
    ] }),
    /* @__PURE__ */ jsx4(ProfileCounts, { ...info }),
    /* @__PURE__ */ jsx4(PictureConsent, { urls: [face, banner] })
  ] });
};
function Header({ info }) {
  const { name, username: named2, profile_image, profile_banner: banner = "" } = { ...nobody, ...info?.user };
  return /* @__PURE__ */ jsxs4("header", { class: "profile", children: [
    /* @__PURE__ */ jsx4("div", { class: `banner tone-${numberOf(username, 6)}`, "aria-hidden": "true", children: banner !== "" && /* @__PURE__ */ jsx4(Picture, { url: banner, alt: "" }) }),
    /* @__PURE__ */ jsxs4("div", { class: "profile-who", children: [
      /* @__PURE__ */ jsx4(Avatar, { user: { name, username: named2, profile_image }, size: "large" }),
      /* @__PURE__ */ jsxs4("div", { children: [
        /* @__PURE__ */ jsxs4("h1", { children: [
          /* @__PURE__ */ jsx4("bdi", { children: name === "" ? `@${username}` : name }),
          " ",
          (info?.user.verified === true || info?.user.is_blue_verified === true) && /* @__PURE__ */ jsx4(Verified, {})
        ] }),
        /* @__PURE__ */ jsxs4("p", { class: "hint", children: [
          "@",
          named2 === "" ? username : named2
        ] })
      ] })
    ] }),
    info === void 0 ? /* @__PURE__ */ jsx4("p", { class: "hint profile-about", children: "The profile is not in this archive. Other records name this user." }) : /* @__PURE__ */ jsx4(About, { info })
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
  const loaded = useLoaded(ids.join(), (signal) => client2.tweets.getTweets({ ids: ids.slice(0, 100) }, { signal }));
  const tweets = loaded.is === "ready" ? loaded.data.tweets : [];
  return /* @__PURE__ */ jsxs4(Fragment3, { children: [
    tweets.length > 0 && /* @__PURE__ */ jsxs4("section", { class: "pinned", "aria-label": "Pinned", children: [
      /* @__PURE__ */ jsx4("p", { class: "hint", children: "Pinned" }),
      tweets.map((tweet) => /* @__PURE__ */ jsx4(TweetCard, { tweet }, tweet.id))
    ] }),
    loaded.is === "loading" ? /* @__PURE__ */ jsx4("div", { class: "whole-screen", children: /* @__PURE__ */ jsx4(Loading, { name: "Loading the pinned tweets" }) }) : children
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
  return /* @__PURE__ */ jsxs4(Fragment3, { children: [
    /* @__PURE__ */ jsx4(Bars, { ...perTime(loaded.data.items), unit: "tweets" }),
    /* @__PURE__ */ jsx4(
      Line,
      {
        title: "Likes of each tweet",
        unit: "likes",
        points: own.map(({ like_count: value, created_at: at }) => ({ label: utcDay2(Date.parse(at)), value })),
        covers: covering(own.map(({ created_at: at }) => Date.parse(at)))
      }
    )
  ] });
}
function Profile() {
  const tab = chosenTab(Object.keys(tabs)) ?? "Tweets";
  const loaded = useLoaded(username, readInfo);
  useEffect(() => setTitle(`@${username}`), []);
  const shown = tabs[tab];
  if (loaded.is === "loading") return /* @__PURE__ */ jsx4(Loading, { name: "Loading the profile" });
  if (loaded.is === "failed")
    return /* @__PURE__ */ jsxs4(Fragment3, { children: [
      /* @__PURE__ */ jsxs4("h1", { children: [
        "@",
        username
      ] }),
      /* @__PURE__ */ jsx4(Fault2, { error: loaded.error, retry: loaded.retry })
    ] });
  const pinned = loaded.data?.user.pinned_tweet_ids ?? [];
  const list = shown === void 0 ? null : /* @__PURE__ */ jsx4(shown.View, { request: shown.request });
  return /* @__PURE__ */ jsxs4(Fragment3, { children: [
    /* @__PURE__ */ jsx4(Header, { info: loaded.data }),
    /* @__PURE__ */ jsx4(Tabs, { name: "Parts of the profile", tabs: Object.keys(tabs), current: tab }),
    /* @__PURE__ */ jsxs4("div", { class: "columns", children: [
      /* @__PURE__ */ jsx4("section", { "aria-label": tab, children: tab === "Tweets" && pinned.length > 0 ? /* @__PURE__ */ jsx4(Pinned, { ids: pinned, children: list }) : list }),
      /* @__PURE__ */ jsxs4("aside", { class: "rail", "aria-label": "About this profile", children: [
        /* @__PURE__ */ jsx4(RequestLine, { request: user("info") }),
        shown !== void 0 && /* @__PURE__ */ jsx4(RequestLine, { request: shown.request }),
        /* @__PURE__ */ jsx4(Plots, {})
      ] })
    ] })
  ] });
}
mount(Profile);
