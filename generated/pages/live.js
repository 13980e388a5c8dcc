// pages/live/main.tsx
import {
  askForKey,
  enteredKey,
  keyRejected,
  mount,
  onKeyChange,
  root as root3,
  useEffect as useEffect4,
  useRef as useRef2,
  useState as useState4
} from "./kit.js";

// pages/live/channels.ts
var channels = {
  "search:tweets": {
    description: "tweets that match a query",
    field: "Query",
    value: "-filter:replies",
    params: (query) => ({ query })
  },
  "user:tweets": {
    description: "tweets of a user",
    field: "Username, or user id",
    value: "mira_codes",
    // A leading @ marks a username that consists of digits.
    params: (value) => /^\d+$/.test(value) ? { user_id: value } : { username: value }
  },
  "user:mentions": {
    description: "tweets that mention a user",
    field: "Username",
    value: "mira_codes",
    params: (username) => ({ username })
  },
  "tweet:replies": {
    description: "replies to a tweet",
    field: "Tweet id",
    value: "1890000000000000001",
    params: (tweet_id) => ({ tweet_id })
  },
  "tweet:engagement": {
    description: "the counts of a tweet",
    field: "Tweet id",
    value: "1890000000000000001",
    params: (tweet_id) => ({ tweet_id })
  },
  "community:tweets": {
    description: "tweets in a community",
    field: "Community id",
    value: "1700000000000000001",
    params: (id) => ({ id })
  },
  "community:members": {
    description: "communities that a user joins",
    field: "Username",
    value: "mira_codes",
    params: (username) => ({ username })
  },
  "assistant:pool": { description: "the accounts of the assistant", value: "", params: () => ({}) }
};
var isChannel = (name) => Object.hasOwn(channels, name);
var hashOfChoice = ({ channel, value }) => `#${new URLSearchParams({ channel, ...channels[channel].field === void 0 ? {} : { value } })}`;
function choiceOf(hash) {
  const parameters = new URLSearchParams(hash.slice(1));
  const name = parameters.get("channel") ?? "";
  const channel = isChannel(name) ? name : "search:tweets";
  return {
    channel,
    value: isChannel(name) ? parameters.get("value") ?? channels[channel].value : channels[channel].value
  };
}
var exampleQueries = [
  "-filter:replies",
  "#demo",
  "coffee OR espresso OR tea",
  "filter:media -filter:replies",
  "to:mira_codes",
  "lang:ja OR lang:pt"
];

