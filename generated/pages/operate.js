// pages/operate/main.tsx
import { Loading, mount, setTitle, useEffect as useEffect5 } from "./frame.js";

// pages/operate/accounts.tsx
import { full, useEffect as useEffect3, useState as useState3 } from "./frame.js";

// pages/operate/api.ts
import { root, useCallback, useEffect, useState } from "./frame.js";
var OperateError = class extends Error {
  status;
  constructor(status, message) {
    super(message);
    this.status = status;
  }
};
var address = (path) => `${root}operate/api${path}`;
async function send(path, init) {
  let response;
  try {
    response = await fetch(address(path), { ...init, credentials: "same-origin", cache: "no-store" });
  } catch {
    throw new OperateError(0, navigator.onLine ? "the service does not answer" : "you are offline");
  }
  const body = await response.json().catch(() => void 0);
  if (!response.ok) throw new OperateError(response.status, body?.error ?? `the service answered ${response.status}`);
  return body;
}
var call = (method, path, body) => send(path, {
  method,
  ...body === void 0 ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }
});
var signIn = (key) => send("/session", { method: "POST", headers: { "x-api-key": key } });
function usePolled(path, everyMs5) {
  const [round, setRound] = useState(0);
  const [state, setState] = useState({ data: void 0, error: void 0 });
  useEffect(() => {
    let isOver = false;
    const read = () => {
      if (document.hidden) return;
      call("GET", path).then(
        (data) => void (isOver || setState({ data, error: void 0 })),
        (error) => void (isOver || setState(({ data }) => ({ data, error })))
      );
    };
    read();
    const timer = everyMs5 === 0 ? void 0 : setInterval(read, everyMs5);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [path, everyMs5, round]);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  return { ...state, reload };
}

// pages/operate/parts.tsx
import { useEffect as useEffect2, useLayoutEffect, useRef, useState as useState2 } from "./frame.js";
import { jsx, jsxs } from "./frame.js";
var units = ["B", "kB", "MB", "GB", "TB"];
function size(bytes) {
  const exponent = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1e3 ** exponent;
  return `${value >= 100 || exponent === 0 ? Math.round(value) : value.toFixed(1)} ${units[exponent]}`;
}
var moment = (at) => new Date(at).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" });
var minuteOf = (at) => new Date(at).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
var Section = ({ id, title, children }) => /* @__PURE__ */ jsxs("section", { class: "panel operate-section", "aria-labelledby": id, children: [
  /* @__PURE__ */ jsx("h2", { id, tabIndex: -1, children: title }),
  children
] });
var Table = ({
  caption,
  heads,
  rows,
  empty
}) => rows.length === 0 ? /* @__PURE__ */ jsx("p", { class: "hint", children: empty }) : /* @__PURE__ */ jsx("div", { class: "table-box", role: "region", "aria-label": caption, tabindex: 0, children: /* @__PURE__ */ jsxs("table", { class: "figures", children: [
  /* @__PURE__ */ jsx("caption", { class: "sr", children: caption }),
  /* @__PURE__ */ jsx("thead", { children: /* @__PURE__ */ jsx("tr", { children: heads.map((head) => /* @__PURE__ */ jsx("th", { scope: "col", children: head }, head)) }) }),
  /* @__PURE__ */ jsx("tbody", { children: rows.map((cells, row) => /* @__PURE__ */ jsx("tr", { children: cells.map((cell, column) => /* @__PURE__ */ jsx("td", { children: cell }, column)) }, row)) })
] }) });
var sentence = (text) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.?!]$/.test(text) ? "" : "."}`;
function useDoing() {
  const [isBusy, setBusy] = useState2(false);
  const [fault, setFault] = useState2("");
  const run = (action) => {
    setBusy(true);
    setFault("");
    action().catch((error) => setFault(sentence(error.message))).finally(() => setBusy(false));
  };
  return { isBusy, fault, run };
}
var Reason = ({ text }) => /* @__PURE__ */ jsx("p", { class: "reason", role: "alert", children: text });
var Field = ({
  form,
  name,
  label,
  hint,
  isSecret = false
}) => {
  const id = `${form}-${name}`;
  const usual = { id, name, autocomplete: "off", "aria-describedby": `${id}-hint` };
  return /* @__PURE__ */ jsxs("div", { class: "field", children: [
    /* @__PURE__ */ jsx("label", { for: id, children: label }),
    isSecret ? /* @__PURE__ */ jsx("input", { type: "password", ...usual }) : /* @__PURE__ */ jsx("input", { type: "text", spellcheck: false, ...usual }),
    /* @__PURE__ */ jsx("span", { id: `${id}-hint`, class: "hint", children: hint })
  ] });
};
function Confirmed({
  name,
  question,
  disabled = false,
  onYes
}) {
  const [isAsked, setAsked] = useState2(false);
  const place = useRef(null);
  const isUsed = useRef(false);
  useEffect2(() => {
    if (isUsed.current) place.current?.querySelector("button")?.focus();
  }, [isAsked]);
  useLayoutEffect(() => {
    const heading = place.current?.closest("section")?.querySelector("h2");
    const element = place.current;
    return () => {
      const { activeElement } = document;
      if (isUsed.current && (activeElement === document.body || element?.contains(activeElement) === true))
        heading?.focus();
    };
  }, []);
  if (!isAsked)
    return /* @__PURE__ */ jsx("span", { ref: place, children: /* @__PURE__ */ jsx(
      "button",
      {
        type: "button",
        class: "small",
        disabled,
        onClick: () => {
          isUsed.current = true;
          setAsked(true);
        },
        children: name
      }
    ) });
  const answer = (isYes) => () => {
    setAsked(false);
    if (isYes) onYes();
  };
  return /* @__PURE__ */ jsxs("span", { class: "row", role: "group", "aria-label": question, ref: place, children: [
    /* @__PURE__ */ jsx("span", { children: question }),
    /* @__PURE__ */ jsx("button", { type: "button", class: "small danger", onClick: answer(true), children: "Yes" }),
    /* @__PURE__ */ jsx("button", { type: "button", class: "small", onClick: answer(false), children: "No" })
  ] });
}

// pages/operate/accounts.tsx
import { jsx as jsx2, jsxs as jsxs2 } from "./frame.js";
var states = {
  untested: "not tested yet",
  available: "available",
  cooling: "waits",
  incapable: "cannot answer"
};
function stateOf({ pool }) {
  if (pool === void 0) return "not in use: ASSISTANT selects another provider";
  const reason = pool.reason === null ? "" : ` (${pool.reason})`;
  return `${states[pool.state]}${reason}${pool.until === null ? "" : ` until ${moment(pool.until)}`}`;
}
function AddAccount({ onDone }) {
  const { isBusy, fault, run } = useDoing();
  const [done, setDone] = useState3("");
  const submit = (event) => {
    event.preventDefault();
    const form = event.currentTarget;
    const entries = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()]);
    const request = Object.fromEntries(entries.filter(([, value]) => value !== ""));
    run(async () => {
      setDone("");
      const added = await call("POST", "/accounts", request);
      form.reset();
      setDone(`Account ${added.id}: ${stateOf(added)}.`);
      onDone();
    });
  };
  return /* @__PURE__ */ jsxs2("details", { class: "action", children: [
    /* @__PURE__ */ jsx2("summary", { children: "Add an account" }),
    /* @__PURE__ */ jsxs2("form", { onSubmit: submit, autocomplete: "off", children: [
      /* @__PURE__ */ jsxs2("div", { class: "fields", children: [
        /* @__PURE__ */ jsx2(
          Field,
          {
            form: "account",
            name: "base_url",
            label: "Endpoint",
            hint: "OpenAI-compatible, such as https://api.x.ai/v1"
          }
        ),
        /* @__PURE__ */ jsx2(
          Field,
          {
            form: "account",
            name: "api_key",
            label: "Its key",
            hint: "stored, and never shown again; empty: none",
            isSecret: true
          }
        ),
        /* @__PURE__ */ jsx2(Field, { form: "account", name: "model", label: "Model", hint: "empty: the one of the endpoint" }),
        /* @__PURE__ */ jsx2(Field, { form: "account", name: "name", label: "Name in this list", hint: "empty: none" }),
        /* @__PURE__ */ jsxs2("div", { class: "field", children: [
          /* @__PURE__ */ jsx2("label", { for: "account-api", children: "Form of the API" }),
          /* @__PURE__ */ jsxs2("select", { id: "account-api", name: "api", "aria-describedby": "account-api-hint", children: [
            /* @__PURE__ */ jsx2("option", { value: "", children: "found out" }),
            /* @__PURE__ */ jsx2("option", { children: "responses" }),
            /* @__PURE__ */ jsx2("option", { children: "chat" }),
            /* @__PURE__ */ jsx2("option", { children: "messages" })
          ] }),
          /* @__PURE__ */ jsx2("span", { id: "account-api-hint", class: "hint", children: "the test costs one question" })
        ] })
      ] }),
      /* @__PURE__ */ jsx2("button", { type: "submit", class: "primary", disabled: isBusy, children: isBusy ? "Adding and testing …" : "Add" }),
      /* @__PURE__ */ jsx2(Reason, { text: fault })
    ] }),
    /* @__PURE__ */ jsx2("p", { role: "status", children: done })
  ] });
}
function ModelServers({ onDone }) {
  const { isBusy, fault, run } = useDoing();
  const [found, setFound] = useState3();
  const [done, setDone] = useState3("");
  const look = () => run(async () => setFound((await call("GET", "/model-servers")).servers));
  const add = (url, model) => run(async () => {
    const added = await call("POST", "/model-servers", { base_url: url, model });
    setDone(`Account ${added.id}: ${stateOf(added)}.`);
    onDone();
  });
  const isWanted = location.hash === "#model-servers";
  useEffect3(() => {
    if (isWanted) look();
  }, []);
  return /* @__PURE__ */ jsxs2("details", { class: "action", id: "model-servers", open: isWanted, children: [
    /* @__PURE__ */ jsx2("summary", { children: "Use a model server on this machine" }),
    /* @__PURE__ */ jsx2("p", { class: "hint", children: "Looks for Ollama, LM Studio, llama.cpp and vLLM at their usual ports, by asking for their models. Nothing else is sent to them before you add one; from then on it answers the questions." }),
    /* @__PURE__ */ jsx2("button", { type: "button", disabled: isBusy, onClick: look, children: "Look for model servers" }),
    /* @__PURE__ */ jsx2("ul", { children: (found ?? []).flatMap(
      ({ name, base_url: url, models }) => models.map((model) => /* @__PURE__ */ jsxs2("li", { children: [
        name,
        ": ",
        model,
        " ",
        /* @__PURE__ */ jsx2("button", { type: "button", class: "small", disabled: isBusy, onClick: () => add(url, model), children: "Add" })
      ] }, `${url} ${model}`))
    ) }),
    /* @__PURE__ */ jsx2(Reason, { text: fault }),
    /* @__PURE__ */ jsx2("p", { role: "status", children: done || (found?.length === 0 ? "No model server answers." : "") })
  ] });
}
var byName = (a, b) => (a.name || a.id).localeCompare(b.name || b.id, "en", { numeric: true }) || a.id.localeCompare(b.id, "en", { numeric: true });
function Accounts() {
  const { data, error, reload } = usePolled("/accounts", 0);
  const { isBusy, fault, run } = useDoing();
  const change = (method, id) => run(async () => {
    await call(method, `/accounts/${encodeURIComponent(id)}`);
    reload();
  });
  return /* @__PURE__ */ jsxs2(Section, { id: "accounts", title: "Accounts of the assistant", children: [
    /* @__PURE__ */ jsx2(
      Table,
      {
        caption: "Accounts",
        heads: ["Id", "Name", "Endpoint", "Model", "State", "Used in 24 hours", "Actions"],
        rows: (data?.accounts ?? []).toSorted(byName).map((account) => {
          const { id, name = "", base_url: url = "in this process", model = "", pool, source } = account;
          return [
            /* @__PURE__ */ jsx2("code", { children: id }, "id"),
            name,
            url,
            model,
            stateOf(account),
            pool === void 0 ? "" : `${full(pool.used)} of ${full(pool.used + pool.remaining)}`,
            /* @__PURE__ */ jsxs2("span", { class: "row", children: [
              pool !== void 0 && /* @__PURE__ */ jsx2("button", { type: "button", class: "small", disabled: isBusy, onClick: () => change("POST", id), children: "Test" }),
              source === "stored" && /* @__PURE__ */ jsx2(
                Confirmed,
                {
                  name: "Remove",
                  question: `Remove account ${id}?`,
                  disabled: isBusy,
                  onYes: () => change("DELETE", id)
                }
              ),
              source === "file" && /* @__PURE__ */ jsx2("span", { class: "hint", children: "from ASSISTANT_ACCOUNTS" })
            ] }, "actions")
          ];
        }),
        empty: "There are no accounts."
      }
    ),
    /* @__PURE__ */ jsx2(Reason, { text: fault || (error?.message ?? "") }),
    /* @__PURE__ */ jsx2(ModelServers, { onDone: reload }),
    /* @__PURE__ */ jsx2(AddAccount, { onDone: reload })
  ] });
}

// pages/operate/follow.tsx
import { dayOf, full as full2, plural, useState as useState4 } from "./frame.js";
import { jsx as jsx3, jsxs as jsxs3 } from "./frame.js";
var everyMs = 1e4;
var states2 = {
  waiting: "not found yet",
  backfilling: "its history is being read",
  following: "followed",
  failed: "failed"
};
var stateOf2 = ({ state, error }) => `${states2[state]}${error === void 0 ? "" : `: ${error}`}`;
function postsOf({ isCounted, tweets, oldest, newest }) {
  if (!isCounted) return "not counted";
  return oldest === void 0 || newest === void 0 ? "none" : `${full2(tweets)}, ${dayOf(oldest)} to ${dayOf(newest)}`;
}
function Removal({ target, doing, onDone }) {
  const { isBusy, run } = doing;
  const [counts, setCounts] = useState4(void 0);
  const targets = [target];
  const remove = (expected) => run(async () => {
    const body = expected === void 0 ? { targets } : { targets, expected };
    const result = await call("POST", "/follow/remove", body);
    const gone = result.off_disk_by === null ? "" : ` Off the disk by ${moment(result.off_disk_by)}.`;
    onDone(`No longer follows ${target}.${gone}`);
  });
  if (counts !== void 0) {
    const { tweets, users } = counts;
    return /* @__PURE__ */ jsxs3("span", { class: "row", children: [
      /* @__PURE__ */ jsx3(
        Confirmed,
        {
          name: `Erase ${plural(tweets, "tweet")} and ${plural(users, "account")} …`,
          question: `Stop to follow ${target}, and erase ${plural(tweets, "tweet")} for ever?`,
          disabled: isBusy,
          onYes: () => remove({ tweets, users })
        }
      ),
      /* @__PURE__ */ jsx3("button", { type: "button", class: "small", onClick: () => setCounts(void 0), children: "Keep it" })
    ] });
  }
  const preview = () => run(async () => setCounts(await call("POST", "/follow/preview", { targets })));
  return /* @__PURE__ */ jsxs3("span", { class: "row", children: [
    /* @__PURE__ */ jsx3(Confirmed, { name: "Remove", question: `Stop to follow ${target}?`, disabled: isBusy, onYes: () => remove() }),
    /* @__PURE__ */ jsx3("button", { type: "button", class: "small", disabled: isBusy, onClick: preview, children: "Remove with its data …" })
  ] });
}
var suggestionsIn = (fault) => [.../(?:Did you mean|or) '((?:bluesky|x):[^']+)'/g[Symbol.matchAll](fault)].map(([, target = ""]) => target);
function FollowForm({ onDone }) {
  const { isBusy, fault, run } = useDoing();
  const [target, setTarget] = useState4("");
  const submit = (event) => {
    event.preventDefault();
    run(async () => {
      const body = { targets: [target.trim()] };
      const result = await call("POST", "/follow", body);
      setTarget("");
      onDone(result.targets.map((each) => `${each.title ?? each.target}: ${stateOf2(each)}.`).join(" "));
    });
  };
  return /* @__PURE__ */ jsxs3("form", { onSubmit: submit, autocomplete: "off", children: [
    /* @__PURE__ */ jsx3("label", { for: "follow-target", children: "Follow an account, a list or a search" }),
    /* @__PURE__ */ jsxs3("div", { class: "row", children: [
      /* @__PURE__ */ jsx3(
        "input",
        {
          id: "follow-target",
          type: "text",
          value: target,
          spellcheck: false,
          placeholder: "bluesky:alice.example.com",
          "aria-describedby": "follow-hint",
          onInput: (event) => setTarget(event.currentTarget.value)
        }
      ),
      /* @__PURE__ */ jsx3("button", { type: "submit", class: "primary", disabled: isBusy || target.trim() === "", children: isBusy ? "Looking for it …" : "Follow" })
    ] }),
    /* @__PURE__ */ jsx3("p", { class: "hint", id: "follow-hint", children: "bluesky:HANDLE, bluesky:list:AT-URI, bluesky:search:QUERY, bluesky:* (the whole network), x:USERNAME, x:search:QUERY" }),
    /* @__PURE__ */ jsx3(Reason, { text: fault }),
    suggestionsIn(fault).map((suggestion) => /* @__PURE__ */ jsxs3("button", { type: "button", class: "small", onClick: () => setTarget(suggestion), children: [
      "Use ‘",
      suggestion,
      "’"
    ] }, suggestion))
  ] });
}
function TokenForm() {
  const { isBusy, fault, run } = useDoing();
  const [done, setDone] = useState4("");
  const submit = (event) => {
    event.preventDefault();
    const form = event.currentTarget;
    const token = String(new FormData(form).get("token") ?? "").trim();
    run(async () => {
      setDone("");
      await call("POST", "/follow/token", { source: "x", token });
      form.reset();
      setDone("The token of X is stored.");
    });
  };
  return /* @__PURE__ */ jsxs3("details", { class: "action", children: [
    /* @__PURE__ */ jsx3("summary", { children: "Token of X" }),
    /* @__PURE__ */ jsxs3("form", { onSubmit: submit, autocomplete: "off", children: [
      /* @__PURE__ */ jsxs3("div", { class: "field", children: [
        /* @__PURE__ */ jsx3("label", { for: "follow-token", children: "Bearer token" }),
        /* @__PURE__ */ jsx3("input", { id: "follow-token", name: "token", type: "password", autocomplete: "off", "aria-describedby": "token-hint" }),
        /* @__PURE__ */ jsx3("span", { id: "token-hint", class: "hint", children: "stored in the place of the last one, and never shown again" })
      ] }),
      /* @__PURE__ */ jsx3("button", { type: "submit", disabled: isBusy, children: "Store" }),
      /* @__PURE__ */ jsx3(Reason, { text: fault })
    ] }),
    /* @__PURE__ */ jsx3("p", { role: "status", children: done })
  ] });
}
var byTarget = (a, b) => a.target.localeCompare(b.target, "en", { numeric: true });
function Follow() {
  const { data, error, reload } = usePolled("/follow", everyMs);
  const doing = useDoing();
  const [done, setDone] = useState4("");
  const finish = (text) => {
    setDone(text);
    reload();
  };
  return /* @__PURE__ */ jsxs3(Section, { id: "follow", title: "Live platforms", children: [
    (data?.sources ?? []).map(({ title, connected, lagMs, queue, targets, error: fault }) => /* @__PURE__ */ jsxs3("div", { children: [
      /* @__PURE__ */ jsxs3("h3", { children: [
        title,
        ": ",
        connected ? "connected" : "not connected"
      ] }),
      /* @__PURE__ */ jsxs3("p", { class: "hint", children: [
        full2(queue),
        " records wait",
        lagMs === void 0 ? "" : `, ${(lagMs / 1e3).toFixed(1)} s behind`,
        fault === void 0 ? "" : `: ${fault}`
      ] }),
      /* @__PURE__ */ jsx3(
        Table,
        {
          caption: `Targets on ${title}`,
          heads: ["Target", "State", "Posts here", "Actions"],
          rows: targets.toSorted(byTarget).map((target) => [
            target.title === void 0 ? target.target : `${target.target} (${target.title})`,
            stateOf2(target),
            postsOf(target),
            target.isConfigured ? /* @__PURE__ */ jsx3("span", { class: "hint", children: "from FOLLOW or --follow" }) : /* @__PURE__ */ jsx3(Removal, { target: target.target, doing, onDone: finish }, target.target)
          ]),
          empty: "Nothing."
        }
      )
    ] }, title)),
    data !== void 0 && data.sources.length === 0 && /* @__PURE__ */ jsx3("p", { class: "hint", children: "Nothing is followed." }),
    /* @__PURE__ */ jsx3(Reason, { text: doing.fault || (error?.message ?? "") }),
    /* @__PURE__ */ jsx3("p", { role: "status", children: done }),
    /* @__PURE__ */ jsx3(FollowForm, { onDone: finish }),
    /* @__PURE__ */ jsx3(TokenForm, {})
  ] });
}

// pages/operate/keys.tsx
import { CopyButton, useState as useState5 } from "./frame.js";
import { jsx as jsx4, jsxs as jsxs4 } from "./frame.js";
function CreateKey({ scopes, onDone }) {
  const { isBusy, fault, run } = useDoing();
  const [made, setMade] = useState5(void 0);
  const submit = (event) => {
    event.preventDefault();
    const form = event.currentTarget;
    const data = new FormData(form);
    const chosen = data.getAll("scope").map(String).join(",");
    const texts = ["name", "rate", "expires"].map((name) => [name, String(data.get(name) ?? "").trim()]);
    const request = Object.fromEntries([...texts, ["scopes", chosen]].filter(([, text]) => text !== ""));
    run(async () => {
      setMade(await call("POST", "/keys", request));
      form.reset();
      onDone();
    });
  };
  return /* @__PURE__ */ jsxs4("details", { class: "action", children: [
    /* @__PURE__ */ jsx4("summary", { children: "Create a key" }),
    /* @__PURE__ */ jsxs4("form", { onSubmit: submit, autocomplete: "off", children: [
      /* @__PURE__ */ jsxs4("div", { class: "fields", children: [
        /* @__PURE__ */ jsx4(Field, { form: "key", name: "name", label: "Name", hint: "the app or person that uses it" }),
        /* @__PURE__ */ jsx4(Field, { form: "key", name: "rate", label: "Rate limit", hint: "such as 600/1m; empty: the usual one" }),
        /* @__PURE__ */ jsx4(Field, { form: "key", name: "expires", label: "Expires", hint: "such as 30d or 2027-01-31; empty: never" })
      ] }),
      /* @__PURE__ */ jsxs4("fieldset", { children: [
        /* @__PURE__ */ jsx4("legend", { children: "Scopes; none chosen: all but admin" }),
        Object.entries(scopes).map(([scope, opens]) => /* @__PURE__ */ jsxs4("label", { class: "check", children: [
          /* @__PURE__ */ jsx4("input", { type: "checkbox", name: "scope", value: scope }),
          /* @__PURE__ */ jsxs4("span", { children: [
            /* @__PURE__ */ jsx4("b", { children: scope }),
            ": ",
            opens
          ] })
        ] }, scope))
      ] }),
      /* @__PURE__ */ jsx4("button", { type: "submit", class: "primary", disabled: isBusy, children: "Create" }),
      /* @__PURE__ */ jsx4(Reason, { text: fault })
    ] }),
    made !== void 0 && /* @__PURE__ */ jsxs4("div", { class: "made", role: "status", children: [
      /* @__PURE__ */ jsxs4("p", { children: [
        "Key ",
        made.id,
        ". Copy it now: it cannot be shown again."
      ] }),
      /* @__PURE__ */ jsx4("code", { class: "secret", children: made.key }),
      " ",
      /* @__PURE__ */ jsx4(CopyButton, { text: () => made.key, name: "Copy the key" })
    ] })
  ] });
}
function Keys() {
  const { data, error, reload } = usePolled("/keys", 0);
  const { isBusy, fault, run } = useDoing();
  const revoke = (id) => run(async () => {
    await call("DELETE", `/keys/${encodeURIComponent(id)}`);
    reload();
  });
  return /* @__PURE__ */ jsxs4(Section, { id: "keys", title: "Keys", children: [
    /* @__PURE__ */ jsx4(
      Table,
      {
        caption: "Stored keys",
        heads: ["Name", "Id", "Scopes", "Rate", "Expires", "Last used", "Action"],
        rows: (data?.keys ?? []).map(({ id, name, scopes, rate, expires_at: expires, last_used_at: used }) => [
          name,
          /* @__PURE__ */ jsx4("code", { children: id }, "id"),
          scopes?.join(", ") ?? "all but admin",
          rate ?? "usual",
          expires === void 0 ? "never" : moment(expires),
          used === void 0 ? "never" : moment(used),
          /* @__PURE__ */ jsx4(
            Confirmed,
            {
              name: "Revoke",
              question: `Revoke ${name}?`,
              disabled: isBusy,
              onYes: () => revoke(id)
            },
            "revoke"
          )
        ]),
        empty: "There are no stored keys."
      }
    ),
    /* @__PURE__ */ jsx4(Reason, { text: fault || (error?.message ?? "") }),
    /* @__PURE__ */ jsx4(CreateKey, { scopes: data?.scopes ?? {}, onDone: reload })
  ] });
}

// pages/operate/maintenance.tsx
import { plural as plural2, useState as useState6 } from "./frame.js";
import { jsx as jsx5, jsxs as jsxs5 } from "./frame.js";
function Backups() {
  const { data, reload } = usePolled("/backups", 0);
  const { isBusy, fault, run } = useDoing();
  const [summary, setSummary] = useState6("");
  const make = () => run(async () => {
    setSummary("");
    setSummary((await call("POST", "/backups")).summary);
    reload();
  });
  return /* @__PURE__ */ jsxs5(Section, { id: "backups", title: "Backups", children: [
    /* @__PURE__ */ jsxs5("p", { class: "hint", children: [
      "Copies in the folder ",
      /* @__PURE__ */ jsx5("code", { children: "backups" }),
      " of the data directory. Each is read back before it counts. Copy them to another disk."
    ] }),
    /* @__PURE__ */ jsx5("button", { type: "button", class: "primary", disabled: isBusy, onClick: make, children: isBusy ? "Making a backup …" : "Back up now" }),
    /* @__PURE__ */ jsx5("p", { role: "status", children: summary }),
    /* @__PURE__ */ jsx5(Reason, { text: fault }),
    /* @__PURE__ */ jsx5(
      Table,
      {
        caption: "Backups made here",
        heads: ["Backup", "Complete at"],
        rows: (data?.backups ?? []).map(({ name, at }) => [/* @__PURE__ */ jsx5("code", { children: name }, "name"), moment(at)]),
        empty: "None was made here."
      }
    )
  ] });
}
var kinds = [
  ["user", "An account", "username or id"],
  ["tweet_ids", "Tweets by id", "ids, separated by commas"],
  ["query", "Tweets by query", "a query of the search language"]
];
var requestOf = (kind, text) => ({
  [kind]: kind === "tweet_ids" ? text.split(/[\s,]+/).filter((id) => id !== "") : text
});
var describe = ({ tweets, users, relations, conversations }) => [
  plural2(tweets, "tweet"),
  plural2(users, "account"),
  plural2(relations, "relation"),
  plural2(conversations, "conversation")
].join(", ");
function ChoiceForm({
  choice: { kind, text },
  isBusy,
  onChange,
  onPreview
}) {
  const hint = kinds.find(([each]) => each === kind)?.[2] ?? "";
  const submit = (event) => {
    event.preventDefault();
    onPreview();
  };
  return /* @__PURE__ */ jsxs5("form", { class: "row", onSubmit: submit, autocomplete: "off", children: [
    /* @__PURE__ */ jsx5("label", { class: "sr", for: "erase-kind", children: "What to erase" }),
    /* @__PURE__ */ jsx5(
      "select",
      {
        id: "erase-kind",
        value: kind,
        onChange: (event) => onChange({ kind: event.currentTarget.value, text: "" }),
        children: kinds.map(([each, words]) => /* @__PURE__ */ jsx5("option", { value: each, children: words }, each))
      }
    ),
    /* @__PURE__ */ jsx5("label", { class: "sr", for: "erase-text", children: hint }),
    /* @__PURE__ */ jsx5(
      "input",
      {
        id: "erase-text",
        type: "text",
        value: text,
        placeholder: hint,
        onInput: (event) => onChange({ kind, text: event.currentTarget.value })
      }
    ),
    /* @__PURE__ */ jsx5("button", { type: "submit", disabled: isBusy || text.trim() === "", children: "Preview" })
  ] });
}
var Preview = ({ counts, isBusy, onErase }) => /* @__PURE__ */ jsxs5("div", { class: "row made", children: [
  /* @__PURE__ */ jsxs5("span", { children: [
    "This erases ",
    describe(counts),
    "."
  ] }),
  /* @__PURE__ */ jsx5(
    Confirmed,
    {
      name: "Erase",
      question: `Erase ${plural2(counts.tweets, "tweet")} and ${plural2(counts.users, "account")} for ever?`,
      disabled: isBusy,
      onYes: onErase
    }
  )
] });
function Erase() {
  const { isBusy, fault, run } = useDoing();
  const [choice, setChoice] = useState6({ kind: "user", text: "" });
  const [preview, setPreview] = useState6(void 0);
  const [done, setDone] = useState6("");
  const change = (next) => {
    setChoice(next);
    setPreview(void 0);
    setDone("");
  };
  const request = requestOf(choice.kind, choice.text.trim());
  const count = () => run(async () => setPreview(await call("POST", "/erase/preview", request)));
  const erase = ({ tweets, users }) => run(async () => {
    const body = { ...request, expected: { tweets, users } };
    const report = await call("POST", "/erase", body);
    change({ ...choice, text: "" });
    setDone(`Erased: ${describe(report.erased)}. Off the disk by ${moment(report.off_disk_by)}.`);
  });
  return /* @__PURE__ */ jsxs5(Section, { id: "erase", title: "Erase", children: [
    /* @__PURE__ */ jsx5("p", { class: "hint", children: "Removes tweets or an account from every response at once, and from the disk in time. It cannot be undone." }),
    /* @__PURE__ */ jsx5(ChoiceForm, { choice, isBusy, onChange: change, onPreview: count }),
    /* @__PURE__ */ jsxs5("div", { role: "status", children: [
      preview !== void 0 && /* @__PURE__ */ jsx5(Preview, { counts: preview, isBusy, onErase: () => erase(preview) }),
      done
    ] }),
    /* @__PURE__ */ jsx5(Reason, { text: fault })
  ] });
}
function Audit() {
  const { data } = usePolled("/audit", 5e3);
  return /* @__PURE__ */ jsx5(Section, { id: "audit", title: "Audit log", children: /* @__PURE__ */ jsx5(
    Table,
    {
      caption: "Actions, newest first",
      heads: ["Time", "Key", "Action", "About", "Result"],
      rows: (data?.entries ?? []).map(({ at, key, action, subject, result }) => [
        moment(at),
        /* @__PURE__ */ jsx5("code", { children: key }, "key"),
        action,
        subject,
        result
      ]),
      empty: "No action yet."
    }
  ) });
}

// pages/operate/session.tsx
import { root as root2, useEffect as useEffect4, useState as useState7 } from "./frame.js";
import { Fragment, jsx as jsx6, jsxs as jsxs6 } from "./frame.js";
var reasons = {
  401: "The service does not know this key.",
  403: "This key is for data, not for operators. Use one with the scope admin.",
  404: "This service has no operator interface.",
  429: "Too many attempts. Wait a minute."
};
function SignIn({ onDone }) {
  const [reason, setReason] = useState7("");
  const [isBusy, setBusy] = useState7(false);
  const submit = (event) => {
    event.preventDefault();
    const form = event.currentTarget;
    const key = String(new FormData(form).get("operator") ?? "").trim();
    if (key === "" || !/^[!-~]+$/.test(key)) return setReason("Type or paste the key of an operator.");
    setBusy(true);
    signIn(key).then(({ key: id }) => onDone(id)).catch((error) => setReason(reasons[error.status] ?? `${error.message}.`)).finally(() => setBusy(false));
  };
  return /* @__PURE__ */ jsxs6("form", { class: "panel sign-in", onSubmit: submit, autocomplete: "off", children: [
    /* @__PURE__ */ jsx6("h2", { children: "Sign in as an operator" }),
    /* @__PURE__ */ jsxs6("p", { class: "hint", children: [
      "An operator signs in with a key for this page. The first ",
      /* @__PURE__ */ jsx6("code", { children: "npm start" }),
      " prints one, and",
      " ",
      /* @__PURE__ */ jsx6("code", { children: "npm run keys -- create --name me --scopes admin" }),
      " makes another. The session ends after 8 hours, with the key, and with a restart of the service."
    ] }),
    /* @__PURE__ */ jsx6("label", { for: "operator", children: "Operator key" }),
    /* @__PURE__ */ jsxs6("div", { class: "row", children: [
      /* @__PURE__ */ jsx6(
        "input",
        {
          id: "operator",
          name: "operator",
          type: "password",
          autocomplete: "off",
          spellcheck: false,
          placeholder: "sd_…",
          "aria-invalid": reason !== "",
          "aria-describedby": "operator-reason"
        }
      ),
      /* @__PURE__ */ jsx6("button", { type: "submit", class: "primary", disabled: isBusy, children: "Sign in" })
    ] }),
    /* @__PURE__ */ jsx6("p", { id: "operator-reason", class: "reason", role: "alert", children: reason })
  ] });
}
function Session({
  title,
  lead,
  links,
  children
}) {
  const [key, setKey] = useState7(void 0);
  const [isKnown, setKnown] = useState7(false);
  useEffect4(() => {
    call("GET", "/session").then(
      (session) => {
        setKey(session.key ?? void 0);
        setKnown(true);
      },
      () => setKnown(true)
    );
  }, []);
  const signOut = () => void call("DELETE", "/session").finally(() => setKey(void 0));
  return /* @__PURE__ */ jsxs6(Fragment, { children: [
    /* @__PURE__ */ jsxs6("div", { class: "row spread operate-head", children: [
      /* @__PURE__ */ jsxs6("div", { children: [
        /* @__PURE__ */ jsx6("h1", { children: title }),
        /* @__PURE__ */ jsx6("p", { class: "lead", children: lead })
      ] }),
      /* @__PURE__ */ jsxs6("nav", { class: "row", "aria-label": "Operator", children: [
        links.map(([path, words]) => /* @__PURE__ */ jsx6("a", { class: "button", href: root2 + path, children: words }, path)),
        key !== void 0 && /* @__PURE__ */ jsx6("button", { type: "button", onClick: signOut, title: `Key ${key}`, children: "Sign out" })
      ] })
    ] }),
    key !== void 0 ? children : isKnown ? /* @__PURE__ */ jsx6(SignIn, { onDone: setKey }) : /* @__PURE__ */ jsx6("p", { role: "status", children: "Loading …" })
  ] });
}

// pages/operate/state.tsx
import { compact, full as full5 } from "./frame.js";

// pages/plot/plot.tsx
import { full as full3 } from "./frame.js";

// pages/plot/scale.ts
function topOf(points) {
  const max = Math.max(0, ...points.map(({ value }) => value ?? 0));
  if (max === 0) return 1;
  const power = 10 ** Math.floor(Math.log10(max));
  return ([1, 2, 5, 10].find((factor) => factor * power >= max) ?? 10) * power;
}
var ticksOf = (top) => top >= 1 && !Number.isInteger(top / 2) ? [top, 0] : [top, top / 2, 0];

// pages/plot/plot.tsx
import { jsx as jsx7, jsxs as jsxs7 } from "./frame.js";
var width = 320;
var height = 96;
var withUnit = (value, unit) => unit === void 0 ? full3(value) : `${full3(value)} ${value === 1 ? unit.replace(/s$/, "") : unit}`;
var Numbers = ({ title, points, unit }) => /* @__PURE__ */ jsx7("div", { class: "sr", children: /* @__PURE__ */ jsxs7("table", { children: [
  /* @__PURE__ */ jsx7("caption", { children: title }),
  /* @__PURE__ */ jsx7("tbody", { children: points.map(({ label, value }, index) => /* @__PURE__ */ jsxs7("tr", { children: [
    /* @__PURE__ */ jsx7("th", { scope: "row", children: label }),
    /* @__PURE__ */ jsx7("td", { children: value === null ? "no data" : withUnit(value, unit) })
  ] }, index)) })
] }) });
var Axis = ({ top, unit }) => /* @__PURE__ */ jsx7("div", { class: "plot-axis", "aria-hidden": "true", children: ticksOf(top).map((value, index) => /* @__PURE__ */ jsx7("span", { children: index === 0 ? withUnit(value, unit) : full3(value) }, value)) });
var Ends = ({ points }) => /* @__PURE__ */ jsxs7("div", { class: "plot-ends", "aria-hidden": "true", children: [
  /* @__PURE__ */ jsx7("span", { children: points[0]?.label }),
  points.length > 8 && /* @__PURE__ */ jsx7("span", { children: points[Math.floor(points.length / 2)]?.label }),
  points.length > 1 && /* @__PURE__ */ jsx7("span", { children: points.at(-1)?.label })
] });
var Frame = ({ props, top, children }) => /* @__PURE__ */ jsxs7("figure", { class: "plot", children: [
  /* @__PURE__ */ jsx7("figcaption", { children: props.title }),
  /* @__PURE__ */ jsxs7("div", { class: "plot-field", children: [
    /* @__PURE__ */ jsxs7("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", "aria-hidden": "true", children: [
      [0, 0.5].map((part) => /* @__PURE__ */ jsx7("line", { class: "plot-grid", x1: "0", x2: width, y1: height * part, y2: height * part }, part)),
      children
    ] }),
    /* @__PURE__ */ jsx7(Axis, { top, unit: props.unit }),
    /* @__PURE__ */ jsx7(Ends, { points: props.points })
  ] }),
  props.covers !== void 0 && /* @__PURE__ */ jsx7("p", { class: "plot-covers", children: props.covers }),
  /* @__PURE__ */ jsx7(Numbers, { ...props })
] });
function Bars(props) {
  const top = topOf(props.points);
  const step = width / Math.max(1, props.points.length);
  const gap = Math.min(2, step / 4);
  return /* @__PURE__ */ jsx7(Frame, { props, top, children: props.points.map(({ label, value }, index) => {
    const tall = value === null || value === 0 ? 0 : Math.max(1.5, value / top * height);
    return /* @__PURE__ */ jsx7(
      "rect",
      {
        class: "plot-bar",
        x: index * step + gap / 2,
        y: height - tall,
        width: step - gap,
        height: tall,
        children: /* @__PURE__ */ jsx7("title", { children: `${label}: ${value === null ? "no data" : withUnit(value, props.unit)}` })
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
  return /* @__PURE__ */ jsx7(Frame, { props, top, children: runsOf(props.points).map((run) => {
    const places = run.map(([index, value]) => [index * step, height - value / top * (height - 2)]);
    const [x, y] = places[0] ?? [0, 0];
    const ends = places.length === 1 ? [[Math.max(0, x - 3), y], [Math.min(width, x + 3), y]] : places;
    const path = ends.map(([at, tall], place) => `${place === 0 ? "M" : "L"}${at.toFixed(1)} ${tall.toFixed(1)}`).join(" ");
    return /* @__PURE__ */ jsxs7("g", { children: [
      /* @__PURE__ */ jsx7(
        "path",
        {
          class: "plot-area",
          d: `${path} L${(ends.at(-1)?.[0] ?? 0).toFixed(1)} ${height} L${(ends[0]?.[0] ?? 0).toFixed(1)} ${height}Z`
        }
      ),
      /* @__PURE__ */ jsx7("path", { class: "plot-line", d: path, "vector-effect": "non-scaling-stroke" })
    ] }, x);
  }) });
}
var Gauge = ({
  name,
  value,
  max,
  text
}) => /* @__PURE__ */ jsxs7("div", { class: "gauge", children: [
  /* @__PURE__ */ jsxs7("div", { class: "gauge-text", children: [
    /* @__PURE__ */ jsx7("span", { children: name }),
    /* @__PURE__ */ jsx7("b", { children: text })
  ] }),
  /* @__PURE__ */ jsx7("meter", { min: 0, max: Math.max(1, max), value, "aria-label": name })
] });

// pages/operate/requests.tsx
import { Choice, full as full4, plural as plural3, useState as useState8 } from "./frame.js";
import { Fragment as Fragment2, jsx as jsx8, jsxs as jsxs8 } from "./frame.js";
var spans = ["Hour", "Day", "Week"];
var steps = { Hour: "a minute", Day: "in 15 minutes", Week: "an hour" };
var everyMs2 = 6e4;
var hourOf = (at) => new Date(at).toLocaleString("en-GB", {
  weekday: "short",
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit"
});
var zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
function Plots({ span, figures }) {
  const labelOf = span === "Week" ? hourOf : minuteOf;
  const total = figures.reduce((sum, { requests }) => sum + requests, 0);
  const covers = `${plural3(total, "request")}, ${hourOf(figures[0]?.at ?? "")} to now, times of ${zone}`;
  const points = (pick) => figures.map((each) => ({ label: labelOf(each.at), value: pick(each) }));
  return /* @__PURE__ */ jsxs8("div", { class: "plots", children: [
    /* @__PURE__ */ jsx8(
      Bars,
      {
        title: `Requests ${steps[span]}`,
        unit: "requests",
        points: points(({ requests }) => requests),
        covers
      }
    ),
    /* @__PURE__ */ jsx8(
      Bars,
      {
        title: `Errors (5xx) ${steps[span]}`,
        unit: "errors",
        points: points(({ errors }) => errors),
        covers: `${full4(figures.reduce((sum, { errors }) => sum + errors, 0))} of ${plural3(total, "request")}`
      }
    ),
    /* @__PURE__ */ jsx8(
      Line,
      {
        title: "Duration, p50",
        unit: "ms",
        points: points((each) => each.p50_ms),
        covers: "A gap where there was no request"
      }
    ),
    /* @__PURE__ */ jsx8(
      Line,
      {
        title: "Duration, p99",
        unit: "ms",
        points: points((each) => each.p99_ms),
        covers: "A gap where there was no request"
      }
    )
  ] });
}
function Longer({ span }) {
  const { data, error } = usePolled(`/requests/${span.toLowerCase()}`, everyMs2);
  return /* @__PURE__ */ jsxs8(Fragment2, { children: [
    /* @__PURE__ */ jsx8(Reason, { text: error?.message ?? "" }),
    data === void 0 ? /* @__PURE__ */ jsx8("div", { class: "plots-place" }) : /* @__PURE__ */ jsx8(Plots, { span, figures: data.steps })
  ] });
}
function Requests({ minutes }) {
  const [span, setSpan] = useState8("Hour");
  return /* @__PURE__ */ jsxs8(Section, { id: "requests", title: "Requests", children: [
    /* @__PURE__ */ jsxs8("div", { class: "row spread", children: [
      /* @__PURE__ */ jsx8(Choice, { name: "Time", values: spans, value: span, choose: setSpan }),
      /* @__PURE__ */ jsx8("span", { class: "hint", children: "of this process, since its start" })
    ] }),
    span === "Hour" ? /* @__PURE__ */ jsx8(Plots, { span, figures: minutes }) : /* @__PURE__ */ jsx8(Longer, { span }, span)
  ] });
}

// pages/operate/state.tsx
import { Fragment as Fragment3, jsx as jsx9, jsxs as jsxs9 } from "./frame.js";
var Numbers2 = ({ state }) => {
  const { tweets, users, estimated } = state.archive;
  const about = estimated ? "about " : "";
  const rows = [
    ["tweets", about + compact(tweets)],
    ["users", about + compact(users)],
    ["memory", size(state.memory_bytes)],
    ["free disk", size(state.disk.free_bytes)],
    ["version", state.version]
  ];
  return /* @__PURE__ */ jsx9("dl", { class: "stats", "aria-label": "The service", children: rows.map(([name, value]) => /* @__PURE__ */ jsxs9("div", { class: "stat", children: [
    /* @__PURE__ */ jsx9("dt", { children: name }),
    /* @__PURE__ */ jsx9("dd", { children: value })
  ] }, name)) });
};
var Health = ({ state: { ready, warnings, started_at: startedAt } }) => /* @__PURE__ */ jsxs9("p", { class: ready === "ok" && warnings.length === 0 ? "state good" : "state wrong", role: "status", children: [
  ready === "ok" ? "Ready" : `Not ready: ${ready}`,
  ", running since ",
  moment(startedAt),
  ".",
  " ",
  warnings.map((warning) => `${warning}.`).join(" ")
] });
var filesOf = (file) => file === null ? [] : [
  ["archive.db", size(file.bytes), "", ""],
  ["its write-ahead log", size(file.log_bytes), "", ""]
];
var Disk = ({ state: { disk, file, journals } }) => /* @__PURE__ */ jsxs9(Section, { id: "disk", title: "Disk and logs", children: [
  /* @__PURE__ */ jsx9(
    Gauge,
    {
      name: "Used disk",
      value: disk.total_bytes - disk.free_bytes,
      max: disk.total_bytes,
      text: `${size(disk.free_bytes)} of ${size(disk.total_bytes)} free`
    }
  ),
  /* @__PURE__ */ jsx9(
    Table,
    {
      caption: "Files and logs",
      heads: ["File or log", "Size", "Records", "State"],
      rows: [
        ...filesOf(file),
        ...journals.map(({ name, records, failed }) => [
          name,
          "",
          full5(records),
          failed ? /* @__PURE__ */ jsx9("b", { class: "wrong", children: "cannot be written" }) : "ok"
        ])
      ],
      empty: "There are no logs."
    }
  )
] });
var stateWords = {
  untested: "not tested yet",
  available: "available",
  cooling: "waits",
  incapable: "cannot answer"
};
var Assistant = ({ state: { pool, accounts } }) => {
  const { daily_capacity: capacity, remaining_now: left } = pool.capacity;
  return /* @__PURE__ */ jsxs9(Section, { id: "assistant", title: "Assistant", children: [
    /* @__PURE__ */ jsx9(
      Gauge,
      {
        name: "Questions left in 24 hours",
        value: left,
        max: capacity,
        text: `${full5(left)} of ${full5(capacity)}`
      }
    ),
    accounts.map(({ id, state, used, remaining, until }) => /* @__PURE__ */ jsx9(
      Gauge,
      {
        name: `${id}: ${stateWords[state] ?? state}${until === null ? "" : ` until ${minuteOf(until)}`}`,
        value: remaining,
        max: used + remaining,
        text: `${full5(remaining)} left`
      },
      id
    )),
    accounts.length === 0 && /* @__PURE__ */ jsx9("p", { class: "hint", children: "No account is in use: add one below." })
  ] });
};
var Refused = ({ state: { refused } }) => /* @__PURE__ */ jsxs9(Section, { id: "refused", title: "Last refused requests", children: [
  /* @__PURE__ */ jsx9(
    Table,
    {
      caption: "Last refused requests, newest first",
      heads: ["Time", "Status", "Operation", "Key", "Request id"],
      rows: refused.map(({ at, status, method, operation, key, request_id: id }) => [
        moment(at),
        status,
        operation ?? `${method}, none`,
        key ?? "none",
        /* @__PURE__ */ jsx9("code", { children: id }, "id")
      ]),
      empty: "None since the start."
    }
  ),
  /* @__PURE__ */ jsx9("p", { class: "hint", children: "The log has the reason of each, under its request id." })
] });
var State = ({ state, isOld }) => /* @__PURE__ */ jsxs9(Fragment3, { children: [
  !isOld && /* @__PURE__ */ jsx9(Health, { state }),
  /* @__PURE__ */ jsx9(Numbers2, { state }),
  /* @__PURE__ */ jsx9(Requests, { minutes: state.minutes }),
  /* @__PURE__ */ jsxs9("div", { class: "operate-halves", children: [
    /* @__PURE__ */ jsx9(Disk, { state }),
    /* @__PURE__ */ jsx9(Assistant, { state })
  ] }),
  /* @__PURE__ */ jsx9(Refused, { state })
] });

// pages/operate/webhooks.tsx
import { plural as plural4, useState as useState9 } from "./frame.js";
import { jsx as jsx10, jsxs as jsxs10 } from "./frame.js";
var everyMs3 = 1e4;
var resultOf = ({ status, error }) => error ?? `accepted with ${status}`;
function stateOf3({ delivery, isOwnerValid }) {
  if (!isOwnerValid) return "ended: its key is not valid";
  if (delivery === null) return "no webhook";
  const { state, reason, failures, next_attempt_at: next } = delivery;
  if (state === "paused") return `paused: ${reason ?? "no reason"}`;
  if (state !== "retrying") return state;
  const nextAttempt = next === null ? "" : `, next attempt ${moment(next)}`;
  return `${plural4(failures, "failure")}: ${reason ?? "no reason"}${nextAttempt}`;
}
function Attempts({ id, name }) {
  const { data, error } = usePolled(
    `/webhook-attempts/${encodeURIComponent(id)}`,
    everyMs3
  );
  return /* @__PURE__ */ jsxs10("div", { children: [
    /* @__PURE__ */ jsxs10("h3", { children: [
      "Last attempts of ",
      name
    ] }),
    /* @__PURE__ */ jsx10(
      Table,
      {
        caption: `Last attempts of ${name}, newest first`,
        heads: ["Time", "Event", "Result", "Duration", "webhook-id"],
        rows: (data?.attempts ?? []).map((attempt) => [
          moment(attempt.at),
          attempt.event,
          resultOf(attempt),
          `${attempt.duration_ms} ms`,
          /* @__PURE__ */ jsx10("code", { children: attempt.webhook_id }, "id")
        ]),
        empty: "None yet."
      }
    ),
    /* @__PURE__ */ jsx10(Reason, { text: error?.message ?? "" })
  ] });
}
function Actions({
  search: { id, name, delivery },
  isBusy,
  isShown,
  act,
  onShow
}) {
  const at = encodeURIComponent(id);
  const test = async () => `Test of ${name}: ${resultOf(await call("POST", `/webhook-tests/${at}`))}.`;
  const resume = async () => {
    await call("POST", `/webhook-resumptions/${at}`);
    return `${name} is tried again.`;
  };
  const remove = async () => {
    await call("DELETE", `/searches/${at}`);
    return `${name} is deleted.`;
  };
  return /* @__PURE__ */ jsxs10("span", { class: "row", children: [
    delivery !== null && /* @__PURE__ */ jsx10("button", { type: "button", class: "small", disabled: isBusy, onClick: () => act(test), children: "Send test" }),
    delivery !== null && delivery.state !== "active" && /* @__PURE__ */ jsx10("button", { type: "button", class: "small", disabled: isBusy, onClick: () => act(resume), children: "Resume" }),
    delivery !== null && /* @__PURE__ */ jsx10("button", { type: "button", class: "small", "aria-expanded": isShown, onClick: () => onShow(isShown ? void 0 : id), children: "Attempts" }),
    /* @__PURE__ */ jsx10(Confirmed, { name: "Delete", question: `Delete ${name}?`, disabled: isBusy, onYes: () => act(remove) })
  ] });
}
function Webhooks() {
  const { data, error, reload } = usePolled("/searches", everyMs3);
  const { isBusy, fault, run } = useDoing();
  const [done, setDone] = useState9("");
  const [shown, setShown] = useState9(void 0);
  const searches = data?.searches ?? [];
  const act = (action) => run(async () => {
    setDone("");
    setDone(await action());
    reload();
  });
  const selected = searches.find(({ id }) => id === shown);
  return /* @__PURE__ */ jsxs10(Section, { id: "webhooks", title: "Saved searches and webhooks", children: [
    /* @__PURE__ */ jsx10(
      Table,
      {
        caption: "Saved searches",
        heads: ["Name", "Query", "Key", "Webhook", "State", "Last success", "Actions"],
        rows: searches.map((search) => {
          const { id, name, query, owner, origin, delivery } = search;
          const last = delivery?.last_success_at;
          return [
            name,
            query,
            /* @__PURE__ */ jsx10("code", { children: owner }, "owner"),
            origin ?? "none",
            stateOf3(search),
            last == null ? "never" : moment(last),
            /* @__PURE__ */ jsx10(
              Actions,
              {
                search,
                isBusy,
                isShown: shown === id,
                act,
                onShow: setShown
              },
              "actions"
            )
          ];
        }),
        empty: "No key has saved a search."
      }
    ),
    /* @__PURE__ */ jsx10(Reason, { text: fault || (error?.message ?? "") }),
    /* @__PURE__ */ jsx10("p", { role: "status", children: done }),
    selected !== void 0 && /* @__PURE__ */ jsx10(Attempts, { id: selected.id, name: selected.name }, selected.id)
  ] });
}

// pages/operate/main.tsx
import { Fragment as Fragment4, jsx as jsx11, jsxs as jsxs11 } from "./frame.js";
var everyMs4 = 5e3;
function Console() {
  const { data, error } = usePolled("/overview", everyMs4);
  return /* @__PURE__ */ jsxs11(Fragment4, { children: [
    /* @__PURE__ */ jsx11(
      Reason,
      {
        text: error === void 0 ? "" : `${sentence(error.message)}${data === void 0 ? "" : " What follows was read before that."}`
      }
    ),
    data === void 0 ? /* @__PURE__ */ jsx11(Loading, {}) : /* @__PURE__ */ jsx11(State, { state: data, isOld: error !== void 0 }),
    /* @__PURE__ */ jsx11(Follow, {}),
    /* @__PURE__ */ jsx11(Accounts, {}),
    /* @__PURE__ */ jsx11(Keys, {}),
    /* @__PURE__ */ jsx11(Webhooks, {}),
    /* @__PURE__ */ jsxs11("div", { class: "operate-halves", children: [
      /* @__PURE__ */ jsx11(Backups, {}),
      /* @__PURE__ */ jsx11(Erase, {})
    ] }),
    /* @__PURE__ */ jsx11(Audit, {})
  ] });
}
function Operate() {
  useEffect5(() => setTitle("Operate"), []);
  return /* @__PURE__ */ jsx11(
    Session,
    {
      title: "Operate",
      lead: "The state of this service, its keys and its data.",
      links: [
        ["import", "Import"],
        ["docs/operations", "Guide"]
      ],
      children: /* @__PURE__ */ jsx11(Console, {})
    }
  );
}
mount(Operate);
