// pages/explore/main.tsx
import {
  BadRequestError,
  Choice,
  ListView,
  LiveBar,
  LiveDot,
  Nothing,
  RequestLine,
  TweetCard,
  client as client4,
  full as full3,
  mount,
  root as root2,
  searchHref as searchHref3,
  sentence,
  setTitle,
  useArrivals,
  useEffect,
  useList,
  useLoaded as useLoaded5,
  useState as useState4
} from "./kit.js";

// pages/lists/feed-address.tsx
import {
  CopyButton,
  Fault,
  baseUrl,
  client,
  targetOf,
  useState
} from "./kit.js";
import { Fragment, jsx, jsxs } from "./frame.js";
var maxName = 100;
var controls = /\p{Cc}/gu;
function Address({ address, revoke }) {
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx("label", { for: "feed-address", children: "Address of the feed" }),
    /* @__PURE__ */ jsxs("div", { class: "row", children: [
      /* @__PURE__ */ jsx(
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
      /* @__PURE__ */ jsx(CopyButton, { text: () => address, name: "Copy the address" }),
      /* @__PURE__ */ jsx("a", { class: "button", href: address, rel: "alternate", type: "application/atom+xml", children: "Open" }),
      /* @__PURE__ */ jsx("button", { type: "button", class: "small danger", onClick: revoke, children: "Revoke" })
    ] }),
    /* @__PURE__ */ jsxs("p", { class: "hint", id: "feed-hint", children: [
      "Copy it now: the token cannot be shown again. Whoever has the address can read feeds, until you revoke it here or with ",
      /* @__PURE__ */ jsx("code", { children: "/social/feed_token/revoke" }),
      ". With ",
      /* @__PURE__ */ jsx("code", { children: "format=json" }),
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
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    made === void 0 ? /* @__PURE__ */ jsxs(Fragment, { children: [
      /* @__PURE__ */ jsx("p", { children: "An Atom feed of the newest tweets, for any feed reader. Its address contains a new token, which reads feeds and nothing else, so that your key stays here." }),
      /* @__PURE__ */ jsx("p", { role: "status", children: isRevoked ? "The last address is revoked: it no longer works." : "" }),
      /* @__PURE__ */ jsx("button", { type: "button", class: "primary", disabled: isBusy, onClick: make, children: "Make the address" })
    ] }) : /* @__PURE__ */ jsx(
      Address,
      {
        address: baseUrl + targetOf({ ...feed2, parameters: { ...feed2.parameters, api_key: made.token } }),
        revoke: () => revoke(made.id)
      }
    ),
    error !== void 0 && /* @__PURE__ */ jsx(Fault, { error, retry: made === void 0 ? make : void 0 })
  ] });
}

// pages/lists/disclosures.tsx
import { useState as useState2 } from "./frame.js";
import { Fragment as Fragment2, jsx as jsx2, jsxs as jsxs2 } from "./frame.js";
function Disclosures({ all, children }) {
  const [open, setOpen] = useState2(void 0);
  const shown = all.find(({ name }) => name === open);
  return /* @__PURE__ */ jsxs2(Fragment2, { children: [
    /* @__PURE__ */ jsxs2("div", { class: "row disclosures", children: [
      all.map(({ name }) => /* @__PURE__ */ jsx2(
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
    shown !== void 0 && /* @__PURE__ */ jsx2("section", { class: "panel", "aria-label": shown.name, children: shown.draw() }, shown.name)
  ] });
}

// pages/query/query-error-place.tsx
import { Fragment as Fragment3, jsx as jsx3, jsxs as jsxs3 } from "./frame.js";
var [shownBefore, shownAfter] = [16, 24];
function QueryErrorPlace(props) {
  const { error, text, applyFix } = props;
  const { offset, wrong, suggestion } = error;
  if (offset === void 0) return null;
  const start = Math.max(0, offset - shownBefore);
  const before = (start > 0 ? "…" : "") + text.slice(start, offset).replaceAll(/\s/g, " ");
  const after = text.slice(offset, offset + shownAfter).replaceAll(/\s/g, " ");
  const canFix = wrong !== void 0 && suggestion !== void 0 && text.startsWith(wrong, offset);
  return /* @__PURE__ */ jsxs3(Fragment3, { children: [
    /* @__PURE__ */ jsxs3("pre", { class: "place", "aria-hidden": "true", children: [
      `${before}${after}
`,
      /* @__PURE__ */ jsx3("span", { class: "unseen", children: before }),
      /* @__PURE__ */ jsx3("span", { class: "caret", children: "▲" })
    ] }),
    canFix && /* @__PURE__ */ jsxs3(
      "button",
      {
        type: "button",
        class: "fix",
        onClick: () => applyFix(text.slice(0, offset) + suggestion + text.slice(offset + wrong.length)),
        children: [
          "Use ‘",
          suggestion,
          "’"
        ]
      }
    )
  ] });
}

// pages/query/query-error.ts
function parseQueryError(message) {
  const offset = /^'query' cannot be read at (\d+): /.exec(message)?.[1];
  const [, wrong, suggestion] = /: unknown (?:filter|operator) '(.*?)': did you mean '([^']*)'\?/s.exec(message) ?? [];
  return { offset: offset === void 0 ? void 0 : Number(offset), wrong, suggestion };
}

// pages/explore/examples.ts
var examples = [
  "filter:media",
  "filter:links",
  "coffee OR espresso",
  "filter:quote",
  "min_faves:100",
  "lang:ja OR lang:pt"
];

// pages/explore/insights.tsx
import { full as full2, searchHref, useLoaded, userHref } from "./kit.js";

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
import { jsx as jsx4, jsxs as jsxs4 } from "./frame.js";
var width = 320;
var height = 96;
var withUnit = (value, unit) => unit === void 0 ? full(value) : `${full(value)} ${value === 1 ? unit.replace(/s$/, "") : unit}`;
var Numbers = ({ title, points, unit }) => /* @__PURE__ */ jsx4("div", { class: "sr", children: /* @__PURE__ */ jsxs4("table", { children: [
  /* @__PURE__ */ jsx4("caption", { children: title }),
  /* @__PURE__ */ jsx4("tbody", { children: points.map(({ label: label2, value }, index) => /* @__PURE__ */ jsxs4("tr", { children: [
    /* @__PURE__ */ jsx4("th", { scope: "row", children: label2 }),
    /* @__PURE__ */ jsx4("td", { children: value === null ? "no data" : withUnit(value, unit) })
  ] }, index)) })
] }) });
var Axis = ({ top, unit }) => /* @__PURE__ */ jsx4("div", { class: "plot-axis", "aria-hidden": "true", children: ticksOf(top).map((value, index) => /* @__PURE__ */ jsx4("span", { children: index === 0 ? withUnit(value, unit) : full(value) }, value)) });
var Ends = ({ points }) => /* @__PURE__ */ jsxs4("div", { class: "plot-ends", "aria-hidden": "true", children: [
  /* @__PURE__ */ jsx4("span", { children: points[0]?.label }),
  points.length > 8 && /* @__PURE__ */ jsx4("span", { children: points[Math.floor(points.length / 2)]?.label }),
  points.length > 1 && /* @__PURE__ */ jsx4("span", { children: points.at(-1)?.label })
] });
var Frame = ({ props, top, children }) => /* @__PURE__ */ jsxs4("figure", { class: "plot", children: [
  /* @__PURE__ */ jsx4("figcaption", { children: props.title }),
  /* @__PURE__ */ jsxs4("div", { class: "plot-field", children: [
    /* @__PURE__ */ jsxs4("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", "aria-hidden": "true", children: [
      [0, 0.5].map((part) => /* @__PURE__ */ jsx4("line", { class: "plot-grid", x1: "0", x2: width, y1: height * part, y2: height * part }, part)),
      children
    ] }),
    /* @__PURE__ */ jsx4(Axis, { top, unit: props.unit }),
    /* @__PURE__ */ jsx4(Ends, { points: props.points })
  ] }),
  props.covers !== void 0 && /* @__PURE__ */ jsx4("p", { class: "plot-covers", children: props.covers }),
  /* @__PURE__ */ jsx4(Numbers, { ...props })
] });
function Bars(props) {
  const top = topOf(props.points);
  const step = width / Math.max(1, props.points.length);
  const gap = Math.min(2, step / 4);
  return /* @__PURE__ */ jsx4(Frame, { props, top, children: props.points.map(({ label: label2, value }, index) => {
    const tall = value === null || value === 0 ? 0 : Math.max(1.5, value / top * height);
    return /* @__PURE__ */ jsx4(
      "rect",
      {
        class: "plot-bar",
        x: index * step + gap / 2,
        y: height - tall,
        width: step - gap,
        height: tall,
        children: /* @__PURE__ */ jsx4("title", { children: `${label2}: ${value === null ? "no data" : withUnit(value, props.unit)}` })
      },
      index
    );
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
async function walk(request2, member, max, signal) {
  const items = [];
  let cursor;
  do {
    const page = await send(
      request2,
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
  const { name, numberOf, labelOf } = steps.find(({ maxSpanMs }) => spanMs <= maxSpanMs) ?? months;
  const numbers = times.map(numberOf);
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
var engagementOf = (tweet) => tweet.like_count + tweet.retweet_count + tweet.quote_count + tweet.reply_count;
function ranked(names) {
  const counts = /* @__PURE__ */ new Map();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([label2, value]) => ({ label: label2, value })).sort((a, b) => b.value - a.value || a.label.localeCompare(b.label)).slice(0, 8);
}
var tagsOf = (text) => piecesOf(text).flatMap(
  (piece) => piece.is === "hashtag" || piece.is === "cashtag" ? [piece.text.toLowerCase()] : []
);

// pages/explore/insights.tsx
import { Fragment as Fragment4, jsx as jsx5, jsxs as jsxs5 } from "./frame.js";
var maxTweets = 300;
function Insights({ query: query2 }) {
  const loaded = useLoaded(
    query2,
    (signal) => walk(
      { path: "/social/tweet/advanced_search", parameters: { query: query2, limit: 100 } },
      "tweets",
      maxTweets,
      signal
    )
  );
  if (loaded.is !== "ready" || loaded.data.items.length < 2) return null;
  const { items, isComplete } = loaded.data;
  const authors = ranked(items.flatMap(({ author }) => author.username === "" ? [] : [`@${author.username}`]));
  const tags = ranked(items.flatMap(({ text }) => tagsOf(text)));
  return /* @__PURE__ */ jsxs5(Fragment4, { children: [
    /* @__PURE__ */ jsx5(Bars, { ...perTime(items), unit: "tweets" }),
    /* @__PURE__ */ jsx5(Bars, { ...perTime(items, "Likes, retweets, quotes and replies", engagementOf) }),
    authors.length > 0 && /* @__PURE__ */ jsx5(Ranking, { title: "Authors", rows: authors.map((row) => ({ ...row, href: userHref(row.label) })) }),
    tags.length > 0 && /* @__PURE__ */ jsx5(Ranking, { title: "Tags", rows: tags.map((row) => ({ ...row, href: searchHref(row.label) })) }),
    /* @__PURE__ */ jsx5("p", { class: "hint", children: isComplete ? `All ${full2(items.length)} matches.` : `The newest ${full2(items.length)} matches.` })
  ] });
}
var Ranking = ({ title, rows }) => {
  const max = Math.max(1, ...rows.map(({ value }) => value));
  return /* @__PURE__ */ jsxs5("figure", { class: "ranking", children: [
    /* @__PURE__ */ jsx5("figcaption", { children: title }),
    /* @__PURE__ */ jsx5("ol", { children: rows.map(({ label: label2, value, href }) => /* @__PURE__ */ jsxs5("li", { children: [
      /* @__PURE__ */ jsx5("a", { href, children: label2 }),
      /* @__PURE__ */ jsx5("meter", { min: 0, max, value, "aria-label": `${label2}: ${value}` }),
      /* @__PURE__ */ jsx5("span", { children: full2(value) })
    ] }, label2)) })
  ] });
};

// pages/explore/meaning-of.tsx
import { Fault as Fault2, Loading, root, useLoaded as useLoaded2 } from "./kit.js";
import { Fragment as Fragment5, jsx as jsx6, jsxs as jsxs6 } from "./frame.js";
var script = "./meaning.js";
function select(at, end) {
  const box = document.querySelector("#site-search");
  if (box === null) return;
  box.focus();
  box.setSelectionRange(at, end);
}
function MeaningOf({ query: query2, isTyped }) {
  const loaded = useLoaded2("meaning", () => import(script));
  return /* @__PURE__ */ jsxs6(Fragment5, { children: [
    loaded.is === "loading" && /* @__PURE__ */ jsx6(Loading, { rows: 1, name: "Loading the meaning" }),
    loaded.is === "failed" && /* @__PURE__ */ jsx6(Fault2, { error: loaded.error, retry: loaded.retry }),
    loaded.is === "ready" && /* @__PURE__ */ jsx6(loaded.data.Meaning, { query: query2, select: isTyped ? select : () => {
    } }),
    /* @__PURE__ */ jsxs6("p", { class: "hint", children: [
      /* @__PURE__ */ jsx6("a", { href: `${root}docs/search`, children: "The query language" }),
      " has all operators, with examples."
    ] })
  ] });
}

// pages/explore/people.tsx
import {
  Avatar,
  UserName,
  client as client2,
  compact,
  userHref as userHref2,
  useLoaded as useLoaded3
} from "./kit.js";

// server/text/username.ts
var label = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
var lastLabel = "[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
var handlePattern = String.raw`(?:${label}\.){1,126}${lastLabel}`;
var maxLength = 253;
var username = new RegExp(`^(?:[A-Za-z0-9_]{1,15}|${handlePattern})$`);
var isUsername = (text) => text.length <= maxLength && username.test(text);

// pages/explore/people.tsx
import { jsx as jsx7, jsxs as jsxs7 } from "./frame.js";
var [maxShown, maxLookedUp] = [4, 8];
var patienceMs = 1500;
var operator = /^-?[a-z_]+:/i;
function namesIn(query2) {
  const parts = query2.split(/[\s()"]+/u).filter((part) => part !== "" && !part.startsWith("-"));
  const named = parts.flatMap((part) => /^(?:(?:from|to|bluesky):@?|@)(.+)$/i.exec(part)?.[1] ?? []);
  const words = parts.filter((part) => !operator.test(part) && !/^(?:OR|AND|[#$@*].*)$/.test(part));
  const hasOr = parts.includes("OR");
  const joined = words.length === 2 && !hasOr ? [words.join("_"), words.join("")] : [];
  const usernames = new Set([...named, ...words, ...joined].map((each) => each.toLowerCase()).filter(isUsername));
  return {
    usernames: [...usernames].slice(0, maxLookedUp),
    words: hasOr ? [] : words.map((word) => word.toLocaleLowerCase())
  };
}
var useNamed = (query2) => useLoaded3(`people ${query2}`, async (signal) => {
  const { usernames } = namesIn(query2);
  if (usernames.length === 0) return [];
  const limit = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
  return (await client2.users.getUsers({ usernames }, { signal: limit })).users;
});
function peopleOf(query2, named, tweets) {
  const { words } = namesIn(query2);
  const authors = tweets.map(({ author }) => author).filter(({ name, username: username2 }) => {
    const text = `${name} ${username2}`.toLocaleLowerCase();
    return username2 !== "" && words.length > 0 && words.every((word) => text.includes(word));
  });
  const byUsername = new Map([...authors, ...named].map((each) => [each.username.toLowerCase(), each]));
  const order2 = [...new Set([...named, ...authors].map(({ username: username2 }) => username2.toLowerCase()))];
  return order2.flatMap((username2) => byUsername.get(username2) ?? []).slice(0, maxShown);
}
var People = ({ people }) => people.length === 0 ? null : /* @__PURE__ */ jsxs7("section", { "aria-labelledby": "people-title", children: [
  /* @__PURE__ */ jsx7("h2", { class: "section-title", id: "people-title", children: "People" }),
  /* @__PURE__ */ jsx7("ul", { class: "people", children: people.map((person) => /* @__PURE__ */ jsxs7("li", { class: "by person", children: [
    /* @__PURE__ */ jsx7(Avatar, { user: person }),
    /* @__PURE__ */ jsxs7("div", { children: [
      /* @__PURE__ */ jsx7(UserName, { user: person }),
      /* @__PURE__ */ jsx7("p", { class: "facts", children: /* @__PURE__ */ jsxs7("a", { href: `${userHref2(person.username)}?tab=Followers`, children: [
        /* @__PURE__ */ jsx7("b", { children: compact(person.followers_count) }),
        " ",
        person.followers_count === 1 ? "follower" : "followers"
      ] }) })
    ] })
  ] }, person.id)) }),
  /* @__PURE__ */ jsx7("h2", { class: "section-title", children: "Tweets" })
] });

// pages/explore/saved-searches.tsx
import { Fault as Fault3, Loading as Loading2, client as client3, searchHref as searchHref2, useLoaded as useLoaded4, useRef, useState as useState3 } from "./kit.js";
import { Fragment as Fragment6, jsx as jsx8, jsxs as jsxs8 } from "./frame.js";
var maxName2 = 100;
function Row({ id, name, query: query2, onDone }) {
  const [isAsked, setAsked] = useState3(false);
  const [error, setError] = useState3(void 0);
  const remove = () => void client3.searches.deleteSavedSearch({ search_id: id }).then(onDone, setError);
  return /* @__PURE__ */ jsxs8("li", { class: "saved-row", children: [
    /* @__PURE__ */ jsxs8("a", { href: searchHref2(query2), children: [
      /* @__PURE__ */ jsx8("bdi", { class: "name", children: name }),
      name !== query2 && /* @__PURE__ */ jsx8("code", { children: query2 })
    ] }),
    isAsked ? /* @__PURE__ */ jsxs8("span", { class: "row", role: "group", "aria-label": `Delete ${name}?`, children: [
      /* @__PURE__ */ jsx8("button", { type: "button", class: "small danger", ref: (button) => button?.focus(), onClick: remove, children: "Delete it" }),
      /* @__PURE__ */ jsx8("button", { type: "button", class: "small", onClick: () => setAsked(false), children: "Keep it" })
    ] }) : /* @__PURE__ */ jsx8("button", { type: "button", class: "small", "aria-label": `Delete ${name}`, onClick: () => setAsked(true), children: "Delete" }),
    error !== void 0 && /* @__PURE__ */ jsx8(Fault3, { error, retry: remove })
  ] });
}
function SaveForm({ query: query2, onDone }) {
  const [name, setName] = useState3(query2.slice(0, maxName2));
  const [error, setError] = useState3(void 0);
  const [isBusy, setBusy] = useState3(false);
  const save = () => {
    setBusy(true);
    setError(void 0);
    client3.searches.createSavedSearch({ name: name.trim(), query: query2 }).then(onDone, setError).finally(() => setBusy(false));
  };
  return /* @__PURE__ */ jsxs8(
    "form",
    {
      autocomplete: "off",
      onSubmit: (event) => {
        event.preventDefault();
        save();
      },
      children: [
        /* @__PURE__ */ jsx8("label", { for: "saved-name", children: "Save this search as" }),
        /* @__PURE__ */ jsxs8("div", { class: "row", children: [
          /* @__PURE__ */ jsx8(
            "input",
            {
              id: "saved-name",
              class: "grow",
              type: "text",
              required: true,
              maxLength: maxName2,
              value: name,
              onInput: ({ currentTarget }) => setName(currentTarget.value)
            }
          ),
          /* @__PURE__ */ jsx8("button", { type: "submit", class: "primary", disabled: isBusy || name.trim() === "", children: "Save" })
        ] }),
        error !== void 0 && /* @__PURE__ */ jsx8(Fault3, { error, retry: save })
      ]
    }
  );
}
function SavedSearches({ query: query2 }) {
  const [round, setRound] = useState3(0);
  const list = useRef(null);
  const loaded = useLoaded4(`saved ${round}`, (signal) => client3.searches.listSavedSearches({}, { signal }));
  const reload = () => setRound((before) => before + 1);
  if (loaded.is === "loading") return /* @__PURE__ */ jsx8(Loading2, { rows: 1, name: "Loading the saved searches" });
  if (loaded.is === "failed") return /* @__PURE__ */ jsx8(Fault3, { error: loaded.error, retry: loaded.retry });
  const { searches } = loaded.data;
  const isSaved = searches.some((each) => each.query === query2);
  return /* @__PURE__ */ jsxs8(Fragment6, { children: [
    searches.length === 0 ? /* @__PURE__ */ jsx8("p", { class: "hint", children: "No search is saved with this key yet." }) : /* @__PURE__ */ jsx8("ul", { class: "saved", ref: list, children: searches.map(({ id, name, query: saved }) => /* @__PURE__ */ jsx8(Row, { id, name, query: saved, onDone: reload }, id)) }),
    query2 !== "" && !isSaved && /* @__PURE__ */ jsx8(SaveForm, { query: query2, onDone: reload }),
    query2 !== "" && isSaved && /* @__PURE__ */ jsx8("p", { class: "hint", children: "This search is saved." }),
    /* @__PURE__ */ jsxs8("p", { class: "hint", children: [
      "A saved search can also send its tweets to a webhook: see ",
      /* @__PURE__ */ jsx8("code", { children: "/social/searches" }),
      " in the API reference."
    ] })
  ] });
}

// pages/explore/main.tsx
import { Fragment as Fragment7, jsx as jsx9, jsxs as jsxs9 } from "./frame.js";
var everything = "-filter:replies";
var parameters = new URLSearchParams(location.search);
var query = (parameters.get("q") ?? "").trim();
var order = parameters.get("order") === "top" ? "Top" : "Latest";
var searched = query === "" ? everything : query;
var request = { path: "/social/tweet/advanced_search", parameters: { query: searched, query_type: order } };
var Examples = () => /* @__PURE__ */ jsx9("p", { class: "examples", children: examples.map((example) => /* @__PURE__ */ jsx9("a", { href: searchHref3(example, order), children: example }, example)) });
function Total() {
  const loaded = useLoaded5(
    searched,
    (signal) => client4.tweet.counts({ query: searched, granularity: "all" }, { signal })
  );
  const { total, total_relation: relation } = loaded.is === "ready" ? loaded.data : { total: 0, total_relation: "" };
  const words = `${full3(total)}${relation === "at_least" ? "+" : ""} ${total === 1 ? "tweet" : "tweets"}`;
  return /* @__PURE__ */ jsxs9("p", { class: "total", role: "status", children: [
    loaded.is === "loading" && /* @__PURE__ */ jsx9("span", { class: "hint", children: "Counting …" }),
    loaded.is === "ready" && /* @__PURE__ */ jsx9("b", { children: words })
  ] });
}
function QueryFault({ error }) {
  const { message } = error;
  return /* @__PURE__ */ jsxs9("div", { class: "panel fault", role: "alert", children: [
    /* @__PURE__ */ jsx9("h2", { children: "This query cannot be read" }),
    /* @__PURE__ */ jsx9("p", { children: sentence(message.replace(/^'query' cannot be read at \d+: /, "")) }),
    /* @__PURE__ */ jsx9(
      QueryErrorPlace,
      {
        error: parseQueryError(message),
        text: query,
        applyFix: (fixed) => location.assign(searchHref3(fixed, order))
      }
    ),
    /* @__PURE__ */ jsxs9("p", { class: "hint", children: [
      /* @__PURE__ */ jsx9("a", { href: `${root2}docs/search`, children: "The query language" }),
      " with all its operators."
    ] })
  ] });
}
var Empty = () => query === "" ? /* @__PURE__ */ jsx9(Nothing, { title: "There are no tweets here yet", children: /* @__PURE__ */ jsxs9("p", { children: [
  /* @__PURE__ */ jsx9("a", { href: `${root2}import`, children: "Import an archive" }),
  ", or ",
  /* @__PURE__ */ jsx9("a", { href: `${root2}operate`, children: "follow accounts" }),
  ". New tweets appear here by themselves."
] }) }) : /* @__PURE__ */ jsxs9(Fragment7, { children: [
  /* @__PURE__ */ jsx9(Nothing, { title: "No tweets match this query", children: /* @__PURE__ */ jsxs9("p", { children: [
    "Try fewer words, or one of the examples. ",
    /* @__PURE__ */ jsx9("a", { href: searchHref3(""), children: "Show everything" })
  ] }) }),
  /* @__PURE__ */ jsx9(Examples, {})
] });
function useResults() {
  const list = useList(request, "tweets");
  const named = useNamed(query);
  const waits = named.is === "loading" && list.error === void 0;
  const [first, setFirst] = useState4([]);
  useEffect(() => {
    if (first.length === 0 && list.items.length > 0) setFirst(list.items);
  }, [list.items]);
  const shown = first.length === 0 ? list.items : first;
  return {
    list: waits ? { ...list, items: [], isLoading: true } : list,
    people: waits ? [] : peopleOf(query, named.is === "ready" ? named.data : [], shown)
  };
}
function Results() {
  const { list, people } = useResults();
  const arrivals = useArrivals(order === "Latest" ? { search: searched } : void 0);
  const [fresh, setFresh] = useState4(/* @__PURE__ */ new Set());
  if (list.error instanceof BadRequestError && parseQueryError(list.error.message).offset !== void 0)
    return /* @__PURE__ */ jsx9(QueryFault, { error: list.error });
  return /* @__PURE__ */ jsxs9(Fragment7, { children: [
    /* @__PURE__ */ jsx9(People, { people }),
    /* @__PURE__ */ jsx9(
      LiveBar,
      {
        arrivals,
        show: (tweets) => {
          setFresh(new Set(tweets.map(({ id }) => id)));
          list.prepend(tweets);
        }
      }
    ),
    /* @__PURE__ */ jsxs9("div", { class: "row spread feed-head", children: [
      /* @__PURE__ */ jsx9(
        Choice,
        {
          name: "Order",
          values: ["Latest", "Top"],
          value: order,
          choose: (next) => location.assign(searchHref3(query, next))
        }
      ),
      /* @__PURE__ */ jsx9(LiveDot, { state: arrivals.state })
    ] }),
    /* @__PURE__ */ jsx9(
      ListView,
      {
        list,
        name: "Tweets",
        draw: (tweet) => /* @__PURE__ */ jsx9(TweetCard, { tweet, isNew: fresh.has(tweet.id) }),
        empty: /* @__PURE__ */ jsx9(Empty, {})
      }
    )
  ] });
}
var feed = { path: "/feeds/search", parameters: { query: searched } };
var Tools = () => /* @__PURE__ */ jsx9(
  Disclosures,
  {
    all: [
      { name: "What it means", draw: () => /* @__PURE__ */ jsx9(MeaningOf, { query: searched, isTyped: query !== "" }) },
      { name: "Saved searches", draw: () => /* @__PURE__ */ jsx9(SavedSearches, { query }) },
      { name: "Feed", draw: () => /* @__PURE__ */ jsx9(FeedAddress, { feed, of: searched }) }
    ],
    children: /* @__PURE__ */ jsx9(Total, {})
  }
);
function Explore() {
  useEffect(() => setTitle(query === "" ? "Explore" : `${query} · Explore`), []);
  return /* @__PURE__ */ jsxs9(Fragment7, { children: [
    /* @__PURE__ */ jsx9("h1", { class: "searched", children: query === "" ? "Explore" : /* @__PURE__ */ jsx9("bdi", { children: query }) }),
    query === "" && /* @__PURE__ */ jsx9(Examples, {}),
    /* @__PURE__ */ jsx9(Tools, {}),
    /* @__PURE__ */ jsxs9("div", { class: "columns", children: [
      /* @__PURE__ */ jsx9("section", { "aria-label": "Results", children: /* @__PURE__ */ jsx9(Results, {}) }),
      /* @__PURE__ */ jsxs9("aside", { class: "rail", "aria-label": "About these results", children: [
        /* @__PURE__ */ jsx9(RequestLine, { request }),
        /* @__PURE__ */ jsx9(Insights, { query: searched })
      ] })
    ] })
  ] });
}
mount(Explore);
