// pages/explore/main.tsx
import {
  Choice,
  TweetCard,
  LiveBar,
  LiveDot,
  ListView,
  Nothing,
  RequestLine,
  mount,
  root,
  searchHref as searchHref2,
  setTitle,
  useArrivals,
  useEffect,
  useList,
  useState
} from "./kit.js";

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
  return { title: `${what} ${name === "hour" ? "an" : "a"} ${name}`, points };
}
var engagementOf = (tweet) => tweet.like_count + tweet.retweet_count + tweet.quote_count + tweet.reply_count;
function ranked(names) {
  const counts = /* @__PURE__ */ new Map();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([label, value]) => ({ label, value })).sort((a, b) => b.value - a.value || a.label.localeCompare(b.label)).slice(0, 8);
}
var tagsOf = (text) => piecesOf(text).flatMap(
  (piece) => piece.is === "hashtag" || piece.is === "cashtag" ? [piece.text.toLowerCase()] : []
);

// pages/explore/insights.tsx
import { Fragment, jsx as jsx2, jsxs as jsxs2 } from "./frame.js";
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
  return /* @__PURE__ */ jsxs2(Fragment, { children: [
    /* @__PURE__ */ jsx2(Bars, { ...perTime(items), unit: "tweets" }),
    /* @__PURE__ */ jsx2(Bars, { ...perTime(items, "Likes, retweets, quotes and replies", engagementOf) }),
    authors.length > 0 && /* @__PURE__ */ jsx2(Ranking, { title: "Authors", rows: authors.map((row) => ({ ...row, href: userHref(row.label) })) }),
    tags.length > 0 && /* @__PURE__ */ jsx2(Ranking, { title: "Tags", rows: tags.map((row) => ({ ...row, href: searchHref(row.label) })) }),
    /* @__PURE__ */ jsx2("p", { class: "hint", children: isComplete ? `All ${full2(items.length)} matches.` : `The newest ${full2(items.length)} matches.` })
  ] });
}
var Ranking = ({ title, rows }) => {
  const max = Math.max(1, ...rows.map(({ value }) => value));
  return /* @__PURE__ */ jsxs2("figure", { class: "ranking", children: [
    /* @__PURE__ */ jsx2("figcaption", { children: title }),
    /* @__PURE__ */ jsx2("ol", { children: rows.map(({ label, value, href }) => /* @__PURE__ */ jsxs2("li", { children: [
      /* @__PURE__ */ jsx2("a", { href, children: label }),
      /* @__PURE__ */ jsx2("meter", { min: 0, max, value, "aria-label": `${label}: ${value}` }),
      /* @__PURE__ */ jsx2("span", { children: full2(value) })
    ] }, label)) })
  ] });
};

// pages/explore/main.tsx
import { Fragment as Fragment2, jsx as jsx3, jsxs as jsxs3 } from "./frame.js";
var everything = "-filter:replies";
function SearchBox({ query: query2, order: order2 }) {
  const [text, setText] = useState(query2);
  const go = (next) => location.assign(searchHref2(next, order2));
  return /* @__PURE__ */ jsxs3("search", { children: [
    /* @__PURE__ */ jsxs3(
      "form",
      {
        class: "search-form",
        onSubmit: (event) => {
          event.preventDefault();
          go(text.trim());
        },
        children: [
          /* @__PURE__ */ jsx3(
            "input",
            {
              type: "search",
              name: "q",
              "aria-label": "Search tweets",
              placeholder: "Search: words, from:name, #tag, filter:media …",
              autocomplete: "off",
              spellcheck: false,
              maxLength: 1024,
              value: text,
              onInput: ({ currentTarget }) => setText(currentTarget.value)
            }
          ),
          /* @__PURE__ */ jsx3("button", { type: "submit", class: "primary", children: "Search" })
        ]
      }
    ),
    /* @__PURE__ */ jsx3("p", { class: "examples", children: examples.map((example) => /* @__PURE__ */ jsx3("a", { href: searchHref2(example, order2), children: example }, example)) })
  ] });
}
var parameters = new URLSearchParams(location.search);
var query = (parameters.get("q") ?? "").trim();
var order = parameters.get("order") === "top" ? "Top" : "Latest";
var request = {
  path: "/social/tweet/advanced_search",
  parameters: { query: query === "" ? everything : query, query_type: order }
};
function Results() {
  const list = useList(request, "tweets");
  const arrivals = useArrivals(order === "Latest" ? { search: request.parameters.query } : void 0);
  const [fresh, setFresh] = useState(/* @__PURE__ */ new Set());
  return /* @__PURE__ */ jsxs3("section", { "aria-label": "Results", children: [
    /* @__PURE__ */ jsxs3("div", { class: "row spread feed-head", children: [
      /* @__PURE__ */ jsx3(
        Choice,
        {
          name: "Order",
          values: ["Latest", "Top"],
          value: order,
          choose: (next) => location.assign(searchHref2(query, next))
        }
      ),
      /* @__PURE__ */ jsx3(LiveDot, { state: arrivals.state })
    ] }),
    /* @__PURE__ */ jsx3(
      LiveBar,
      {
        arrivals,
        show: (tweets) => {
          setFresh(new Set(tweets.map(({ id }) => id)));
          list.prepend(tweets);
        }
      }
    ),
    /* @__PURE__ */ jsx3(
      ListView,
      {
        list,
        name: "Tweets",
        draw: (tweet) => /* @__PURE__ */ jsx3(TweetCard, { tweet, isNew: fresh.has(tweet.id) }),
        empty: query === "" ? /* @__PURE__ */ jsx3(Nothing, { title: "There are no tweets here yet", children: /* @__PURE__ */ jsxs3("p", { children: [
          /* @__PURE__ */ jsx3("a", { href: `${root}import`, children: "Import an archive" }),
          ", or ",
          /* @__PURE__ */ jsx3("a", { href: `${root}operate`, children: "follow accounts" }),
          ". New tweets appear here by themselves."
        ] }) }) : /* @__PURE__ */ jsx3(Nothing, { title: "No tweets match this query", children: /* @__PURE__ */ jsxs3("p", { children: [
          "Try fewer words, or one of the examples above. ",
          /* @__PURE__ */ jsx3("a", { href: searchHref2(""), children: "Show everything" })
        ] }) })
      }
    )
  ] });
}
function Explore() {
  useEffect(() => setTitle(query === "" ? "Explore" : `${query} · Explore`), []);
  return /* @__PURE__ */ jsxs3(Fragment2, { children: [
    /* @__PURE__ */ jsx3("h1", { children: "Explore" }),
    /* @__PURE__ */ jsx3(SearchBox, { query, order }),
    /* @__PURE__ */ jsxs3("div", { class: "columns", children: [
      /* @__PURE__ */ jsx3(Results, {}),
      /* @__PURE__ */ jsxs3("aside", { class: "rail", "aria-label": "About these results", children: [
        /* @__PURE__ */ jsx3(RequestLine, { request }),
        /* @__PURE__ */ jsx3(Insights, { query: request.parameters.query })
      ] })
    ] })
  ] });
}
mount(Explore);
