// pages/import/main.tsx
import { mount, setTitle, useEffect as useEffect4, useRef as useRef2, useState as useState4 } from "./frame.js";

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
var sendPart = (path, part, signal) => send(path, { method: "PUT", body: part, headers: { "content-type": "application/octet-stream" }, signal });
var signIn = (key) => send("/session", { method: "POST", headers: { "x-api-key": key } });
function usePolled(path, everyMs2) {
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
    const timer = everyMs2 === 0 ? void 0 : setInterval(read, everyMs2);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [path, everyMs2, round]);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  return { ...state, reload };
}

// pages/operate/session.tsx
import { root as root2, useEffect as useEffect2, useState as useState2 } from "./frame.js";
import { Fragment, jsx, jsxs } from "./frame.js";
var reasons = {
  401: "The service does not know this key.",
  403: "This key is for data, not for operators. Use one with the scope admin.",
  404: "This service has no operator interface.",
  429: "Too many attempts. Wait a minute."
};
function SignIn({ onDone }) {
  const [reason, setReason] = useState2("");
  const [isBusy, setBusy] = useState2(false);
  const submit = (event) => {
    event.preventDefault();
    const form = event.currentTarget;
    const key = String(new FormData(form).get("operator") ?? "").trim();
    if (key === "" || !/^[!-~]+$/.test(key)) return setReason("Type or paste the key of an operator.");
    setBusy(true);
    signIn(key).then(({ key: id }) => onDone(id)).catch((error) => setReason(reasons[error.status] ?? `${error.message}.`)).finally(() => setBusy(false));
  };
  return /* @__PURE__ */ jsxs("form", { class: "panel sign-in", onSubmit: submit, autocomplete: "off", children: [
    /* @__PURE__ */ jsx("h2", { children: "Sign in as an operator" }),
    /* @__PURE__ */ jsxs("p", { class: "hint", children: [
      "An operator signs in with a key for this page. The first ",
      /* @__PURE__ */ jsx("code", { children: "npm start" }),
      " prints one, and",
      " ",
      /* @__PURE__ */ jsx("code", { children: "npm run keys -- create --name me --scopes admin" }),
      " makes another. The session ends after 8 hours, with the key, and with a restart of the service."
    ] }),
    /* @__PURE__ */ jsx("label", { for: "operator", children: "Operator key" }),
    /* @__PURE__ */ jsxs("div", { class: "row", children: [
      /* @__PURE__ */ jsx(
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
      /* @__PURE__ */ jsx("button", { type: "submit", class: "primary", disabled: isBusy, children: "Sign in" })
    ] }),
    /* @__PURE__ */ jsx("p", { id: "operator-reason", class: "reason", role: "alert", children: reason })
  ] });
}
function Session({
  title,
  lead,
  links,
  children
}) {
  const [key, setKey] = useState2(void 0);
  const [isKnown, setKnown] = useState2(false);
  useEffect2(() => {
    call("GET", "/session").then(
      (session) => {
        setKey(session.key ?? void 0);
        setKnown(true);
      },
      () => setKnown(true)
    );
  }, []);
  const signOut = () => void call("DELETE", "/session").finally(() => setKey(void 0));
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsxs("div", { class: "row spread operate-head", children: [
      /* @__PURE__ */ jsxs("div", { children: [
        /* @__PURE__ */ jsx("h1", { children: title }),
        /* @__PURE__ */ jsx("p", { class: "lead", children: lead })
      ] }),
      /* @__PURE__ */ jsxs("nav", { class: "row", "aria-label": "Operator", children: [
        links.map(([path, words]) => /* @__PURE__ */ jsx("a", { class: "button", href: root2 + path, children: words }, path)),
        key !== void 0 && /* @__PURE__ */ jsx("button", { type: "button", onClick: signOut, title: `Key ${key}`, children: "Sign out" })
      ] })
    ] }),
    key !== void 0 ? children : isKnown ? /* @__PURE__ */ jsx(SignIn, { onDone: setKey }) : /* @__PURE__ */ jsx("p", { role: "status", children: "Loading …" })
  ] });
}

// pages/import/job.tsx
import { full, plural, root as root3 } from "./frame.js";

