// pages/ask/main.tsx
import {
  Fault,
  FullTweetCard,
  Gauge,
  Loading,
  NotFoundError,
  RequestLine,
  TweetCard,
  askHref,
  client,
  full as full2,
  mount,
  root as root2,
  send,
  setTitle,
  useEffect as useEffect2,
  useLoaded,
  useState as useState3
} from "./kit.js";

// pages/ask/chat.tsx
import { askForKey, useEffect, useKey, useRef as useRef2, useState as useState2 } from "./kit.js";

// pages/ask/answer.tsx
import {
  full,
  linkText,
  piecesOf,
  root,
  searchHref,
  tweetHref,
  userHref
} from "./kit.js";
import { Fragment, jsx, jsxs } from "./kit.js";
var referencesIn = (text, cited) => text.split(/(\[\d+\])/).map((part, index) => {
  const id = index % 2 === 1 ? cited[Number(part.slice(1, -1)) - 1] : void 0;
  if (id === void 0) return part;
  return /* @__PURE__ */ jsx("a", { href: tweetHref(id), children: part }, index);
});
var Paragraph = ({ text, cited }) => /* @__PURE__ */ jsx("p", { dir: "auto", children: piecesOf(text).map((piece, index) => {
  if (piece.is === "plain") return referencesIn(piece.text, cited);
  if (piece.is === "link")
    return /* @__PURE__ */ jsx("a", { href: piece.text, target: "_blank", rel: "noopener noreferrer nofollow", children: linkText(piece.text) }, index);
  return /* @__PURE__ */ jsx("a", { href: piece.is === "mention" ? userHref(piece.text) : searchHref(piece.text), children: piece.text }, index);
}) });
var Paragraphs = ({ text, cited = [] }) => /* @__PURE__ */ jsx(Fragment, { children: text.split(/\n{2,}/).filter((part) => part.trim() !== "").map((part, index) => /* @__PURE__ */ jsx(Paragraph, { text: part, cited }, index)) });
function targetOf(url) {
  const id = /^https:\/\/(?:x|twitter)\.com\/\w+\/status\/(\d+)/.exec(url)?.[1];
  if (id !== void 0) return { href: tweetHref(id), isOwn: true };
  return /^https?:\/\//i.test(url) ? { href: url, isOwn: false } : void 0;
}
function Chip({ citation, number }) {
  const target = targetOf(citation.url);
  const words = /* @__PURE__ */ jsxs(Fragment, { children: [
    number !== void 0 && /* @__PURE__ */ jsxs("b", { children: [
      number,
      " "
    ] }),
    citation.title ?? citation.domain,
    " ",
    /* @__PURE__ */ jsx("span", { class: "hint", children: linkText(citation.url, citation.domain) })
  ] });
  if (target === void 0) return /* @__PURE__ */ jsx("span", { class: "chip", children: words });
  const outward = target.isOwn ? {} : { target: "_blank", rel: "noopener noreferrer nofollow" };
  return /* @__PURE__ */ jsx("a", { class: "chip", href: target.href, title: citation.snippet ?? void 0, ...outward, children: words });
}
var dollars = (value) => `$${full(Math.round(value))}`;
function TokenCard({
  extracted,
  token
}) {
  const described = Object.entries(extracted).flatMap(([name, value]) => value === null ? [] : [`${name}: ${value}`]);
  return /* @__PURE__ */ jsxs("div", { class: "token panel", children: [
    /* @__PURE__ */ jsx("h3", { children: "Token" }),
    /* @__PURE__ */ jsx("p", { children: described.length === 0 ? "The post names no token." : described.join(" · ") }),
    token === null && /* @__PURE__ */ jsx("p", { class: "hint", children: "It was not found on-chain." }),
    token !== null && token !== void 0 && /* @__PURE__ */ jsxs("dl", { class: "token-facts", children: [
      /* @__PURE__ */ jsx("dt", { children: "chain" }),
      /* @__PURE__ */ jsx("dd", { children: token.chain }),
      /* @__PURE__ */ jsx("dt", { children: "address" }),
      /* @__PURE__ */ jsx("dd", { class: "id", children: token.address }),
      /* @__PURE__ */ jsx("dt", { children: "liquidity" }),
      /* @__PURE__ */ jsx("dd", { children: dollars(token.liquidity) }),
      /* @__PURE__ */ jsx("dt", { children: "market cap" }),
      /* @__PURE__ */ jsx("dd", { children: dollars(token.market_cap) })
    ] })
  ] });
}
function AnswerView({ answer }) {
  const { summary, citations, cited_tweets, tickers = [], extracted, token, model } = answer;
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx(Paragraphs, { text: summary, cited: cited_tweets }),
    tickers.length > 0 && /* @__PURE__ */ jsx("p", { class: "chips", children: tickers.map((ticker) => /* @__PURE__ */ jsx("a", { class: "chip", href: searchHref(ticker), children: ticker }, ticker)) }),
    extracted !== void 0 && /* @__PURE__ */ jsx(TokenCard, { extracted, token }),
    citations.length > 0 && /* @__PURE__ */ jsx("p", { class: "chips", "aria-label": "Sources", role: "group", children: citations.map((citation, index) => /* @__PURE__ */ jsx(Chip, { citation, number: cited_tweets === void 0 ? index + 1 : void 0 }, citation.url)) }),
    /* @__PURE__ */ jsxs("p", { class: "hint", children: [
      model,
      " · ",
      /* @__PURE__ */ jsx("a", { href: `${root}docs/`, children: "the same over REST" })
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
function useConversation(tweetId2, onAnswer) {
  const [turns, setTurns] = useState([]);
  const [isAsking, setAsking] = useState(false);
  const aborting = useRef(void 0);
  const conversationId = turns.findLast(({ answer }) => answer !== void 0)?.answer?.conversation_id;
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
      onAnswer();
    } catch (error) {
      if (signal.aborted)
        change({ fault: { title: "Cancelled", text: "The question was cancelled.", remedy: "retry" } });
      else change({ fault: explainRefusal(error) });
    } finally {
      setAsking(false);
    }
  };
  return {
    turns,
    isAsking,
    hasConversation: conversationId !== void 0,
    send: send2,
    cancel: () => aborting.current?.abort(),
    clear: () => setTurns([])
  };
}

// pages/ask/chat.tsx
import { jsx as jsx2, jsxs as jsxs2 } from "./kit.js";
var starters = ["Who is the author?", "What do the replies say?", "Is that a lot of likes?"];
function FaultView({ fault, retry, anew }) {
  return /* @__PURE__ */ jsxs2("div", { class: "panel fault", role: "alert", children: [
    /* @__PURE__ */ jsx2("h3", { children: fault.title }),
    /* @__PURE__ */ jsx2("p", { children: fault.text }),
    fault.remedy === "retry" && /* @__PURE__ */ jsx2("button", { type: "button", onClick: retry, children: "Ask again" }),
    fault.remedy === "anew" && /* @__PURE__ */ jsx2("button", { type: "button", onClick: anew, children: "Start a new conversation" }),
    fault.remedy === "key" && /* @__PURE__ */ jsx2("button", { type: "button", onClick: () => askForKey(), children: "Enter a key" })
  ] });
}
function TurnView({ turn, retry, anew }) {
  return /* @__PURE__ */ jsxs2("li", { class: "turn", children: [
    /* @__PURE__ */ jsx2("p", { class: "question", dir: "auto", children: turn.question === "" ? "Explain this tweet" : turn.question }),
    /* @__PURE__ */ jsxs2("div", { class: "reply", children: [
      turn.answer !== void 0 && /* @__PURE__ */ jsx2(AnswerView, { answer: turn.answer }),
      turn.answer === void 0 && turn.text !== "" && /* @__PURE__ */ jsx2(Paragraphs, { text: turn.text }),
      turn.answer === void 0 && turn.fault === void 0 && /* @__PURE__ */ jsx2("p", { class: "hint thinking", role: "status", children: turn.text === "" ? "Reading the tweet and its replies …" : "Writing …" }),
      turn.fault !== void 0 && /* @__PURE__ */ jsx2(FaultView, { fault: turn.fault, retry, anew })
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
  return /* @__PURE__ */ jsxs2("form", { class: "ask-field", onSubmit: submit, children: [
    /* @__PURE__ */ jsx2(
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
    /* @__PURE__ */ jsxs2("div", { class: "row spread", children: [
      /* @__PURE__ */ jsxs2("span", { class: "row", children: [
        /* @__PURE__ */ jsxs2("label", { class: "check", children: [
          /* @__PURE__ */ jsx2("input", { type: "checkbox", checked: suggests, onChange: () => setSuggests(!suggests) }),
          " Suggest tickers"
        ] }),
        /* @__PURE__ */ jsxs2("label", { class: "check", children: [
          /* @__PURE__ */ jsx2("input", { type: "checkbox", checked: extracts, onChange: () => setExtracts(!extracts) }),
          " Find the token (2 questions)"
        ] })
      ] }),
      isAsking ? /* @__PURE__ */ jsx2("button", { type: "button", onClick: cancel, children: "Cancel" }) : /* @__PURE__ */ jsx2("button", { type: "submit", class: "primary", disabled: hasAnswer && prompt === "", children: hasAnswer || prompt !== "" ? "Ask" : "Explain" })
    ] })
  ] });
}
function Chat({ tweetId: tweetId2, onAnswer }) {
  const key = useKey();
  const { turns, isAsking, hasConversation, send: send2, cancel } = useConversation(tweetId2, onAnswer);
  const end = useRef2(null);
  useEffect(() => {
    if (turns.length > 0) end.current?.scrollIntoView({ block: "nearest" });
  }, [turns.length]);
  if (key === "")
    return /* @__PURE__ */ jsxs2("section", { class: "panel", "aria-label": "Conversation", children: [
      /* @__PURE__ */ jsx2("h2", { children: "Enter an API key" }),
      /* @__PURE__ */ jsx2("p", { children: "Questions are asked with a key that has the scopes assistant and events." }),
      /* @__PURE__ */ jsx2("button", { type: "button", class: "primary", onClick: () => askForKey(), children: "Enter a key" })
    ] });
  return /* @__PURE__ */ jsxs2("section", { class: "chat", "aria-label": "Conversation", children: [
    /* @__PURE__ */ jsx2("h2", { class: "sr", children: "Conversation" }),
    /* @__PURE__ */ jsx2("ol", { class: "turns", "aria-live": "polite", "aria-busy": isAsking, children: turns.map((turn, index) => /* @__PURE__ */ jsx2(
      TurnView,
      {
        turn,
        retry: () => void send2(turn.question, {}),
        anew: () => void send2(turn.question, {}, true)
      },
      index
    )) }),
    turns.length === 0 && /* @__PURE__ */ jsx2("p", { class: "lead", children: "What would you like to know about this tweet?" }),
    !isAsking && /* @__PURE__ */ jsxs2("p", { class: "chips", role: "group", "aria-label": "Suggested questions", children: [
      turns.length === 0 && /* @__PURE__ */ jsx2("button", { type: "button", class: "chip", onClick: () => void send2("", {}), children: "Explain this tweet" }),
      starters.map((starter) => /* @__PURE__ */ jsx2("button", { type: "button", class: "chip", onClick: () => void send2(starter, {}), children: starter }, starter))
    ] }),
    /* @__PURE__ */ jsx2(
      Field,
      {
        isAsking,
        hasAnswer: hasConversation,
        ask: (prompt, extras) => void send2(prompt, extras),
        cancel
      }
    ),
    /* @__PURE__ */ jsx2("div", { ref: end })
  ] });
}

// pages/ask/main.tsx
import { Fragment as Fragment2, jsx as jsx3, jsxs as jsxs3 } from "./kit.js";
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
    (signal) => send(found("-filter:replies", "Top", 8), signal)
  );
  const submit = (event) => {
    event.preventDefault();
    const id = idIn(text);
    if (id === void 0) setWrong(true);
    else location.assign(askHref(id));
  };
  return /* @__PURE__ */ jsxs3(Fragment2, { children: [
    /* @__PURE__ */ jsx3("h1", { children: "Ask about a tweet" }),
    /* @__PURE__ */ jsx3("p", { class: "lead", children: "The assistant explains a tweet, names its sources, and answers what you ask next." }),
    /* @__PURE__ */ jsxs3("form", { class: "search-form", onSubmit: submit, children: [
      /* @__PURE__ */ jsx3(
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
      /* @__PURE__ */ jsx3("button", { type: "submit", class: "primary", children: "Open" })
    ] }),
    isWrong && /* @__PURE__ */ jsx3("p", { class: "wrong", role: "alert", children: "This names no tweet: type its id (digits), or paste its address." }),
    /* @__PURE__ */ jsx3("h2", { class: "section-title pick-title", children: "Or pick one that many people liked" }),
    popular.is === "loading" && /* @__PURE__ */ jsx3(Loading, {}),
    popular.is === "failed" && /* @__PURE__ */ jsx3(Fault, { error: popular.error, retry: popular.retry }),
    popular.is === "ready" && /* @__PURE__ */ jsx3("ol", { class: "feed narrow", children: popular.data.tweets.map((tweet) => /* @__PURE__ */ jsx3("li", { children: /* @__PURE__ */ jsx3(FullTweetCard, { tweet }) }, tweet.id)) })
  ] });
}
function Quota({ round }) {
  const status = useLoaded(`quota ${round}`, (signal) => client.assistant.status(void 0, { signal }));
  if (status.is !== "ready") return null;
  const { remaining_now: left, daily_capacity: all } = status.data.capacity;
  return /* @__PURE__ */ jsx3("div", { class: "panel", children: /* @__PURE__ */ jsx3(Gauge, { name: "Questions left today", value: left, max: all, text: `${full2(left)} of ${full2(all)} left` }) });
}
async function readTweet(signal) {
  try {
    return (await client.tweet.info({ tweet_id: tweetId }, { signal })).tweet;
  } catch (error) {
    if (error instanceof NotFoundError) return void 0;
    throw error;
  }
}
function Asking() {
  const [round, setRound] = useState3(0);
  const tweet = useLoaded(tweetId, readTweet);
  const request = { path: "/social/tweet/assistant", parameters: { tweet_id: tweetId } };
  return /* @__PURE__ */ jsxs3(Fragment2, { children: [
    /* @__PURE__ */ jsx3("h1", { class: "sr", children: "Ask about a tweet" }),
    /* @__PURE__ */ jsxs3("div", { class: "columns ask-columns", children: [
      /* @__PURE__ */ jsxs3("aside", { class: "rail", "aria-label": "The tweet", children: [
        tweet.is === "loading" && /* @__PURE__ */ jsx3(Loading, { rows: 1 }),
        tweet.is === "failed" && /* @__PURE__ */ jsx3(Fault, { error: tweet.error, retry: tweet.retry }),
        tweet.is === "ready" && (tweet.data === void 0 ? /* @__PURE__ */ jsxs3("div", { class: "panel fault", children: [
          /* @__PURE__ */ jsx3("h2", { children: "This tweet is not here" }),
          /* @__PURE__ */ jsx3("p", { children: "The assistant reads only tweets that this service has." })
        ] }) : /* @__PURE__ */ jsx3("div", { class: "panel boxed", children: /* @__PURE__ */ jsx3(TweetCard, { tweet: tweet.data }) })),
        /* @__PURE__ */ jsx3(Quota, { round }),
        /* @__PURE__ */ jsx3(RequestLine, { request }),
        /* @__PURE__ */ jsx3("p", { children: /* @__PURE__ */ jsx3("a", { href: `${root2}ask`, children: "Choose another tweet" }) })
      ] }),
      /* @__PURE__ */ jsx3(Chat, { tweetId, onAnswer: () => setRound((before) => before + 1) })
    ] })
  ] });
}
function Ask() {
  useEffect2(() => setTitle("Ask"), []);
  return /^\d{1,19}$/.test(tweetId) ? /* @__PURE__ */ jsx3(Asking, {}) : /* @__PURE__ */ jsx3(Picker, {});
}
mount(Ask);
