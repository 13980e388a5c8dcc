// pages/ask/main.tsx
import {
  Fault,
  Loading,
  NotFoundError,
  RequestLine,
  TweetCard,
  age,
  askHref,
  client,
  completed,
  full as full3,
  mount,
  root as root2,
  send,
  setTitle,
  useEffect as useEffect2,
  useLoaded,
  useMemo,
  useState as useState3
} from "./kit.js";

// pages/plot/plot.tsx
import { full } from "./frame.js";
import { jsx, jsxs } from "./frame.js";
var Gauge = ({
  name,
  value,
  max,
  text
}) => /* @__PURE__ */ jsxs("div", { class: "gauge", children: [
  /* @__PURE__ */ jsxs("div", { class: "gauge-text", children: [
    /* @__PURE__ */ jsx("span", { children: name }),
    /* @__PURE__ */ jsx("b", { children: text })
  ] }),
  /* @__PURE__ */ jsx("meter", { min: 0, max: Math.max(1, max), value, "aria-label": name })
] });

// pages/ask/chat.tsx
import { askForKey, useEffect, useKey, useRef as useRef2, useState as useState2 } from "./kit.js";

// pages/ask/answer.tsx
import {
  full as full2,
  linkText,
  piecesOf,
  root,
  searchHref,
  tweetHref,
  userHref
} from "./kit.js";
import { Fragment, jsx as jsx2, jsxs as jsxs2 } from "./frame.js";
var reference = /((?:“[^”]*”\s*)?\[\d+\])/;
var Paragraph = ({ text, cited }) => /* @__PURE__ */ jsx2("p", { dir: "auto", children: text.split(reference).map((part, index) => {
  const id = index % 2 === 1 ? cited[Number(/\[(\d+)\]$/.exec(part)?.[1]) - 1] : void 0;
  return id === void 0 ? /* @__PURE__ */ jsx2(Pieces, { text: part }, index) : /* @__PURE__ */ jsx2("a", { class: "quotation", href: tweetHref(id), children: part }, index);
}) });
var Pieces = ({ text }) => /* @__PURE__ */ jsx2(Fragment, { children: piecesOf(text).map((piece, index) => {
  if (piece.is === "plain") return piece.text;
  if (piece.is === "link")
    return /* @__PURE__ */ jsx2("a", { href: piece.text, target: "_blank", rel: "noopener noreferrer nofollow", children: linkText(piece.text) }, index);
  return /* @__PURE__ */ jsx2("a", { href: piece.is === "mention" ? userHref(piece.text) : searchHref(piece.text), children: piece.text }, index);
}) });
var Paragraphs = ({ text, cited = [] }) => /* @__PURE__ */ jsx2(Fragment, { children: text.split(/\n+/).filter((part) => part.trim() !== "").map((part, index) => /* @__PURE__ */ jsx2(Paragraph, { text: part, cited }, index)) });
function targetOf(url) {
  const id = /^https:\/\/(?:x|twitter)\.com\/\w+\/status\/(\d+)/.exec(url)?.[1];
  if (id !== void 0) return { href: tweetHref(id), isOwn: true };
  return /^https?:\/\//i.test(url) ? { href: url, isOwn: false } : void 0;
}
function Chip({ citation, number }) {
  const target = targetOf(citation.url);
  const words = /* @__PURE__ */ jsxs2(Fragment, { children: [
    number !== void 0 && /* @__PURE__ */ jsxs2("b", { children: [
      number,
      " "
    ] }),
    citation.title ?? citation.domain,
    " ",
    /* @__PURE__ */ jsx2("span", { class: "hint", children: linkText(citation.url, citation.domain) })
  ] });
  if (target === void 0) return /* @__PURE__ */ jsx2("span", { class: "chip", children: words });
  const outward = target.isOwn ? {} : { target: "_blank", rel: "noopener noreferrer nofollow" };
  return /* @__PURE__ */ jsx2("a", { class: "chip", href: target.href, title: citation.snippet ?? void 0, ...outward, children: words });
}
var dollars = (value) => `$${full2(Math.round(value))}`;
function TokenCard({
  extracted,
  token
}) {
  const described = Object.entries(extracted).flatMap(([name, value]) => value === null ? [] : [`${name}: ${value}`]);
  return /* @__PURE__ */ jsxs2("div", { class: "token panel", children: [
    /* @__PURE__ */ jsx2("h3", { children: "Token" }),
    /* @__PURE__ */ jsx2("p", { children: described.length === 0 ? "The post names no token." : described.join(" · ") }),
    token === null && /* @__PURE__ */ jsx2("p", { class: "hint", children: "It was not found on-chain." }),
    token !== null && token !== void 0 && /* @__PURE__ */ jsxs2("dl", { class: "token-facts", children: [
      /* @__PURE__ */ jsx2("dt", { children: "chain" }),
      /* @__PURE__ */ jsx2("dd", { children: token.chain }),
      /* @__PURE__ */ jsx2("dt", { children: "address" }),
      /* @__PURE__ */ jsx2("dd", { class: "id", children: token.address }),
      /* @__PURE__ */ jsx2("dt", { children: "liquidity" }),
      /* @__PURE__ */ jsx2("dd", { children: dollars(token.liquidity) }),
      /* @__PURE__ */ jsx2("dt", { children: "market cap" }),
      /* @__PURE__ */ jsx2("dd", { children: dollars(token.market_cap) })
    ] })
  ] });
}
function isUsed({ url, title, domain }, summary, linked) {
  if (!linked.has(url)) return true;
  const words = [title, domain, url.replace(/^https?:\/\/(?:www\.)?/, "").replace(/\/$/, "")];
  return words.some((each) => each !== null && each !== "" && summary.includes(each));
}
function AnswerView({ answer, linked }) {
  const { summary, cited_tweets, tickers = [], extracted, token, provider, model } = answer;
  const numbered = answer.citations.map((citation, index) => [citation, index + 1]);
  const sources = numbered.filter(
    ([citation, number]) => isUsed(citation, summary, linked) || cited_tweets === void 0 && summary.includes(`[${number}]`)
  );
  return /* @__PURE__ */ jsxs2(Fragment, { children: [
    /* @__PURE__ */ jsx2(Paragraphs, { text: summary, cited: cited_tweets }),
    tickers.length > 0 && /* @__PURE__ */ jsx2("p", { class: "chips", children: tickers.map((ticker) => /* @__PURE__ */ jsx2("a", { class: "chip", href: searchHref(ticker), children: ticker }, ticker)) }),
    extracted !== void 0 && /* @__PURE__ */ jsx2(TokenCard, { extracted, token }),
    sources.length > 0 && /* @__PURE__ */ jsx2("p", { class: "chips", "aria-label": "Sources", role: "group", children: sources.map(([citation, number]) => /* @__PURE__ */ jsx2(Chip, { citation, number: cited_tweets === void 0 ? number : void 0 }, citation.url)) }),
    /* @__PURE__ */ jsxs2("p", { class: "hint", children: [
      provider === void 0 ? model : `${provider}, ${model}`,
      " · ",
      /* @__PURE__ */ jsx2("a", { href: `${root}docs/`, children: "the same over REST" })
    ] }),
    provider === "local" && /* @__PURE__ */ jsxs2("p", { class: "hint", children: [
      "No language model wrote this. ",
      /* @__PURE__ */ jsx2("a", { href: `${root}operate#model-servers`, children: "Use one on this machine" }),
      ", as the operator of this service."
    ] })
  ] });
}