// pages/operate/parts.tsx
import { useEffect as useEffect3, useLayoutEffect, useRef, useState as useState3 } from "./frame.js";
import { jsx as jsx2, jsxs as jsxs2 } from "./frame.js";
var units = ["B", "kB", "MB", "GB", "TB"];
function size(bytes) {
  const exponent = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1e3 ** exponent;
  return `${value >= 100 || exponent === 0 ? Math.round(value) : value.toFixed(1)} ${units[exponent]}`;
}
var Table = ({
  caption,
  heads,
  rows,
  empty
}) => rows.length === 0 ? /* @__PURE__ */ jsx2("p", { class: "hint", children: empty }) : /* @__PURE__ */ jsx2("div", { class: "table-box", role: "region", "aria-label": caption, tabindex: 0, children: /* @__PURE__ */ jsxs2("table", { class: "figures", children: [
  /* @__PURE__ */ jsx2("caption", { class: "sr", children: caption }),
  /* @__PURE__ */ jsx2("thead", { children: /* @__PURE__ */ jsx2("tr", { children: heads.map((head) => /* @__PURE__ */ jsx2("th", { scope: "col", children: head }, head)) }) }),
  /* @__PURE__ */ jsx2("tbody", { children: rows.map((cells, row) => /* @__PURE__ */ jsx2("tr", { children: cells.map((cell, column) => /* @__PURE__ */ jsx2("td", { children: cell }, column)) }, row)) })
] }) });

// pages/import/job.tsx
import { Fragment as Fragment2, jsx as jsx3, jsxs as jsxs3 } from "./frame.js";
var sum = (reports, ...counts) => reports.reduce((all, report) => all + counts.reduce((of, name) => of + report[name], 0), 0);
function stateOf({ state, reports }) {
  if (state === "uploading") return "Uploading";
  if (state === "importing") return "Importing";
  const [taken, skipped] = [sum(reports, "taken", "updated", "resumed"), sum(reports, "skipped")];
  if (state === "failed") return taken > 0 ? "Imported in part" : "Not imported";
  if (taken > 0) return skipped > 0 ? `Imported, but for ${plural(skipped, "record")}` : "Imported";
  if (sum(reports, "unchanged") > 0) return "Nothing new: the archive has all of it already";
  return skipped > 0 ? "Nothing imported: nothing in it was recognised" : "Nothing imported: the file has no records";
}
function Onward({ reports }) {
  const here = sum(reports, "taken", "updated", "resumed", "unchanged");
  return here === 0 ? null : /* @__PURE__ */ jsx3("p", { children: /* @__PURE__ */ jsx3("a", { class: "button", href: `${root3}explore`, children: "Explore the archive" }) });
}
function Progress({ view }) {
  const { state, received, bytes, progress } = view;
  if (state === "uploading")
    return /* @__PURE__ */ jsxs3(Fragment2, { children: [
      /* @__PURE__ */ jsx3("progress", { max: bytes, value: received, "aria-label": `Upload of ${view.name}` }),
      /* @__PURE__ */ jsxs3("p", { class: "hint", children: [
        size(received),
        " of ",
        size(bytes),
        ". You can close this page: the same file continues here within a day."
      ] })
    ] });
  if (state !== "importing") return null;
  return /* @__PURE__ */ jsxs3(Fragment2, { children: [
    /* @__PURE__ */ jsx3("progress", { max: Math.max(1, progress.of), value: progress.bytes, "aria-label": `Import of ${view.name}` }),
    /* @__PURE__ */ jsx3("p", { class: "hint", children: progress.input === "" ? "Waiting for its turn …" : `${progress.input}: ${plural(progress.values, "record")}, ${size(progress.bytes)} of ${size(progress.of)} read` })
  ] });
}
function LeftOut({ report: { leftOut = [] } }) {
  if (leftOut.length === 0) return null;
  return /* @__PURE__ */ jsxs3("details", { children: [
    /* @__PURE__ */ jsxs3("summary", { children: [
      plural(leftOut.length, "file"),
      " of the archive left out"
    ] }),
    /* @__PURE__ */ jsx3("ul", { class: "left-out", children: leftOut.map(({ name, reason }) => /* @__PURE__ */ jsxs3("li", { children: [
      name,
      reason === void 0 ? "" : ` (${reason})`
    ] }, name)) })
  ] });
}
function Skipped({ report: { reasons: reasons2, skipped } }) {
  if (reasons2.length === 0) return null;
  return /* @__PURE__ */ jsxs3("details", { open: true, children: [
    /* @__PURE__ */ jsxs3("summary", { children: [
      plural(skipped, "record"),
      " skipped"
    ] }),
    /* @__PURE__ */ jsx3(
      Table,
      {
        caption: "Reasons of skipped records",
        heads: ["Records", "Reason", "Lines"],
        rows: reasons2.map(({ reason, count, lines }) => [
          full(count),
          reason,
          `${lines.join(", ")}${count > lines.length ? ", …" : ""}`
        ]),
        empty: ""
      }
    )
  ] });
}
var Result = ({ report }) => {
  const { input, taken, updated, unchanged, skipped, resumed, added, fault, complete } = report;
  const counts = [
    `${full(taken)} taken`,
    `${full(updated)} updated`,
    `${full(unchanged)} unchanged`,
    `${full(skipped)} skipped`,
    ...resumed > 0 ? [`${full(resumed)} by an earlier run`] : []
  ];
  const kinds = Object.entries(added).map(([kind, count]) => `${kind} ${full(count)}`);
  return /* @__PURE__ */ jsxs3("li", { children: [
    /* @__PURE__ */ jsx3("b", { children: input }),
    ": ",
    counts.join(" · "),
    kinds.length > 0 && /* @__PURE__ */ jsxs3("span", { class: "hint", children: [
      " (added: ",
      kinds.join(", "),
      ")"
    ] }),
    fault !== void 0 && /* @__PURE__ */ jsxs3("p", { class: "wrong", children: [
      fault,
      sum([report], "taken", "updated", "unchanged", "skipped", "resumed") > 0 && "; what came before is taken in"
    ] }),
    fault === void 0 && !complete && /* @__PURE__ */ jsx3("p", { class: "wrong", children: "not read to its end" }),
    /* @__PURE__ */ jsx3(Skipped, { report }),
    /* @__PURE__ */ jsx3(LeftOut, { report })
  ] });
};
var Job = ({ view, fault, onCancel }) => /* @__PURE__ */ jsxs3("section", { class: "panel job", "aria-label": view.name, children: [
  /* @__PURE__ */ jsx3("h2", { children: view.name }),
  /* @__PURE__ */ jsx3("p", { role: "status", children: fault === "" ? stateOf(view) : "The upload has stopped" }),
  /* @__PURE__ */ jsx3(Progress, { view }),
  (view.state === "uploading" || view.state === "importing") && /* @__PURE__ */ jsx3("button", { type: "button", "aria-label": `Cancel ${view.name}`, onClick: onCancel, children: "Cancel" }),
  (fault !== "" || view.error !== null) && /* @__PURE__ */ jsx3("p", { class: "wrong", role: "alert", children: fault || view.error }),
  view.reports.length > 0 && /* @__PURE__ */ jsx3("ul", { children: view.reports.map((report) => /* @__PURE__ */ jsx3(Result, { report }, report.input)) }),
  /* @__PURE__ */ jsx3(Onward, { reports: view.reports })
] });