// pages/live/event-card.tsx
import {
  CopyButton,
  communityHref,
  compact,
  Counts,
  full,
  tweetHref,
  TweetCard,
  useState,
  userHref
} from "./kit.js";
import { Fragment, jsx, jsxs } from "./frame.js";
var clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });
var day = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
var dayMs = 864e5;
var names = {
  "tweet.created": "New",
  "tweet.updated": "Edited",
  "tweet.deleted": "Deleted",
  "tweet.unliked": "Like removed",
  "tweet.engagement": "Counts",
  "community.joined": "Joined",
  "community.left": "Left",
  "pool.status": "Pool"
};
function Head({ event, changes }) {
  const at = new Date(event.timestamp);
  return /* @__PURE__ */ jsxs("p", { class: "event-head", children: [
    /* @__PURE__ */ jsx("span", { class: `label ${event.event.replace(".", "-")}`, children: names[event.event] ?? event.event }),
    event.replay === true && /* @__PURE__ */ jsx("span", { class: "label replayed", title: "Happened while this page was not connected", children: "Replayed" }),
    changes !== "" && /* @__PURE__ */ jsx("span", { class: "changes", children: changes }),
    /* @__PURE__ */ jsx("time", { dateTime: event.timestamp, title: event.timestamp, children: (Date.now() - at.getTime() < dayMs ? clock : day).format(at) })
  ] });
}
var countNames = [
  ["like_count", "likes"],
  ["retweet_count", "retweets"],
  ["quote_count", "quotes"],
  ["reply_count", "replies"],
  ["bookmark_count", "bookmarks"],
  ["view_count", "views"]
];
var lastCounts = /* @__PURE__ */ new Map();
var maxShown = 1e3;
function changesOf(id, counts) {
  const previous = lastCounts.get(id);
  lastCounts.delete(id);
  lastCounts.set(id, counts);
  if (lastCounts.size > maxShown) lastCounts.delete(lastCounts.keys().next().value);
  if (previous === void 0) return "";
  return countNames.map(([name, words]) => [counts[name] - previous[name], words]).filter(([change]) => change !== 0).map(([change, words]) => `${change > 0 ? "+" : "−"}${full(Math.abs(change))} ${words}`).join(", ");
}
var Fact = ({ count, name }) => /* @__PURE__ */ jsxs("span", { children: [
  /* @__PURE__ */ jsx("b", { children: compact(count) }),
  " ",
  name
] });
var Other = ({ children, facts }) => /* @__PURE__ */ jsxs("div", { class: "other", children: [
  /* @__PURE__ */ jsx("p", { children }),
  facts !== void 0 && /* @__PURE__ */ jsx("div", { class: "facts", children: facts })
] });
function Pool({ status }) {
  const { capable, available, cooling, untested, incapable, capacity } = status;
  return /* @__PURE__ */ jsxs(
    Other,
    {
      facts: Object.entries({ available, cooling, capable, untested, incapable }).map(([name, count]) => /* @__PURE__ */ jsx(Fact, { count, name }, name)),
      children: [
        "The assistant can answer ",
        full(capacity.remaining_now),
        " of ",
        full(capacity.daily_capacity),
        " questions today."
      ]
    }
  );
}
function Membership(props) {
  const { community, username, hasLeft } = props;
  return /* @__PURE__ */ jsxs(Other, { facts: /* @__PURE__ */ jsx(Fact, { count: community.member_count, name: "members" }), children: [
    /* @__PURE__ */ jsxs("a", { href: userHref(username), children: [
      "@",
      username
    ] }),
    " ",
    hasLeft ? "left" : "joined",
    " ",
    /* @__PURE__ */ jsx("a", { href: communityHref(community.id), children: /* @__PURE__ */ jsx("bdi", { children: community.name }) }),
    " ",
    "as ",
    community.role
  ] });
}
function contentOf(event, params) {
  const { data } = event;
  if ("capacity" in data) return { body: /* @__PURE__ */ jsx(Pool, { status: data }), changes: "" };
  if ("text" in data)
    return { body: /* @__PURE__ */ jsx(TweetCard, { tweet: data }), changes: changesOf(data.id, data) };
  if ("tweet_id" in data) {
    const body = /* @__PURE__ */ jsxs(Other, { facts: /* @__PURE__ */ jsx(Counts, { tweet: { ...data, id: data.tweet_id } }), children: [
      "The counts of ",
      /* @__PURE__ */ jsx("a", { href: tweetHref(data.tweet_id), children: "this tweet" }),
      " are now:"
    ] });
    return { body, changes: changesOf(data.tweet_id, data) };
  }
  if ("role" in data) {
    const username = (params.username ?? "").replace(/^@/, "");
    const hasLeft = event.event === "community.left";
    return { body: /* @__PURE__ */ jsx(Membership, { community: data, username, hasLeft }), changes: "" };
  }
  return {
    body: /* @__PURE__ */ jsxs(Other, { children: [
      "The tweet ",
      /* @__PURE__ */ jsx("span", { class: "id", children: data.id }),
      " was deleted."
    ] }),
    changes: ""
  };
}
function RawFrame({ frame }) {
  const [text, setText] = useState("");
  return /* @__PURE__ */ jsxs(
    "details",
    {
      class: "raw",
      onToggle: ({ currentTarget }) => {
        if (currentTarget.open && text === "") setText(JSON.stringify(JSON.parse(frame), null, 2));
      },
      children: [
        /* @__PURE__ */ jsx("summary", { children: "Raw frame" }),
        text !== "" && /* @__PURE__ */ jsxs(Fragment, { children: [
          /* @__PURE__ */ jsx("pre", { tabIndex: 0, "aria-label": "The frame as JSON", role: "region", children: text }),
          /* @__PURE__ */ jsx(CopyButton, { text: () => text })
        ] })
      ]
    }
  );
}
function eventCard(event, frame, params) {
  const { body, changes } = contentOf(event, params);
  return /* @__PURE__ */ jsxs("div", { class: "card", children: [
    /* @__PURE__ */ jsx(Head, { event, changes }),
    body,
    /* @__PURE__ */ jsx(RawFrame, { frame })
  ] });
}