// pages/ask/conversation.ts
import { useRef, useState } from "./kit.js";

// pages/ask/socket.ts
import { baseUrl, enteredKey } from "./kit.js";
var Refused = class extends Error {
  code;
  /** Seconds to wait before the next attempt. */
  waitSeconds;
  constructor({ error, code, retry_after_s: waitSeconds }) {
    super(error);
    this.code = code;
    this.waitSeconds = waitSeconds;
  }
};
var Lost = class extends Error {
  /** The close code of the service; 4001 for an invalid key. */
  closeCode;
  constructor(closeCode, reason) {
    super(reason === "" ? "the connection was lost" : reason);
    this.closeCode = closeCode;
  }
};
var maxAttempts = 4;
var pauseMs = 700;
function address() {
  const url = new URL(`${baseUrl}/ws`);
  url.protocol = url.protocol.replace("http", "ws");
  url.searchParams.set("api_key", enteredKey());
  return url.href;
}
function attempt({ params, onPart, signal }, idempotencyKey) {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address());
    let text = "";
    const stop = () => {
      socket.close();
      reject(signal.reason);
    };
    signal.addEventListener("abort", stop, { once: true });
    socket.onopen = () => socket.send(
      JSON.stringify({ type: "ask", id: "1", params, idempotency_key: idempotencyKey })
    );
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(String(data));
      if (message.type === "answer") onPart(text += message.delta);
      if (message.type === "answered") resolve(message.result);
      if (message.type === "error") reject(new Refused(message));
      if (message.type === "answered" || message.type === "error") socket.close();
    };
    socket.onclose = ({ code, reason }) => reject(new Lost(code, reason));
  });
}
async function ask(question) {
  const idempotencyKey = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16)).join("-");
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt(question, idempotencyKey);
    } catch (error) {
      const isFinal = !(error instanceof Lost) || error.closeCode >= 4e3 && error.closeCode < 4100;
      if (isFinal || attempts === maxAttempts || question.signal.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs * attempts));
    }
  }
}