// pages/import/upload.ts
var partBytes = 2 * 1024 * 1024;
var waitsMs = [500, 1e3, 2e3, 4e3, 8e3, 15e3];
var pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
var isPassing = ({ status }) => status === 0 || status === 429 || status === 503;
async function withRetries(signal, attempt) {
  for (let tried = 0; ; tried++) {
    signal.throwIfAborted();
    try {
      return await attempt(tried);
    } catch (error) {
      const wait = waitsMs[tried];
      if (!(error instanceof OperateError) || !isPassing(error) || wait === void 0) throw error;
      await pause(wait);
    }
  }
}
async function upload(file, restore, onView, signal) {
  const facts = { name: file.name, bytes: file.size, modified: Math.floor(file.lastModified) };
  const begin = () => call("POST", "/imports", facts);
  let view = await withRetries(signal, begin);
  onView(view);
  while (view.state === "uploading" && view.received < file.size) {
    view = await withRetries(signal, async (failures) => {
      const current = failures === 0 ? view : await begin();
      const { id, received } = current;
      const part = file.slice(received, received + partBytes);
      return received >= file.size ? current : sendPart(`/imports/${id}?offset=${received}`, part, signal);
    });
    onView(view);
  }
  if (view.state === "uploading")
    onView(await withRetries(signal, () => call("POST", `/imports/${view.id}`, { restore })));
}

