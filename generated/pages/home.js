// pages/home/main.tsx
import { useEffect, useState as useState2, mount, root as root4, setTitle } from "./kit.js";

// pages/home/checklist.tsx
import { UnauthorizedError, client, root, useKey, useLoaded } from "./kit.js";
import { Fragment, jsx, jsxs } from "./frame.js";
var stepsOf = (isKeyValid, overview) => [
  {
    title: "Enter an API key",
    isDone: isKeyValid,
    text: /* @__PURE__ */ jsxs(Fragment, { children: [
      "The first start printed one. ",
      /* @__PURE__ */ jsx("code", { children: "npm run keys -- create --name me" }),
      " makes another."
    ] })
  },
  {
    title: "Bring in data",
    isDone: (overview?.followed.length ?? 0) > 0,
    text: /* @__PURE__ */ jsxs(Fragment, { children: [
      overview?.objects.tweets === 0 ? "There is nothing here yet. " : "",
      /* @__PURE__ */ jsx("a", { href: `${root}import`, children: "Import an archive" }),
      " (or ",
      /* @__PURE__ */ jsx("code", { children: "npm run import -- FILE" }),
      "), or",
      " ",
      /* @__PURE__ */ jsx("a", { href: `${root}operate`, children: "follow accounts" }),
      " (or ",
      /* @__PURE__ */ jsx("code", { children: "npm run follow -- add bluesky:NAME" }),
      "). See",
      " ",
      /* @__PURE__ */ jsx("a", { href: `${root}docs/operations`, children: "Operations" }),
      "."
    ] })
  },
  {
    title: "Try a search",
    isDone: false,
    text: /* @__PURE__ */ jsxs(Fragment, { children: [
      /* @__PURE__ */ jsx("a", { href: `${root}explore?q=filter%3Amedia`, children: "Tweets with media" }),
      ",",
      " ",
      /* @__PURE__ */ jsx("a", { href: `${root}explore?q=min_faves%3A100&order=top`, children: "the most liked ones" }),
      ", or",
      " ",
      /* @__PURE__ */ jsx("a", { href: `${root}docs/search`, children: "the query language" }),
      "."
    ] })
  },
  {
    title: "Connect a program",
    isDone: false,
    text: /* @__PURE__ */ jsxs(Fragment, { children: [
      /* @__PURE__ */ jsx("code", { children: "npm pack ./client" }),
      " builds the typed client. Other languages use the",
      " ",
      /* @__PURE__ */ jsx("a", { href: `${root}docs/`, children: "API reference" }),
      " and the ",
      /* @__PURE__ */ jsx("a", { href: `${root}docs/events`, children: "event stream" }),
      "."
    ] })
  }
];
function Checklist({ overview }) {
  const key = useKey();
  const checked = useLoaded(key, async (signal) => {
    if (key === "") return false;
    const request3 = client.tweet.advancedSearch({ query: "lang:en", limit: 1 }, { signal });
    return request3.then(
      () => true,
      (error) => !(error instanceof UnauthorizedError)
    );
  });
  return /* @__PURE__ */ jsxs("section", { class: "panel", "aria-labelledby": "steps-title", children: [
    /* @__PURE__ */ jsx("h2", { id: "steps-title", children: "First steps" }),
    /* @__PURE__ */ jsx("ol", { class: "steps", children: stepsOf(checked.is === "ready" && checked.data, overview).map(({ title, isDone, text }, index) => /* @__PURE__ */ jsxs("li", { class: isDone ? "done" : "", children: [
      /* @__PURE__ */ jsx("span", { class: "mark", "aria-hidden": "true", children: isDone ? "✓" : index + 1 }),
      /* @__PURE__ */ jsxs("div", { children: [
        /* @__PURE__ */ jsxs("b", { children: [
          title,
          isDone && /* @__PURE__ */ jsx("span", { class: "sr", children: " (done)" })
        ] }),
        /* @__PURE__ */ jsx("p", { children: text })
      ] })
    ] }, title)) })
  ] });
}