// pages/ask/stored.ts
import { conversationsName } from "./kit.js";
var maxStored = 8;
var maxAgeMs = 24 * 36e5;
function storedConversations() {
  try {
    const stored = JSON.parse(localStorage.getItem(conversationsName) ?? "[]");
    return stored.filter(({ at }) => Date.now() - at < maxAgeMs);
  } catch {
    return [];
  }
}
function store(conversations) {
  try {
    if (conversations.length === 0) localStorage.removeItem(conversationsName);
    else localStorage.setItem(conversationsName, JSON.stringify(conversations));
  } catch {
  }
}
var forgetConversation = (id) => store(storedConversations().filter((each) => each.id !== id));
var forgetConversations = () => store([]);
var keepConversation = (conversation, previousId) => store(
  [conversation, ...storedConversations().filter(({ id }) => id !== conversation.id && id !== previousId)].slice(
    0,
    maxStored
  )
);

// pages/ask/conversation.ts
var soon = (seconds) => seconds === void 0 ? "in a while" : `in ${seconds} seconds`;
function explainRefusal(error) {
  if (error instanceof Refused && error.code === "conversation_expired")
    return {
      title: "This conversation has expired",
      text: "A conversation ends an hour after its last question. Start a new one about the same tweet.",
      remedy: "anew"
    };
  if (error instanceof Refused && error.code === "no_account")
    return {
      title: "No questions left at the moment",
      text: `All accounts of the assistant are used up or pause. Ask again ${soon(error.waitSeconds)}.`,
      remedy: "retry"
    };
  if (error instanceof Refused && error.code === "too_many_requests")
    return { title: "Too many questions at once", text: `Ask again ${soon(error.waitSeconds)}.`, remedy: "retry" };
  if (error instanceof Refused && error.code === "not_found")
    return {
      title: "The tweet is not here",
      text: "The assistant reads only tweets that this service has.",
      remedy: "none"
    };
  if (error instanceof Refused && error.code === "bad_message")
    return { title: "This key may not ask", text: "It lacks the scope assistant. Use another key.", remedy: "key" };
  if (error instanceof Refused)
    return { title: "The question failed", text: `${error.message}. It cost nothing.`, remedy: "retry" };
  if (error instanceof Lost && error.closeCode >= 4e3 && error.closeCode < 4100)
    return { title: "The service refused the connection", text: `${error.message}. Enter another key.`, remedy: "key" };
  return {
    title: "The service does not answer",
    text: "The connection was lost. The question was not repeated at your cost.",
    remedy: "retry"
  };
}
var addressed = () => new URLSearchParams(location.search).get("conversation") ?? void 0;
function address2(tweetId2, conversation) {
  history.replaceState(null, "", `?${new URLSearchParams({ tweet: tweetId2, conversation })}`);
}
function storedTurns(tweetId2) {
  const stored = storedConversations().find((each) => each.id === addressed() && each.tweetId === tweetId2);
  return (stored?.turns ?? []).map(({ question, answer }) => ({ question, answer, text: answer.summary }));
}
var isAnswered = (turn) => turn.answer !== void 0;
function useConversation(tweetId2, onAnswer) {
  const [turns, setTurns] = useState(() => storedTurns(tweetId2));
  const [isAsking, setAsking] = useState(false);
  const aborting = useRef(void 0);
  const conversationId = turns.findLast(isAnswered)?.answer.conversation_id ?? addressed();
  const change = (next) => setTurns((before) => before.map((turn, index) => index === before.length - 1 ? { ...turn, ...next } : turn));
  const send2 = async (prompt, extras, isNew = false) => {
    const { signal } = aborting.current = new AbortController();
    setTurns((before) => [...isNew ? [] : before, { question: prompt, text: "" }]);
    setAsking(true);
    const started = conversationId === void 0 || isNew ? { tweet_id: tweetId2 } : { conversation_id: conversationId };
    const params = { ...started, ...extras, ...prompt === "" ? {} : { prompt } };
    try {
      const answer = await ask({ params, signal, onPart: (text) => change({ text }) });
      change({ answer, text: answer.summary });
      const before = isNew ? [] : turns.filter(isAnswered).map((turn) => ({ question: turn.question, answer: turn.answer }));
      const { conversation_id: id } = answer;
      keepConversation(
        { id, tweetId: tweetId2, at: Date.now(), turns: [...before, { question: prompt, answer }] },
        conversationId
      );
      address2(tweetId2, id);
      onAnswer();
    } catch (error) {
      if (signal.aborted)
        change({ fault: { title: "Cancelled", text: "The question was cancelled.", remedy: "retry" } });
      else change({ fault: explainRefusal(error) });
      if (error instanceof Refused && error.code === "conversation_expired" && conversationId !== void 0)
        forgetConversation(conversationId);
    } finally {
      setAsking(false);
    }
  };
  return {
    turns,
    isAsking,
    hasConversation: conversationId !== void 0,
    send: send2,
    cancel: () => aborting.current?.abort()
  };
}