// pages/live/feed.ts
var maxCards = 300;
var Feed = class {
  #changed;
  /** Cards that are not shown yet, newest last. */
  #waiting = [];
  #made = 0;
  #isDrawing = false;
  cards = [];
  /** Number of events since the feed was cleared. */
  total = 0;
  /** Number of events that came while it was paused. */
  missed = 0;
  isPaused = false;
  /** `changed` is called when the feed must be drawn again. */
  constructor(changed) {
    this.#changed = changed;
  }
  /** Adds an event at the top. */
  addEvent(view) {
    this.total++;
    if (this.isPaused) this.missed++;
    this.addNotice(view);
  }
  /** Adds a notice at the top; it does not count as an event. */
  addNotice(view) {
    this.#waiting.push({ id: this.#made++, view });
    if (this.#waiting.length > maxCards) this.#waiting.shift();
    this.#schedule();
  }
  /** Removes all cards; later events are shown, or wait, as before. */
  clear() {
    this.#waiting = [];
    this.cards = [];
    this.total = this.missed = 0;
    this.#changed();
  }
  setPaused(isPaused) {
    this.isPaused = isPaused;
    this.#changed();
    this.#schedule();
  }
  #schedule() {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    requestAnimationFrame(() => {
      this.#isDrawing = false;
      if (!this.isPaused) {
        this.cards = [...this.#waiting.toReversed(), ...this.cards].slice(0, maxCards);
        this.#waiting = [];
        this.missed = 0;
      }
      this.#changed();
    });
  }
};

// pages/live/following.tsx
import { root, useEffect, useState as useState2 } from "./kit.js";

// pages/live/following-text.ts
function durationText(seconds) {
  if (seconds < 100) return `${seconds.toFixed(1)} s`;
  return seconds < 6e3 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}
function followingText(sources) {
  return sources.map(({ following, connected, lag_seconds: lag }) => {
    const behind = lag === void 0 ? "" : `, ${durationText(lag)} behind`;
    return `following ${following}${connected ? "" : " (not connected)"}${behind}`;
  }).join(" · ");
}

// pages/live/following.tsx
import { jsx as jsx2 } from "./frame.js";
var everyMs = 5e3;
function Following() {
  const [text, setText] = useState2("");
  useEffect(() => {
    const update = async () => {
      if (document.hidden) return;
      try {
        const response = await fetch(`${root}live/following`);
        const { following } = await response.json();
        setText(followingText(following));
      } catch {
        setText("");
      }
    };
    void update();
    const timer = setInterval(() => void update(), everyMs);
    return () => clearInterval(timer);
  }, []);
  return text === "" ? null : /* @__PURE__ */ jsx2("p", { id: "following", class: "hint", children: text });
}

// pages/live/form.tsx
import { root as root2, useEffect as useEffect2, useRef } from "./kit.js";

// pages/query/query-error.ts
function parseQueryError(message) {
  const offset = /^'query' cannot be read at (\d+): /.exec(message)?.[1];
  const [, wrong, suggestion] = /: unknown (?:filter|operator) '(.*?)': did you mean '([^']*)'\?/s.exec(message) ?? [];
  return { offset: offset === void 0 ? void 0 : Number(offset), wrong, suggestion };
}