// pages/home/first-call.tsx
import {
  askForKey,
  baseUrl,
  Choice,
  Code,
  CopyButton,
  Fault,
  Loading,
  languages,
  send,
  useKey as useKey2,
  useLoaded as useLoaded2,
  useState,
  written
} from "./kit.js";
import { Fragment as Fragment2, jsx as jsx2, jsxs as jsxs2 } from "./frame.js";
var request = { path: "/social/tweet/advanced_search", parameters: { query: "-filter:replies", limit: 1 } };
var socket = (key) => `// A browser, Node 22 or newer, Deno or Bun
const key = ${key === void 0 ? "process.env.API_KEY" : JSON.stringify(key)};
const socket = new WebSocket('${baseUrl.replace(/^http/, "ws")}/ws?api_key=' + key);
socket.onopen = () => socket.send(JSON.stringify({
  type: 'subscribe', id: '1', channel: 'search:tweets', params: { query: '-filter:replies' },
}));
socket.onmessage = ({ data }) => console.log(JSON.parse(data));`;
var tabs = [...languages, "WebSocket"];
function Answer({ apiKey }) {
  const answer = useLoaded2(apiKey, (signal) => send(request, signal));
  if (answer.is === "loading") return /* @__PURE__ */ jsx2(Loading, { rows: 2 });
  if (answer.is === "failed") return /* @__PURE__ */ jsx2(Fault, { error: answer.error, retry: answer.retry });
  return /* @__PURE__ */ jsx2(Code, { text: JSON.stringify(answer.data, null, 2), name: "The answer" });
}
function FirstCall() {
  const key = useKey2();
  const [tab, setTab] = useState("curl");
  const [isClear, setClear] = useState(false);
  const shown = isClear && key !== "" ? key : void 0;
  const text = tab === "WebSocket" ? socket(shown) : written(tab, request, shown);
  return /* @__PURE__ */ jsxs2("section", { "aria-labelledby": "first-title", children: [
    /* @__PURE__ */ jsx2("h2", { class: "section-title", id: "first-title", children: "A first request" }),
    /* @__PURE__ */ jsxs2("div", { class: "halves", children: [
      /* @__PURE__ */ jsxs2("div", { class: "panel", children: [
        /* @__PURE__ */ jsxs2("div", { class: "row spread", children: [
          /* @__PURE__ */ jsx2(Choice, { name: "Language", values: tabs, value: tab, choose: setTab }),
          /* @__PURE__ */ jsx2(CopyButton, { text: () => text })
        ] }),
        /* @__PURE__ */ jsx2(Code, { text, name: `The request in ${tab}` }),
        key !== "" && /* @__PURE__ */ jsxs2("label", { class: "check", children: [
          /* @__PURE__ */ jsx2("input", { type: "checkbox", checked: isClear, onChange: () => setClear(!isClear) }),
          " Show my key in it"
        ] })
      ] }),
      /* @__PURE__ */ jsxs2("div", { class: "panel answer", children: [
        /* @__PURE__ */ jsx2("h3", { children: "The answer" }),
        key === "" ? /* @__PURE__ */ jsxs2(Fragment2, { children: [
          /* @__PURE__ */ jsx2("p", { children: "Enter an API key to run it here." }),
          /* @__PURE__ */ jsx2("button", { type: "button", class: "primary", onClick: () => askForKey(), children: "Enter a key" })
        ] }) : /* @__PURE__ */ jsx2(Answer, { apiKey: key })
      ] })
    ] })
  ] });
}

// pages/home/newest.tsx
import {
  Loading as Loading2,
  TweetCard,
  completed,
  root as root2,
  send as send2,
  useKey as useKey3,
  useLoaded as useLoaded3
} from "./kit.js";
import { jsx as jsx3, jsxs as jsxs3 } from "./frame.js";
var request2 = { path: "/social/tweet/advanced_search", parameters: { query: "-filter:replies", limit: 3 } };
function Newest() {
  const key = useKey3();
  const loaded = useLoaded3(
    key,
    async (signal) => key === "" ? [] : completed((await send2(request2, signal)).tweets, signal)
  );
  if (key === "" || loaded.is === "failed" || loaded.is === "ready" && loaded.data.length === 0) return null;
  return /* @__PURE__ */ jsxs3("section", { "aria-labelledby": "newest-title", children: [
    /* @__PURE__ */ jsx3("h2", { class: "section-title", id: "newest-title", children: "Newest here" }),
    loaded.is === "loading" ? /* @__PURE__ */ jsx3("div", { class: "whole-screen", children: /* @__PURE__ */ jsx3(Loading2, { rows: 1 }) }) : /* @__PURE__ */ jsx3("ol", { class: "newest", children: loaded.data.map((tweet) => /* @__PURE__ */ jsx3("li", { class: "panel boxed", children: /* @__PURE__ */ jsx3(TweetCard, { tweet }) }, tweet.id)) }),
    /* @__PURE__ */ jsx3("p", { children: /* @__PURE__ */ jsx3("a", { href: `${root2}explore`, children: "All tweets, and search" }) })
  ] });
}