// pages/ask/chat.tsx
import { jsx as jsx3, jsxs as jsxs3 } from "./frame.js";
var starters = ["Who is the author?", "What do the replies say?", "Is that a lot of likes?"];
function FaultView({ fault, retry, anew }) {
  return /* @__PURE__ */ jsxs3("div", { class: "panel fault", role: "alert", children: [
    /* @__PURE__ */ jsx3("h3", { children: fault.title }),
    /* @__PURE__ */ jsx3("p", { children: fault.text }),
    fault.remedy === "retry" && /* @__PURE__ */ jsx3("button", { type: "button", onClick: retry, children: "Ask again" }),
    fault.remedy === "anew" && /* @__PURE__ */ jsx3("button", { type: "button", onClick: anew, children: "Start a new conversation" }),
    fault.remedy === "key" && /* @__PURE__ */ jsx3("button", { type: "button", onClick: () => askForKey(), children: "Enter a key" })
  ] });
}
function TurnView({ turn, linked, retry, anew }) {
  return /* @__PURE__ */ jsxs3("li", { class: "turn", children: [
    /* @__PURE__ */ jsx3("p", { class: "question", dir: "auto", children: turn.question === "" ? "Explain this tweet" : turn.question }),
    /* @__PURE__ */ jsxs3("div", { class: "reply", children: [
      turn.answer !== void 0 && /* @__PURE__ */ jsx3(AnswerView, { answer: turn.answer, linked }),
      turn.answer === void 0 && turn.text !== "" && /* @__PURE__ */ jsx3(Paragraphs, { text: turn.text }),
      turn.answer === void 0 && turn.fault === void 0 && /* @__PURE__ */ jsx3("p", { class: "hint thinking", role: "status", children: turn.text === "" ? "Reading the tweet and its replies …" : "Writing …" }),
      turn.fault !== void 0 && /* @__PURE__ */ jsx3(FaultView, { fault: turn.fault, retry, anew })
    ] })
  ] });
}
function Field({ isAsking, hasAnswer, ask: ask2, cancel }) {
  const [text, setText] = useState2("");
  const [suggests, setSuggests] = useState2(false);
  const [extracts, setExtracts] = useState2(false);
  const prompt = text.trim();
  const submit = (event) => {
    event.preventDefault();
    if (isAsking || hasAnswer && prompt === "") return;
    ask2(prompt, { ...suggests ? { suggest: "ticker" } : {}, ...extracts ? { extract: "token" } : {} });
    setText("");
  };
  return /* @__PURE__ */ jsxs3("form", { class: "ask-field", onSubmit: submit, children: [
    /* @__PURE__ */ jsx3(
      "textarea",
      {
        "aria-label": "Your question",
        rows: 2,
        maxLength: 4e3,
        placeholder: hasAnswer ? "Ask on …" : "Ask something, or leave it empty for an explanation",
        value: text,
        onInput: ({ currentTarget }) => setText(currentTarget.value),
        onKeyDown: (event) => {
          if (event.key === "Enter" && !event.shiftKey && !event.isComposing) submit(event);
        }
      }
    ),
    /* @__PURE__ */ jsxs3("div", { class: "row spread", children: [
      /* @__PURE__ */ jsxs3("span", { class: "row", children: [
        /* @__PURE__ */ jsxs3("label", { class: "check", children: [
          /* @__PURE__ */ jsx3("input", { type: "checkbox", checked: suggests, onChange: () => setSuggests(!suggests) }),
          " Suggest tickers"
        ] }),
        /* @__PURE__ */ jsxs3("label", { class: "check", children: [
          /* @__PURE__ */ jsx3("input", { type: "checkbox", checked: extracts, onChange: () => setExtracts(!extracts) }),
          " Find the token (2 questions)"
        ] })
      ] }),
      isAsking ? /* @__PURE__ */ jsx3("button", { type: "button", onClick: cancel, children: "Cancel" }) : /* @__PURE__ */ jsx3("button", { type: "submit", class: "primary", disabled: hasAnswer && prompt === "", children: hasAnswer || prompt !== "" ? "Ask" : "Explain" })
    ] })
  ] });
}
var KeyWanted = () => /* @__PURE__ */ jsxs3("section", { class: "panel", "aria-label": "Conversation", children: [
  /* @__PURE__ */ jsx3("h2", { children: "Enter an API key" }),
  /* @__PURE__ */ jsx3("p", { children: "Questions are asked with a key that has the scopes assistant and events." }),
  /* @__PURE__ */ jsx3("button", { type: "button", class: "primary", onClick: () => askForKey(), children: "Enter a key" })
] });
function Chat({ tweetId: tweetId2, linked, onAnswer }) {
  const key = useKey();
  const { turns, isAsking, hasConversation, send: send2, cancel } = useConversation(tweetId2, onAnswer);
  const end = useRef2(null);
  useEffect(() => {
    if (isAsking) end.current?.scrollIntoView({ block: "nearest" });
  }, [turns.length, isAsking]);
  if (key === "") return /* @__PURE__ */ jsx3(KeyWanted, {});
  return /* @__PURE__ */ jsxs3("section", { class: "chat", "aria-label": "Conversation", children: [
    /* @__PURE__ */ jsx3("h2", { class: "sr", children: "Conversation" }),
    /* @__PURE__ */ jsx3("ol", { class: "turns", "aria-live": "polite", "aria-busy": isAsking, children: turns.map((turn, index) => /* @__PURE__ */ jsx3(
      TurnView,
      {
        turn,
        linked,
        retry: () => void send2(turn.question, {}),
        anew: () => void send2(turn.question, {}, true)
      },
      index
    )) }),
    turns.length === 0 && /* @__PURE__ */ jsx3("p", { class: "lead", children: hasConversation ? "This conversation goes on. Its earlier answers are in the browser in which they were asked." : "What would you like to know about this tweet?" }),
    !isAsking && /* @__PURE__ */ jsxs3("p", { class: "chips", role: "group", "aria-label": "Suggested questions", children: [
      !hasConversation && /* @__PURE__ */ jsx3("button", { type: "button", class: "chip", onClick: () => void send2("", {}), children: "Explain this tweet" }),
      starters.map((starter) => /* @__PURE__ */ jsx3("button", { type: "button", class: "chip", onClick: () => void send2(starter, {}), children: starter }, starter))
    ] }),
    /* @__PURE__ */ jsx3(
      Field,
      {
        isAsking,
        hasAnswer: hasConversation,
        ask: (prompt, extras) => void send2(prompt, extras),
        cancel
      }
    ),
    /* @__PURE__ */ jsx3("div", { ref: end })
  ] });
}