// pages/query/query-error-place.tsx
import { Fragment as Fragment2, jsx as jsx3, jsxs as jsxs2 } from "./frame.js";
var [shownBefore, shownAfter] = [16, 24];
function QueryErrorPlace(props) {
  const { error, text, applyFix } = props;
  const { offset, wrong, suggestion } = error;
  if (offset === void 0) return null;
  const start = Math.max(0, offset - shownBefore);
  const before = (start > 0 ? "…" : "") + text.slice(start, offset).replaceAll(/\s/g, " ");
  const after = text.slice(offset, offset + shownAfter).replaceAll(/\s/g, " ");
  const canFix = wrong !== void 0 && suggestion !== void 0 && text.startsWith(wrong, offset);
  return /* @__PURE__ */ jsxs2(Fragment2, { children: [
    /* @__PURE__ */ jsxs2("pre", { class: "place", "aria-hidden": "true", children: [
      `${before}${after}
`,
      /* @__PURE__ */ jsx3("span", { class: "unseen", children: before }),
      /* @__PURE__ */ jsx3("span", { class: "caret", children: "▲" })
    ] }),
    canFix && /* @__PURE__ */ jsxs2(
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

// pages/live/form.tsx
import { Fragment as Fragment3, jsx as jsx4, jsxs as jsxs3 } from "./frame.js";
function ErrorText({ error, value, use }) {
  const { wrong, suggestion } = parseQueryError(error.error);
  return /* @__PURE__ */ jsxs3(Fragment3, { children: [
    /* @__PURE__ */ jsx4("p", { children: error.error }),
    /* @__PURE__ */ jsx4(QueryErrorPlace, { error: { offset: error.position, wrong, suggestion }, text: value, applyFix: use })
  ] });
}
function ValueField(props) {
  const { label, value, error, change } = props;
  const box = useRef(null);
  useEffect2(() => {
    if (error === void 0) return;
    box.current?.focus();
    const { wrong } = parseQueryError(error.error);
    if (error.position !== void 0)
      box.current?.setSelectionRange(error.position, error.position + (wrong?.length ?? 1));
  }, [error]);
  return /* @__PURE__ */ jsxs3("div", { id: "value-row", children: [
    /* @__PURE__ */ jsx4("label", { for: "value", children: label }),
    /* @__PURE__ */ jsx4(
      "input",
      {
        ref: box,
        id: "value",
        type: "text",
        spellcheck: false,
        autocapitalize: "off",
        autocorrect: "off",
        enterkeyhint: "go",
        maxLength: 1024,
        "aria-describedby": "fault",
        "aria-invalid": error !== void 0,
        value,
        onInput: ({ currentTarget }) => change(currentTarget.value)
      }
    )
  ] });
}
function ListenForm(props) {
  const { choice, error, change, choose, listen: listen2 } = props;
  const { description, field } = channels[choice.channel];
  return /* @__PURE__ */ jsxs3(
    "form",
    {
      id: "listen",
      autocomplete: "off",
      onSubmit: (event) => {
        event.preventDefault();
        listen2();
      },
      children: [
        /* @__PURE__ */ jsx4("label", { for: "channel", children: "Channel" }),
        /* @__PURE__ */ jsx4(
          "select",
          {
            id: "channel",
            "aria-describedby": "channel-text",
            value: choice.channel,
            onChange: ({ currentTarget }) => choose(currentTarget.value),
            children: Object.keys(channels).map((name) => /* @__PURE__ */ jsx4("option", { children: name }, name))
          }
        ),
        /* @__PURE__ */ jsxs3("p", { class: "hint", id: "channel-text", children: [
          "Events: ",
          description,
          "."
        ] }),
        field !== void 0 && /* @__PURE__ */ jsx4(ValueField, { label: field, value: choice.value, error, change }),
        /* @__PURE__ */ jsx4("div", { id: "fault", role: "alert", children: error !== void 0 && /* @__PURE__ */ jsx4(ErrorText, { error, value: choice.value, use: listen2 }) }),
        choice.channel === "search:tweets" && /* @__PURE__ */ jsxs3("div", { id: "examples", role: "group", "aria-label": "Examples", children: [
          exampleQueries.map((query) => /* @__PURE__ */ jsx4("button", { type: "button", onClick: () => listen2(query), children: query }, query)),
          /* @__PURE__ */ jsx4("a", { href: `${root2}docs/search`, children: "The query language" })
        ] }),
        /* @__PURE__ */ jsx4("button", { type: "submit", class: "primary", children: "Listen" })
      ]
    }
  );
}

// pages/live/status.tsx
import { plural, useEffect as useEffect3, useState as useState3 } from "./kit.js";

// pages/live/wording.ts
var createKeyHint = "The first npm start prints a key; npm run keys -- create --name me creates another.";
var finalCloseTexts = {
  4e3: "The server cannot read the messages of this page: reload it.",
  4001: `The API key is missing or invalid: type it again. ${createKeyHint}`,
  4002: `This API key lacks the scope events: type a key with this scope. ${createKeyHint}`,
  4003: "This key has the maximum number of connections: close another page or client, then listen again.",
  4004: "The server does not accept the URL that this page uses: reload it.",
  4005: `The API key was revoked, or has expired: type another one. ${createKeyHint}`
};
var reconnectTexts = {
  4100: "The server is overloaded.",
  4101: "This page did not subscribe in time.",
  4108: "This browser received the events too slowly.",
  4111: "The server had an internal error.",
  4129: "Too many connections with this key, or invalid keys from this address, in the last minute.",
  4200: "The server restarts.",
  4201: "This browser did not reply to pings.",
  4202: "The token of this connection has ended."
};
var number = new Intl.NumberFormat("en");
function wordingOf(state) {
  switch (state.is) {
    case "idle":
      return { name: "Not connected", detail: "Choose a channel, and press Listen." };
    case "connecting":
      return { name: "Connecting", detail: "" };
    case "replaying":
      return { name: "Replaying", detail: "The missed events come first." };
    case "live":
      return { name: "Live", detail: "" };
    case "lagging":
      return {
        name: "Lagging",
        detail: `${number.format(state.behind)} events behind. They arrive as fast as this browser can read them.`
      };
    case "refused":
      return { name: "Refused", detail: "The server rejected the subscription: see the error at the field." };
    case "waiting":
      return {
        name: "Reconnecting",
        detail: reconnectTexts[state.code] ?? "The connection was lost, or the server cannot be reached."
      };
    case "ended":
      return {
        name: "Ended",
        detail: `The server has ended the subscription${state.reason === "" ? "" : `: ${state.reason}`}.`
      };
    case "closed": {
      const text = finalCloseTexts[state.code];
      if (text !== void 0) return { name: `Refused with ${state.code}`, detail: text };
      return {
        name: `Closed with ${state.code}`,
        detail: `${state.reason === "" ? "The server closed the connection" : state.reason}. Press Listen to reconnect.`
      };
    }
  }
}

// pages/live/status.tsx
import { jsx as jsx5, jsxs as jsxs4 } from "./frame.js";
var inactive = /* @__PURE__ */ new Set(["idle", "refused", "ended", "closed"]);
var secondsUntil = (at) => Math.max(1, Math.ceil((at - performance.now()) / 1e3));
function Countdown({ at }) {
  const [seconds, setSeconds] = useState3(secondsUntil(at));
  useEffect3(() => {
    const timer = setInterval(() => setSeconds(secondsUntil(at)), 250);
    return () => clearInterval(timer);
  }, [at]);
  return /* @__PURE__ */ jsxs4("span", { id: "countdown", children: [
    "in ",
    seconds,
    " s"
  ] });
}
var pauseText = ({ isPaused, missed }) => {
  if (!isPaused) return "Pause";
  return missed === 0 ? "Resume" : `Resume · ${missed} new`;
};
function Status(props) {
  const { state, feed, retry, stop, clear } = props;
  const { name, detail } = wordingOf(state);
  const isActive = !inactive.has(state.is);
  return /* @__PURE__ */ jsxs4("div", { id: "state", "data-is": state.is, children: [
    /* @__PURE__ */ jsx5("span", { class: "dot", "aria-hidden": "true" }),
    /* @__PURE__ */ jsxs4("p", { children: [
      /* @__PURE__ */ jsx5("b", { id: "state-name", role: "status", children: name }),
      " ",
      state.is === "waiting" && /* @__PURE__ */ jsx5(Countdown, { at: state.at })
    ] }),
    feed.total > 0 && /* @__PURE__ */ jsx5("span", { id: "counter", children: plural(feed.total, "event") }),
    /* @__PURE__ */ jsxs4("div", { id: "actions", children: [
      state.is === "waiting" && /* @__PURE__ */ jsx5("button", { type: "button", onClick: retry, children: "Retry now" }),
      isActive && /* @__PURE__ */ jsx5("button", { type: "button", "aria-pressed": feed.isPaused, onClick: () => feed.setPaused(!feed.isPaused), children: pauseText(feed) }),
      feed.cards.length > 0 && /* @__PURE__ */ jsx5("button", { type: "button", onClick: clear, children: "Clear" }),
      isActive && /* @__PURE__ */ jsx5("button", { type: "button", onClick: stop, children: "Stop" })
    ] }),
    /* @__PURE__ */ jsx5("p", { id: "state-detail", role: "status", children: detail })
  ] });
}

// pages/live/reconnect.ts
var [initialMs, maxMs] = [250, 3e4];
var minBackOffMs = 1e3;
var finalCodes = /* @__PURE__ */ new Set([1002, 1003, 1007, 1008, 1009, 1010]);
function reconnectAfter({ code, failures, goingAwayMs }, random) {
  if (code >= 4e3 && code < 4100 || finalCodes.has(code)) return void 0;
  if (goingAwayMs !== void 0) return goingAwayMs;
  if (code >= 4200 && code < 4300 && failures === 0) return 0;
  const backOff = Math.floor(random() * Math.min(maxMs, initialMs * 2 ** Math.min(failures, 20)));
  return code >= 4100 && code < 4200 ? minBackOffMs + backOff : backOff;
}

// pages/live/seen.ts
var DuplicateFilter = class {
  #seen = /* @__PURE__ */ new Set();
  #max;
  constructor(max) {
    this.#max = max;
  }
  /** Whether an event was shown already. Records it. */
  isDuplicate(eventId) {
    if (this.#seen.has(eventId)) return true;
    this.#seen.add(eventId);
    const [oldest] = this.#seen;
    if (this.#seen.size > this.#max && oldest !== void 0) this.#seen.delete(oldest);
    return false;
  }
  forget(eventId) {
    this.#seen.delete(eventId);
  }
};

// pages/live/stream.ts
var maxRememberedIds = 1e4;
var defaultHeartbeatMs = 2e4;
var subscriptionId = "listen";
var ResumingStream = class {
  #address;
  #subscription;
  #listener;
  #shown = new DuplicateFilter(maxRememberedIds);
  #socket;
  #cursor;
  #state = { is: "idle" };
  #failures = 0;
  #goingAwayMs;
  #heartbeatMs = defaultHeartbeatMs;
  #lastSeq = 0;
  /** The seq at which a lagging subscription has caught up. */
  #caughtUpSeq = 0;
  #reconnectTimer;
  #silenceTimer;
  constructor(address, subscription, listener) {
    this.#address = address;
    this.#subscription = subscription;
    this.#listener = listener;
    this.#connect();
  }
  reconnectNow() {
    if (this.#state.is === "waiting") this.#connect();
  }
  stop() {
    this.#disconnect();
    this.#setState({ is: "idle" });
  }
  #setState(next) {
    this.#state = next;
    this.#listener.state(next);
  }
  #connect() {
    clearTimeout(this.#reconnectTimer);
    this.#goingAwayMs = void 0;
    this.#setState({ is: "connecting" });
    const opened = this.#socket = new WebSocket(this.#address);
    opened.onmessage = ({ data }) => {
      if (this.#socket !== opened) return;
      this.#restartSilenceTimer();
      this.#handleMessage(JSON.parse(String(data)), String(data));
    };
    opened.onclose = ({ code, reason }) => {
      if (this.#socket === opened) this.#handleClose(code, reason);
    };
    this.#restartSilenceTimer();
  }
  /**
   * Restarts the timer that closes a silent connection. A connection without data for two heartbeats and 5 s is dead;
   * the page cannot see pings.
   */
  #restartSilenceTimer() {
    clearTimeout(this.#silenceTimer);
    this.#silenceTimer = setTimeout(
      () => {
        this.#socket?.close();
        this.#handleClose(1006, "");
      },
      2 * this.#heartbeatMs + 5e3
    );
  }
  #disconnect() {
    clearTimeout(this.#reconnectTimer);
    clearTimeout(this.#silenceTimer);
    const closing = this.#socket;
    this.#socket = void 0;
    closing?.close();
  }
  #handleClose(code, reason) {
    const outcome = { code, failures: this.#failures, goingAwayMs: this.#goingAwayMs };
    const wait = reconnectAfter(outcome, Math.random);
    this.#disconnect();
    if (wait === void 0) return this.#setState({ is: "closed", code, reason });
    this.#failures++;
    this.#reconnectTimer = setTimeout(() => this.#connect(), wait);
    this.#setState({ is: "waiting", at: performance.now() + wait, code });
  }
  #subscribe() {
    const { channel, params } = this.#subscription;
    const from = this.#cursor === void 0 ? {} : { cursor: this.#cursor, on_gap: "continue" };
    this.#socket?.send(
      JSON.stringify({
        type: "subscribe",
        id: subscriptionId,
        channel,
        params,
        ...from
      })
    );
  }
  #handleMessage(message, frame) {
    switch (message.type) {
      case "connected":
        this.#heartbeatMs = message.heartbeat_interval_ms;
        return this.#subscribe();
      case "subscribed":
        this.#failures = 0;
        this.#cursor = message.cursor;
        return this.#setState({ is: message.recovered === null ? "live" : "replaying" });
      case "event":
        return this.#handleEvent(message, frame);
      case "caught_up":
        this.#cursor = message.cursor;
        return this.#setState({ is: "live" });
      case "heartbeat":
        this.#cursor = message.cursor;
        if (this.#state.is === "lagging") this.#setState({ is: "live" });
        return;
      case "lagging":
        this.#caughtUpSeq = this.#lastSeq + message.behind;
        return this.#setState({ is: "lagging", behind: message.behind });
      case "gap":
        return this.#listener.gap(message);
      case "going_away":
        this.#goingAwayMs = message.reconnect_after_ms;
        return;
      case "unsubscribed":
        this.#disconnect();
        return this.#setState({ is: "ended", reason: message.reason ?? "" });
      case "error":
        return this.#handleError(message);
      // Newer servers may send other messages.
      default:
    }
  }
  #handleEvent(event, frame) {
    this.#cursor = event.cursor;
    this.#lastSeq = event.seq;
    if (this.#state.is === "lagging" && this.#lastSeq >= this.#caughtUpSeq) this.#setState({ is: "live" });
    if (event.event === "tweet.deleted" && "id" in event.data) this.#shown.forget(`tweet.created:${event.data.id}`);
    if (!this.#shown.isDuplicate(event.event_id)) this.#listener.event(event, frame);
  }
  #handleError(error) {
    if (error.code === "cursor_in_future") {
      this.#cursor = void 0;
      this.#listener.gap({ reason: "epoch", hint: "" });
      return this.#subscribe();
    }
    if (error.retry_after_s !== void 0)
      return void (this.#reconnectTimer = setTimeout(() => this.#subscribe(), error.retry_after_s * 1e3));
    this.#disconnect();
    this.#setState({ is: "refused" });
    this.#listener.rejected(error);
  }
};
var listen = (address, subscription, listener) => new ResumingStream(address, subscription, listener);

// pages/live/main.tsx
import { Fragment as Fragment4, jsx as jsx6, jsxs as jsxs5 } from "./frame.js";
var narrow = matchMedia("(max-width: 60rem)");
var keyCloseCodes = /* @__PURE__ */ new Set([4001, 4002, 4005]);
var gapTexts = {
  retention: "Events are missing here: the server no longer retains them.",
  epoch: "The server has started a new event log: the missed events are not in it."
};
var Notice = ({ reason, hint }) => /* @__PURE__ */ jsxs5("p", { class: "notice", children: [
  gapTexts[reason],
  hint !== "" && /* @__PURE__ */ jsxs5(Fragment4, { children: [
    " ",
    "Load them from REST: ",
    /* @__PURE__ */ jsx6("code", { children: hint })
  ] })
] });
function streamAddress() {
  const url = new URL(`${root3}ws`);
  url.protocol = url.protocol.replace("http", "ws");
  url.search = new URLSearchParams({ api_key: enteredKey() }).toString();
  return url.href;
}
function useListening() {
  const [state, setState] = useState4({ is: "idle" });
  const [error, setError] = useState4();
  const [, setDrawn] = useState4(0);
  const stream = useRef2(void 0);
  const feed = useRef2(void 0);
  feed.current ??= new Feed(() => setDrawn((count) => count + 1));
  const own = feed.current;
  const stop = () => {
    stream.current?.stop();
    stream.current = void 0;
  };
  const start = (choice) => {
    const { field, params: paramsOf } = channels[choice.channel];
    stop();
    setError(void 0);
    history.replaceState(null, "", hashOfChoice(choice));
    if (field !== void 0 && choice.value === "") return setError({ error: `${field}: type a value` });
    own.clear();
    own.setPaused(false);
    const params = paramsOf(choice.value);
    stream.current = listen(
      streamAddress(),
      { channel: choice.channel, params },
      {
        state: setState,
        event: (event, frame) => own.addEvent(eventCard(event, frame, params)),
        gap: (gap) => own.addNotice(/* @__PURE__ */ jsx6(Notice, { ...gap })),
        rejected: setError
      }
    );
  };
  const retry = () => stream.current?.reconnectNow();
  useEffect4(() => {
    addEventListener("online", retry);
    return () => {
      removeEventListener("online", retry);
      stop();
    };
  }, []);
  return { state, feed: own, error, start, stop, retry };
}
function useFormState(state) {
  const [isOpen, setOpen] = useState4(() => !narrow.matches || enteredKey() === "");
  useEffect4(() => {
    if (state.is === "live" || state.is === "replaying") setOpen(!narrow.matches);
    if (state.is === "refused" || state.is === "ended" || state.is === "closed") setOpen(true);
    if (state.is === "closed" && keyCloseCodes.has(state.code)) keyRejected();
  }, [state]);
  useEffect4(() => {
    const open = () => setOpen(true);
    narrow.addEventListener("change", open);
    return () => narrow.removeEventListener("change", open);
  }, []);
  return [isOpen, setOpen];
}
var values = /* @__PURE__ */ new Map();
function useChoice({ start, stop, state }) {
  const [choice, setChoice] = useState4(() => choiceOf(location.hash));
  const current = useRef2(choice);
  current.current = choice;
  const isIdle = useRef2(true);
  isIdle.current = state.is === "idle";
  useEffect4(() => {
    if (enteredKey() === "") askForKey();
    else start(choice);
    const onHash = () => {
      const next = choiceOf(location.hash);
      setChoice(next);
      if (!isIdle.current) start(next);
    };
    addEventListener("hashchange", onHash);
    onKeyChange(() => enteredKey() === "" ? stop() : start(current.current));
    return () => removeEventListener("hashchange", onHash);
  }, []);
  return [choice, setChoice];
}
var Empty = () => /* @__PURE__ */ jsxs5("div", { id: "empty", children: [
  /* @__PURE__ */ jsx6("p", { children: /* @__PURE__ */ jsx6("b", { children: "No events yet." }) }),
  /* @__PURE__ */ jsxs5("p", { children: [
    "Events appear here, newest first. The page shows the newest ",
    maxCards,
    ". To see some, start the service with",
    " ",
    /* @__PURE__ */ jsx6("code", { children: "npm start -- --replay" }),
    ": it replays the bundled sample."
  ] })
] });
function Live() {
  const listening = useListening();
  const { state, feed, error, start } = listening;
  const [choice, setChoice] = useChoice(listening);
  const [isOpen, setOpen] = useFormState(state);
  const list = useRef2(null);
  const line = useRef2(null);
  const begin = (value = choice.value) => {
    const next = { ...choice, value: value.trim() };
    values.set(next.channel, next.value);
    setChoice(next);
    start(next);
    if (narrow.matches) line.current?.scrollIntoView({ block: "start" });
  };
  const choose = (channel) => {
    values.set(choice.channel, choice.value);
    const next = { channel, value: values.get(channel) ?? channels[channel].value };
    setChoice(next);
    if (state.is !== "idle") start(next);
  };
  const clear = () => {
    feed.clear();
    list.current?.focus();
  };
  return /* @__PURE__ */ jsxs5(Fragment4, { children: [
    /* @__PURE__ */ jsx6("h1", { children: "Live events" }),
    /* @__PURE__ */ jsxs5("p", { class: "lead", children: [
      "The events of ",
      /* @__PURE__ */ jsx6("code", { children: "/ws" }),
      " in real time. ",
      /* @__PURE__ */ jsx6("a", { href: `${root3}docs/events`, children: "How it works" })
    ] }),
    /* @__PURE__ */ jsxs5("div", { class: "live", children: [
      /* @__PURE__ */ jsxs5("details", { id: "what", open: isOpen, onToggle: ({ currentTarget }) => setOpen(currentTarget.open), children: [
        /* @__PURE__ */ jsx6("summary", { children: "Listen to" }),
        /* @__PURE__ */ jsx6(
          ListenForm,
          {
            choice,
            error,
            change: (value) => setChoice({ ...choice, value }),
            choose,
            listen: begin
          }
        )
      ] }),
      /* @__PURE__ */ jsxs5("section", { id: "stream", "aria-label": "Events", ref: line, children: [
        /* @__PURE__ */ jsx6(Following, {}),
        /* @__PURE__ */ jsx6(Status, { ...listening, clear }),
        feed.cards.length === 0 && /* @__PURE__ */ jsx6(Empty, {}),
        /* @__PURE__ */ jsx6("ol", { id: "events", ref: list, tabIndex: -1, children: feed.cards.map(({ id, view }) => /* @__PURE__ */ jsx6("li", { children: view }, id)) })
      ] })
    ] })
  ] });
}
mount(Live);
