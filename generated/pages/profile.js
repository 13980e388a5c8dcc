// pages/profile/main.tsx
import {
  Avatar,
  BadRequestError,
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
  UserRow as UserRow2,
  Verified,
  chosenTab,
  client as client3,
  communityHref,
  compact,
  listOf,
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
  useLoaded as useLoaded2,
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
  /* @__PURE__ */ jsx("tbody", { children: points.map(({ label: label2, value }, index) => /* @__PURE__ */ jsxs("tr", { children: [
    /* @__PURE__ */ jsx("th", { scope: "row", children: label2 }),
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
  return /* @__PURE__ */ jsx(Frame, { props, top, children: props.points.map(({ label: label2, value }, index) => {
    const tall = value === null || value === 0 ? 0 : Math.max(1.5, value / top * height);
    return /* @__PURE__ */ jsx(
      "rect",
      {
        class: "plot-bar",
        x: index * step + gap / 2,
        y: height - tall,
        width: step - gap,
        height: tall,
        children: /* @__PURE__ */ jsx("title", { children: `${label2}: ${value === null ? "no data" : withUnit(value, props.unit)}` })
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
var equal = (name, stepMs, maxSpanMs, label2) => ({
  name,
  maxSpanMs,
  numberOf: (at) => Math.floor(at / stepMs),
  labelOf: (step) => label2(step * stepMs)
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
import {
  CopyButton,
  Fault,
  baseUrl,
  client,
  targetOf,
  useState
} from "./kit.js";
import { Fragment, jsx as jsx2, jsxs as jsxs2 } from "./frame.js";
var maxName = 100;
var controls = /\p{Cc}/gu;
function Address({ address, revoke }) {
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
      /* @__PURE__ */ jsx2("a", { class: "button", href: address, rel: "alternate", type: "application/atom+xml", children: "Open" }),
      /* @__PURE__ */ jsx2("button", { type: "button", class: "small danger", onClick: revoke, children: "Revoke" })
    ] }),
    /* @__PURE__ */ jsxs2("p", { class: "hint", id: "feed-hint", children: [
      "Copy it now: the token cannot be shown again. Whoever has the address can read feeds, until you revoke it here or with ",
      /* @__PURE__ */ jsx2("code", { children: "/social/feed_token/revoke" }),
      ". With ",
      /* @__PURE__ */ jsx2("code", { children: "format=json" }),
      " it is a JSON feed."
    ] })
  ] });
}
function FeedAddress({ feed: feed2, of }) {
  const [made, setMade] = useState(void 0);
  const [isRevoked, setRevoked] = useState(false);
  const [error, setError] = useState(void 0);
  const [isBusy, setBusy] = useState(false);
  const run = (action) => {
    setBusy(true);
    setError(void 0);
    action().catch(setError).finally(() => setBusy(false));
  };
  const make = () => run(
    async () => setMade(await client.feedToken.create({ name: `Feed of ${of}`.replaceAll(controls, " ").slice(0, maxName) }))
  );
  const revoke = (id) => run(async () => {
    await client.feedToken.revoke({ id });
    setMade(void 0);
    setRevoked(true);
  });
  return /* @__PURE__ */ jsxs2(Fragment, { children: [
    made === void 0 ? /* @__PURE__ */ jsxs2(Fragment, { children: [
      /* @__PURE__ */ jsx2("p", { children: "An Atom feed of the newest tweets, for any feed reader. Its address contains a new token, which reads feeds and nothing else, so that your key stays here." }),
      /* @__PURE__ */ jsx2("p", { role: "status", children: isRevoked ? "The last address is revoked: it no longer works." : "" }),
      /* @__PURE__ */ jsx2("button", { type: "button", class: "primary", disabled: isBusy, onClick: make, children: "Make the address" })
    ] }) : /* @__PURE__ */ jsx2(
      Address,
      {
        address: baseUrl + targetOf({ ...feed2, parameters: { ...feed2.parameters, api_key: made.token } }),
        revoke: () => revoke(made.id)
      }
    ),
    error !== void 0 && /* @__PURE__ */ jsx2(Fault, { error, retry: made === void 0 ? make : void 0 })
  ] });
}

// server/text/username.ts
var label = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
var lastLabel = "[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
var handlePattern = String.raw`(?:${label}\.){1,126}${lastLabel}`;
var maxLength = 253;
var username = new RegExp(`^(?:[A-Za-z0-9_]{1,15}|${handlePattern})$`);
var isUsername = (text) => text.length <= maxLength && username.test(text);

// pages/profile/missing.tsx
import { Nothing, UserRow, client as client2, root, searchHref, useLoaded } from "./kit.js";
import { Fragment as Fragment2, jsx as jsx3, jsxs as jsxs3 } from "./frame.js";
var usualHost = ".bsky.social";
function similarNames(username3) {
  const name = username3.replace(/^(?:bluesky|bsky|x|twitter|https?):(?:\/\/[^/]*\/(?:profile\/)?)?@?/i, "").toLowerCase();
  const [first = ""] = name.split(".");
  return [.../* @__PURE__ */ new Set([name, `${name}${usualHost}`, first, `${first}${usualHost}`])].filter(
    (each) => each !== username3.toLowerCase() && isUsername(each)
  );
}
var targetOf2 = (username3) => username3.includes(".") ? `bluesky:${username3}` : `x:${username3}`;
function Meant({ users }) {
  if (users.length === 0) return null;
  return /* @__PURE__ */ jsxs3("section", { "aria-labelledby": "meant", children: [
    /* @__PURE__ */ jsx3("h2", { class: "section-title", id: "meant", children: "Did you mean" }),
    /* @__PURE__ */ jsx3("ol", { class: "feed narrow", children: users.map((user2) => /* @__PURE__ */ jsx3("li", { children: /* @__PURE__ */ jsx3(UserRow, { user: user2 }) }, user2.id)) })
  ] });
}
function Missing({ username: username3 }) {
  const names = similarNames(username3);
  const loaded = useLoaded(
    `similar ${username3}`,
    async (signal) => names.length === 0 ? [] : (await client2.users.getUsers({ usernames: names }, { signal })).users
  );
  return /* @__PURE__ */ jsxs3(Fragment2, { children: [
    loaded.is === "ready" && /* @__PURE__ */ jsx3(Meant, { users: loaded.data }),
    loaded.is !== "loading" && /* @__PURE__ */ jsxs3(Nothing, { title: "Nobody here has this name", children: [
      /* @__PURE__ */ jsxs3("p", { children: [
        "This service has only what was imported or followed.",
        " ",
        /* @__PURE__ */ jsx3("a", { href: searchHref(`"${username3.replaceAll('"', "")}"`), children: "Search for the name" })
      ] }),
      isUsername(username3) && /* @__PURE__ */ jsxs3("p", { children: [
        "An operator can follow ",
        /* @__PURE__ */ jsx3("code", { children: targetOf2(username3) }),
        " on ",
        /* @__PURE__ */ jsx3("a", { href: `${root}operate`, children: "Operate" }),
        "."
      ] })
    ] })
  ] });
}

// pages/lists/disclosures.tsx
import { useState as useState2 } from "./frame.js";
import { Fragment as Fragment3, jsx as jsx4, jsxs as jsxs4 } from "./frame.js";
function Disclosures({ all, children }) {
  const [open, setOpen] = useState2(void 0);
  const shown = all.find(({ name }) => name === open);
  return /* @__PURE__ */ jsxs4(Fragment3, { children: [
    /* @__PURE__ */ jsxs4("div", { class: "row disclosures", children: [
      all.map(({ name }) => /* @__PURE__ */ jsx4(
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
    shown !== void 0 && /* @__PURE__ */ jsx4("section", { class: "panel", "aria-label": shown.name, children: shown.draw() }, shown.name)
  ] });
}

// pages/profile/main.tsx
import { Fragment as Fragment4, jsx as jsx5, jsxs as jsxs5 } from "./frame.js";
var username2 = subject().replace(/^@/, "");
var named = { username: /^\d+$/.test(username2) ? `@${username2}` : username2 };
var user = (operation, more = {}) => ({
  path: `/social/user/${operation}`,
  parameters: { ...named, ...more }
});
var drawTweet = (tweet) => /* @__PURE__ */ jsx5(TweetCard, { tweet });
var tweetList = (empty) => listOf("tweets", { name: "Tweets", draw: drawTweet, empty });
var feed = { path: "/feeds/user", parameters: named };
function OwnTweets({ request }) {
  const list = useList(request, "tweets");
  const arrivals = useArrivals({ user: named.username });
  return /* @__PURE__ */ jsxs5(Fragment4, { children: [
    /* @__PURE__ */ jsx5(Disclosures, { all: [{ name: "Feed", draw: () => /* @__PURE__ */ jsx5(FeedAddress, { feed, of: `@${username2}` }) }], children: /* @__PURE__ */ jsx5(LiveDot, { state: arrivals.state }) }),
    /* @__PURE__ */ jsx5(LiveBar, { arrivals, show: list.prepend }),
    /* @__PURE__ */ jsx5(ListView, { list, name: "Tweets", draw: drawTweet, empty: "No tweets yet" })
  ] });
}
var userList = (member, name, empty) => listOf(member, { name, draw: (each) => /* @__PURE__ */ jsx5(UserRow2, { user: each }), empty });
var CommunityRow = ({ community }) => /* @__PURE__ */ jsxs5("article", { class: "tweet-card user-row", children: [
  /* @__PURE__ */ jsx5(Avatar, { user: { name: community.name, username: community.id, profile_image: "" } }),
  /* @__PURE__ */ jsxs5("div", { children: [
    /* @__PURE__ */ jsx5("a", { class: "user-name", href: communityHref(community.id), children: /* @__PURE__ */ jsx5("bdi", { class: "name", children: community.name }) }),
    /* @__PURE__ */ jsx5("p", { class: "text", dir: "auto", children: community.description }),
    /* @__PURE__ */ jsxs5("p", { class: "facts", children: [
      /* @__PURE__ */ jsx5("span", { children: plural2(community.member_count, "member") }),
      /* @__PURE__ */ jsx5("span", { children: community.role }),
      /* @__PURE__ */ jsx5("span", { children: community.join_policy })
    ] })
  ] })
] });
var Communities = listOf("communities", {
  name: "Communities",
  draw: (community) => /* @__PURE__ */ jsx5(CommunityRow, { community }),
  empty: "In no community here"
});
function MediaList({ request }) {
  const list = useList(request, "tweets");
  const all = list.items.flatMap(({ id, media }) => media.map((each) => ({ media: each, tweetId: id })));
  const tile = ({ id, media }) => {
    const [first] = media;
    if (first === void 0) return /* @__PURE__ */ jsx5(Fragment4, {});
    return /* @__PURE__ */ jsxs5(
      "button",
      {
        type: "button",
        class: "cell",
        onClick: () => showMedia(
          all,
          all.findIndex(({ tweetId }) => tweetId === id)
        ),
        children: [
          /* @__PURE__ */ jsx5(Picture, { url: first.url, alt: first.alt_text ?? mediaName(first, 0, media.length) }),
          (media.length > 1 || first.type !== "photo") && /* @__PURE__ */ jsx5("span", { class: "media-kind", children: first.type === "photo" ? `${media.length} photos` : `▶ ${mediaName(first, 0, media.length)}` })
        ]
      }
    );
  };
  return /* @__PURE__ */ jsxs5(Fragment4, { children: [
    /* @__PURE__ */ jsx5(PictureConsent, { urls: all.map(({ media }) => media.url) }),
    /* @__PURE__ */ jsx5(ListView, { list, name: "Media", layout: "media-tiles", draw: tile, empty: "No pictures or videos are here" })
  ] });
}
var tabs = {
  Tweets: { request: user("last_tweets"), View: OwnTweets },
  Replies: { request: user("last_tweets", { include_replies: "1" }), View: tweetList("No tweets or replies yet") },
  Media: {
    request: {
      path: "/social/tweet/advanced_search",
      parameters: { query: `from:${username2} filter:media`, query_type: "Latest" }
    },
    View: MediaList
  },
  Highlights: { request: user("highlights"), View: tweetList("No highlights") },
  Following: { request: user("followings"), View: userList("following", "Following", "Follows nobody here") },
  Followers: { request: user("followers"), View: userList("followers", "Followers", "No followers are known here") },
  Mentions: { request: user("mentions"), View: tweetList("Nobody mentions this user") },
  Communities: { request: { path: "/social/community/members", parameters: { username: username2 } }, View: Communities }
};
var plotted = 100;
var countNames = [
  ["following_count", "following", "following", "Following"],
  ["followers_count", "follower", "followers", "Followers"],
  ["tweet_count", "tweet", "tweets", "Tweets"],
  ["like_count", "like", "likes", void 0],
  ["media_count", "photo or video", "photos and videos", "Media"]
];
var ProfileCounts = ({ user: of, unknown_counts: unknown }) => /* @__PURE__ */ jsx5("p", { class: "facts", children: countNames.filter(([name]) => !unknown.includes(name)).map(([name, one, many, to]) => {
  const words = /* @__PURE__ */ jsxs5(Fragment4, { children: [
    /* @__PURE__ */ jsx5("b", { children: compact(of[name]) }),
    " ",
    of[name] === 1 ? one : many
  ] });
  const title = plural2(of[name], one, many);
  return to === void 0 ? /* @__PURE__ */ jsx5("span", { title, children: words }, name) : /* @__PURE__ */ jsx5("a", { title, href: `?tab=${to}`, children: words }, name);
}) });
var About = ({ info }) => {
  const { description, location: place, created_at: joined, profile_image: face, profile_banner: banner } = info.user;
  return /* @__PURE__ */ jsxs5("div", { class: "profile-about", children: [
    description !== "" && /* @__PURE__ */ jsx5(LinkedText, { text: description }),
    (place !== "" || joined !== void 0) && /* @__PURE__ */ jsxs5("p", { class: "facts", children: [
      place !== "" && /* @__PURE__ */ jsx5("bdi", { children: place }),
      joined !== void 0 && /* @__PURE__ */ jsxs5("span", { children: [
        "Joined ",
        monthOf2(joined)
      ] })
    ] }),
    /* @__PURE__ */ jsx5(ProfileCounts, { ...info }),
    /* @__PURE__ */ jsx5(PictureConsent, { urls: [face, banner] })
  ] });
};
function Header({ info }) {
  const { name, username: named2, profile_image, profile_banner: banner = "" } = { ...nobody, ...info?.user };
  return /* @__PURE__ */ jsxs5("header", { class: "profile", children: [
    /* @__PURE__ */ jsx5("div", { class: `banner tone-${numberOf(username2, 6)}`, "aria-hidden": "true", children: banner !== "" && /* @__PURE__ */ jsx5(Picture, { url: banner, alt: "" }) }),
    /* @__PURE__ */ jsxs5("div", { class: "profile-who", children: [
      /* @__PURE__ */ jsx5(Avatar, { user: { name, username: named2, profile_image }, size: "large" }),
      /* @__PURE__ */ jsxs5("div", { children: [
        /* @__PURE__ */ jsxs5("h1", { children: [
          /* @__PURE__ */ jsx5("bdi", { children: name === "" ? `@${username2}` : name }),
          " ",
          (info?.user.verified === true || info?.user.is_blue_verified === true) && /* @__PURE__ */ jsx5(Verified, {})
        ] }),
        /* @__PURE__ */ jsxs5("p", { class: "hint", children: [
          "@",
          named2 === "" ? username2 : named2
        ] })
      ] })
    ] }),
    info === void 0 ? /* @__PURE__ */ jsx5("p", { class: "hint profile-about", children: "The profile is not in this archive. Other records name this user." }) : /* @__PURE__ */ jsx5(About, { info })
  ] });
}
var nobody = { name: username2, username: username2, profile_image: "" };
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
  const loaded = useLoaded2(ids.join(), (signal) => client3.tweets.getTweets({ ids: ids.slice(0, 100) }, { signal }));
  const tweets = loaded.is === "ready" ? loaded.data.tweets : [];
  return /* @__PURE__ */ jsxs5(Fragment4, { children: [
    tweets.length > 0 && /* @__PURE__ */ jsxs5("section", { class: "pinned", "aria-label": "Pinned", children: [
      /* @__PURE__ */ jsx5("p", { class: "hint", children: "Pinned" }),
      tweets.map((tweet) => /* @__PURE__ */ jsx5(TweetCard, { tweet }, tweet.id))
    ] }),
    loaded.is === "loading" ? /* @__PURE__ */ jsx5("div", { class: "whole-screen", children: /* @__PURE__ */ jsx5(Loading, { name: "Loading the pinned tweets" }) }) : children
  ] });
}
function Plots() {
  const loaded = useLoaded2(
    username2,
    (signal) => walk(user("last_tweets", { include_replies: "1", limit: plotted }), "tweets", plotted, signal)
  );
  if (loaded.is !== "ready") return null;
  const own = loaded.data.items.filter((tweet) => tweet.retweeted_tweet === null).toReversed();
  if (own.length < 3) return null;
  return /* @__PURE__ */ jsxs5(Fragment4, { children: [
    /* @__PURE__ */ jsx5(Bars, { ...perTime(loaded.data.items), unit: "tweets" }),
    /* @__PURE__ */ jsx5(
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
var isNobody = (error) => error instanceof NotFoundError || error instanceof BadRequestError && !isUsername(username2);
function Profile() {
  const tab = chosenTab(Object.keys(tabs)) ?? "Tweets";
  const loaded = useLoaded2(username2, readInfo);
  useEffect(() => setTitle(`@${username2}`), []);
  const shown = tabs[tab];
  if (loaded.is === "loading") return /* @__PURE__ */ jsx5(Loading, { name: "Loading the profile" });
  if (loaded.is === "failed")
    return /* @__PURE__ */ jsxs5(Fragment4, { children: [
      /* @__PURE__ */ jsxs5("h1", { children: [
        "@",
        username2
      ] }),
      isNobody(loaded.error) ? /* @__PURE__ */ jsx5(Missing, { username: username2 }) : /* @__PURE__ */ jsx5(Fault2, { error: loaded.error, retry: loaded.retry })
    ] });
  const pinned = loaded.data?.user.pinned_tweet_ids ?? [];
  const list = shown === void 0 ? null : /* @__PURE__ */ jsx5(shown.View, { request: shown.request });
  return /* @__PURE__ */ jsxs5(Fragment4, { children: [
    /* @__PURE__ */ jsx5(Header, { info: loaded.data }),
    /* @__PURE__ */ jsx5(Tabs, { name: "Parts of the profile", tabs: Object.keys(tabs), current: tab }),
    /* @__PURE__ */ jsxs5("div", { class: "columns", children: [
      /* @__PURE__ */ jsx5("section", { "aria-label": tab, children: tab === "Tweets" && pinned.length > 0 ? /* @__PURE__ */ jsx5(Pinned, { ids: pinned, children: list }) : list }),
      /* @__PURE__ */ jsxs5("aside", { class: "rail", "aria-label": "About this profile", children: [
        /* @__PURE__ */ jsx5(RequestLine, { request: user("info") }),
        shown !== void 0 && /* @__PURE__ */ jsx5(RequestLine, { request: shown.request }),
        /* @__PURE__ */ jsx5(Plots, {})
      ] })
    ] })
  ] });
}
mount(Profile);