// pages/ask/main.tsx
import { Fragment as Fragment2, jsx as jsx4, jsxs as jsxs4 } from "./frame.js";
var tweetId = (new URLSearchParams(location.search).get("tweet") ?? "").trim();
var found = (query, order, limit) => ({
  path: "/social/tweet/advanced_search",
  parameters: { query, query_type: order, limit }
});
var idIn = (text) => /(\d{5,19})\/?(?:[?#].*)?$/.exec(text.trim())?.[1];
function Picker() {
  const [text, setText] = useState3("");
  const [isWrong, setWrong] = useState3(false);
  const popular = useLoaded(
    "popular",
    async (signal) => completed(
      (await send(found("-filter:replies", "Top", 8), signal)).tweets,
      signal
    )
  );
  const submit = (event) => {
    event.preventDefault();
    const id = idIn(text);
    if (id === void 0) setWrong(true);
    else location.assign(askHref(id));
  };
  return /* @__PURE__ */ jsxs4(Fragment2, { children: [
    /* @__PURE__ */ jsx4("h1", { children: "Ask about a tweet" }),
    /* @__PURE__ */ jsx4("p", { class: "lead", children: "The assistant explains a tweet, names its sources, and answers what you ask next." }),
    /* @__PURE__ */ jsxs4("form", { class: "search-form", onSubmit: submit, children: [
      /* @__PURE__ */ jsx4(
        "input",
        {
          type: "text",
          "aria-label": "Id or address of a tweet",
          placeholder: "Id or address of a tweet",
          "aria-invalid": isWrong,
          value: text,
          onInput: ({ currentTarget }) => {
            setText(currentTarget.value);
            setWrong(false);
          }
        }
      ),
      /* @__PURE__ */ jsx4("button", { type: "submit", class: "primary", children: "Open" })
    ] }),
    isWrong && /* @__PURE__ */ jsx4("p", { class: "wrong", role: "alert", children: "This names no tweet: type its id (digits), or paste its address." }),
    /* @__PURE__ */ jsx4(Recent, {}),
    /* @__PURE__ */ jsx4("h2", { class: "section-title pick-title", children: "Or pick one that many people liked" }),
    popular.is === "loading" && /* @__PURE__ */ jsx4(Loading, {}),
    popular.is === "failed" && /* @__PURE__ */ jsx4(Fault, { error: popular.error, retry: popular.retry }),
    popular.is === "ready" && /* @__PURE__ */ jsx4("ol", { class: "feed narrow", children: popular.data.map((tweet) => /* @__PURE__ */ jsx4("li", { children: /* @__PURE__ */ jsx4(TweetCard, { tweet }) }, tweet.id)) })
  ] });
}
var conversationHref = ({ id, tweetId: tweet }) => `${root2}ask?${new URLSearchParams({ tweet, conversation: id })}`;
function Recent() {
  const open = new URLSearchParams(location.search).get("conversation");
  const [stored, setStored] = useState3(() => storedConversations().filter(({ id }) => id !== open));
  if (stored.length === 0) return null;
  const forget = () => {
    forgetConversations();
    setStored([]);
  };
  return /* @__PURE__ */ jsxs4("section", { class: "panel recent", "aria-labelledby": "recent-title", children: [
    /* @__PURE__ */ jsx4("h2", { id: "recent-title", children: "Recent conversations" }),
    /* @__PURE__ */ jsx4("ul", { children: stored.map((each) => /* @__PURE__ */ jsxs4("li", { children: [
      /* @__PURE__ */ jsx4("a", { href: conversationHref(each), children: /* @__PURE__ */ jsx4("bdi", { children: each.turns.map(({ question }) => question || "Explain this tweet").join(" · ") }) }),
      " ",
      /* @__PURE__ */ jsx4("span", { class: "time", children: age(new Date(each.at).toISOString()) })
    ] }, each.id)) }),
    /* @__PURE__ */ jsx4("p", { class: "hint", children: "They are in this browser only, for a day." }),
    /* @__PURE__ */ jsx4("button", { type: "button", class: "small", onClick: forget, children: "Forget them" })
  ] });
}
function Quota({ round }) {
  const status = useLoaded(`quota ${round}`, (signal) => client.assistant.status(void 0, { signal }));
  if (status.is === "failed") return null;
  if (status.is === "loading") return /* @__PURE__ */ jsx4("div", { class: "panel quota" });
  const { remaining_now: left, daily_capacity: all } = status.data.capacity;
  return /* @__PURE__ */ jsx4("div", { class: "panel quota", children: /* @__PURE__ */ jsx4(Gauge, { name: "Questions left today", value: left, max: all, text: `${full3(left)} of ${full3(all)} left` }) });
}
async function readTweet(signal) {
  try {
    return (await client.tweet.info({ tweet_id: tweetId }, { signal })).tweet;
  } catch (error) {
    if (error instanceof NotFoundError) return void 0;
    throw error;
  }
}
function linksOf(tweet) {
  const both = [tweet, tweet?.quoted_tweet, tweet?.retweeted_tweet].filter(
    (each) => each !== void 0 && each !== null
  );
  const urls = both.flatMap(({ entities, card }) => [...entities.urls.map(({ url }) => url), card?.url ?? ""]);
  return new Set(urls.flatMap((url) => URL.canParse(url) ? [new URL(url).href] : []));
}
function Asking() {
  const [round, setRound] = useState3(0);
  const tweet = useLoaded(tweetId, readTweet);
  const request = { path: "/social/tweet/assistant", parameters: { tweet_id: tweetId } };
  const linked = useMemo(() => linksOf(tweet.is === "ready" ? tweet.data : void 0), [tweet]);
  return /* @__PURE__ */ jsxs4(Fragment2, { children: [
    /* @__PURE__ */ jsx4("h1", { class: "sr", children: "Ask about a tweet" }),
    /* @__PURE__ */ jsxs4("div", { class: "columns ask-columns", children: [
      /* @__PURE__ */ jsxs4("aside", { class: "asked-tweet", "aria-label": "The tweet", children: [
        tweet.is === "loading" && /* @__PURE__ */ jsx4(Loading, { rows: 1 }),
        tweet.is === "failed" && /* @__PURE__ */ jsx4(Fault, { error: tweet.error, retry: tweet.retry }),
        tweet.is === "ready" && (tweet.data === void 0 ? /* @__PURE__ */ jsxs4("div", { class: "panel fault", children: [
          /* @__PURE__ */ jsx4("h2", { children: "This tweet is not here" }),
          /* @__PURE__ */ jsx4("p", { children: "The assistant reads only tweets that this service has." })
        ] }) : /* @__PURE__ */ jsx4("div", { class: "panel boxed", children: /* @__PURE__ */ jsx4(TweetCard, { tweet: tweet.data }) }))
      ] }),
      /* @__PURE__ */ jsx4(Chat, { tweetId, linked, onAnswer: () => setRound((before) => before + 1) }),
      /* @__PURE__ */ jsxs4("aside", { class: "ask-more", "aria-label": "About the assistant", children: [
        /* @__PURE__ */ jsx4(Quota, { round }),
        /* @__PURE__ */ jsx4(Recent, {}),
        /* @__PURE__ */ jsx4(RequestLine, { request }),
        /* @__PURE__ */ jsx4("p", { children: /* @__PURE__ */ jsx4("a", { href: `${root2}ask`, children: "Choose another tweet" }) })
      ] })
    ] })
  ] });
}
function Ask() {
  useEffect2(() => setTitle("Ask"), []);
  return /^\d{1,19}$/.test(tweetId) ? /* @__PURE__ */ jsx4(Asking, {}) : /* @__PURE__ */ jsx4(Picker, {});
}
mount(Ask);