// pages/import/main.tsx
import { Fragment as Fragment3, jsx as jsx4, jsxs as jsxs4 } from "./frame.js";
var everyMs = 1e3;
var accepted = ".zip,.gz,.js,.json,.jsonl,.ndjson,.har,.car";
function DropZone({ onFiles }) {
  const [isOver, setOver] = useState4(false);
  const drop = (event) => {
    event.preventDefault();
    setOver(false);
    onFiles([...event.dataTransfer?.files ?? []]);
  };
  return /* @__PURE__ */ jsxs4(
    "div",
    {
      class: isOver ? "drop over" : "drop",
      onDragOver: (event) => {
        event.preventDefault();
        setOver(true);
      },
      onDragLeave: () => setOver(false),
      onDrop: drop,
      children: [
        /* @__PURE__ */ jsx4("label", { for: "files", children: /* @__PURE__ */ jsx4("b", { children: "Drop files here, or choose them" }) }),
        /* @__PURE__ */ jsx4(
          "input",
          {
            id: "files",
            type: "file",
            multiple: true,
            accept: accepted,
            "aria-describedby": "files-hint",
            onChange: (event) => {
              onFiles([...event.currentTarget.files ?? []]);
              event.currentTarget.value = "";
            }
          }
        ),
        /* @__PURE__ */ jsxs4("p", { id: "files-hint", class: "hint", children: [
          "The zip archive of X as it is, or its ",
          /* @__PURE__ */ jsx4("code", { children: "tweets.js" }),
          "; X API v2 responses, Twitter v1.1 statuses, answers of the web pages of X (also HAR files), answers of the API of Bluesky and native JSON Lines, plain or gzip; a repository of Bluesky (",
          /* @__PURE__ */ jsx4("code", { children: ".car" }),
          "); the zip file of Mastodon, or its",
          /* @__PURE__ */ jsx4("code", { children: "outbox.json" }),
          "."
        ] })
      ]
    }
  );
}
function Imports() {
  const { data, reload } = usePolled("/imports", everyMs);
  const [own, setOwn] = useState4(/* @__PURE__ */ new Map());
  const [restores, setRestores] = useState4(false);
  const [fault, setFault] = useState4("");
  const leaving = useRef2(new AbortController());
  useEffect4(() => () => leaving.current.abort(), []);
  const add = (files) => {
    setFault("");
    for (const file of files) {
      let id;
      const stop = new AbortController();
      const note = (view, reason) => {
        id = view.id;
        setOwn((before) => new Map(before).set(view.id, { view, fault: reason, stop }));
      };
      const signal = AbortSignal.any([leaving.current.signal, stop.signal]);
      upload(file, restores, (view) => note(view, ""), signal).catch((error) => {
        if (signal.aborted) return;
        const reason = `${error.message}. Choose the file again to continue.`;
        setOwn((before) => {
          const known = id === void 0 ? void 0 : before.get(id);
          return id === void 0 || known === void 0 ? before : new Map(before).set(id, { ...known, fault: reason });
        });
        if (id === void 0) setFault(`${file.name}: ${error.message}`);
      });
    }
  };
  const cancel = (id) => {
    own.get(id)?.stop.abort();
    setOwn((before) => new Map([...before].filter(([each]) => each !== id)));
    call("DELETE", `/imports/${id}`).then(reload, (error) => setFault(error.message));
  };
  const views = new Map([...own].map(([id, { view }]) => [id, view]));
  for (const view of data?.imports ?? [])
    if (view.state !== "uploading" || !views.has(view.id)) views.set(view.id, view);
  return /* @__PURE__ */ jsxs4(Fragment3, { children: [
    /* @__PURE__ */ jsx4(DropZone, { onFiles: add }),
    /* @__PURE__ */ jsxs4("label", { class: "check", children: [
      /* @__PURE__ */ jsx4("input", { type: "checkbox", checked: restores, onChange: (event) => setRestores(event.currentTarget.checked) }),
      "Bring back what was deleted here before"
    ] }),
    /* @__PURE__ */ jsx4("p", { class: "reason", role: "alert", children: fault }),
    [...views.values()].map((view) => /* @__PURE__ */ jsx4(Job, { view, fault: own.get(view.id)?.fault ?? "", onCancel: () => cancel(view.id) }, view.id))
  ] });
}
function Import() {
  useEffect4(() => setTitle("Import"), []);
  return /* @__PURE__ */ jsx4(
    Session,
    {
      title: "Import",
      lead: "Take files into the archive. The same file twice changes nothing.",
      links: [["operate", "Operate"]],
      children: /* @__PURE__ */ jsx4(Imports, {})
    }
  );
}
mount(Import);