// pages/home/overview.ts
import { root as root3 } from "./kit.js";
async function read(path) {
  const response = await fetch(root3 + path);
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return await response.json();
}
async function readOverview() {
  const [numbers, { following }] = await Promise.all([
    read("live/overview"),
    read("live/following")
  ]);
  return { ...numbers, followed: following, at: performance.now() };
}

// pages/home/stats.tsx
import { compact, full } from "./kit.js";
import { jsx as jsx4, jsxs as jsxs4 } from "./frame.js";
var minuteMs = 6e4;
function rateOf(now, before) {
  if (now?.changes === void 0 || before?.changes === void 0 || now.at <= before.at) return void 0;
  return Math.round((now.changes - before.changes) / (now.at - before.at) * minuteMs);
}
function followText({ followed }) {
  if (followed.length === 0) return "none";
  const lost = followed.filter(({ connected }) => !connected).length;
  return lost === 0 ? String(followed.length) : `${followed.length}, ${lost} not connected`;
}
function lagText({ followed }) {
  const lags = followed.flatMap(({ lag_seconds: lag }) => typeof lag === "number" ? [lag] : []);
  return lags.length === 0 ? void 0 : `${Math.max(...lags).toFixed(1)} s`;
}
function Stats({ now, before }) {
  const rate = rateOf(now, before);
  const lag = now === void 0 ? void 0 : lagText(now);
  const rows = [
    [
      "tweets",
      now?.objects.tweets === void 0 ? void 0 : compact(now.objects.tweets),
      full(now?.objects.tweets ?? 0)
    ],
    ["users", now?.objects.users === void 0 ? void 0 : compact(now.objects.users), full(now?.objects.users ?? 0)],
    ["changes a minute", rate === void 0 ? void 0 : full(rate)],
    ["sources followed", now === void 0 ? void 0 : followText(now)],
    ...lag === void 0 ? [] : [["behind the source", lag]]
  ];
  return /* @__PURE__ */ jsx4("dl", { class: "stats", "aria-label": "What runs here", children: rows.map(([name, value, title]) => /* @__PURE__ */ jsxs4("div", { class: "stat", title, children: [
    /* @__PURE__ */ jsx4("dt", { children: name }),
    /* @__PURE__ */ jsx4("dd", { children: value ?? "…" })
  ] }, name)) });
}

// pages/home/main.tsx
import { Fragment as Fragment3, jsx as jsx5, jsxs as jsxs5 } from "./frame.js";
var tiles = [
  ["explore", "Explore", "Search what is here, open profiles and threads, and see new tweets arrive."],
  ["ask", "Ask", "Let the assistant explain a tweet, with its sources, and ask on."],
  ["live", "Live", "Watch events as they happen, each with its frame."],
  ["docs/", "Build", "Every operation with examples in curl, TypeScript and Python."]
];
var everyMs = 1e4;
function useOverview() {
  const [pair, setPair] = useState2([void 0, void 0]);
  useEffect(() => {
    const read2 = () => {
      if (document.hidden) return;
      readOverview().then(
        (overview) => setPair(([now]) => [overview, now]),
        () => {
        }
      );
    };
    read2();
    const second = setTimeout(read2, everyMs / 4);
    const timer = setInterval(read2, everyMs);
    return () => {
      clearTimeout(second);
      clearInterval(timer);
    };
  }, []);
  return pair;
}
function Home() {
  const [now, before] = useOverview();
  useEffect(() => setTitle("Home"), []);
  return /* @__PURE__ */ jsxs5(Fragment3, { children: [
    /* @__PURE__ */ jsxs5("div", { class: "hero", children: [
      /* @__PURE__ */ jsx5("h1", { children: "Your social data, on your own service" }),
      /* @__PURE__ */ jsx5("p", { children: "Search, read, follow and ask: over REST, over a WebSocket, or here." })
    ] }),
    /* @__PURE__ */ jsx5(Stats, { now, before }),
    /* @__PURE__ */ jsx5("ul", { class: "tiles", children: tiles.map(([path, title, text]) => /* @__PURE__ */ jsx5("li", { children: /* @__PURE__ */ jsxs5("a", { class: "tile", href: root4 + path, children: [
      /* @__PURE__ */ jsx5("b", { children: title }),
      text
    ] }) }, path)) }),
    /* @__PURE__ */ jsx5(Newest, {}),
    /* @__PURE__ */ jsx5(FirstCall, {}),
    /* @__PURE__ */ jsx5(Checklist, { overview: now })
  ] });
}
mount(Home);
