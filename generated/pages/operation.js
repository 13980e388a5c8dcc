// pages/operation/main.tsx
import {
  askForKey,
  enteredKey,
  keyRejected,
  render,
  root,
  useEffect,
  useKey,
  useRef,
  useState
} from "./frame.js";

// pages/operation/answer.tsx
import { Code, CopyButton, full } from "./frame.js";
import { jsx, jsxs } from "./frame.js";
var maxCharacters = 2e5;
async function readAnswer(response, ms, show) {
  const { status, statusText } = response;
  const type = response.headers.get("content-type") ?? "";
  const headers = [...response.headers].toSorted(([one], [other]) => one.localeCompare(other));
  let text = "";
  let isCut = false;
  const now = (isOpen) => show({ status, statusText, headers, type, text, ms, isOpen, isCut });
  now(true);
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  for (let read = await reader?.read(); read !== void 0 && !read.done; read = await reader?.read()) {
    text += decoder.decode(read.value, { stream: true });
    isCut = text.length > maxCharacters;
    if (isCut) {
      text = text.slice(0, maxCharacters);
      await reader?.cancel();
      break;
    }
    if (/event-stream/.test(type)) now(true);
  }
  now(false);
}
function shown({ type, text, isOpen, isCut }) {
  if (isOpen || isCut || !/[/+]json\b/.test(type)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
function nextCursor({ type, text, isOpen }) {
  if (isOpen || !/[/+]json\b/.test(type)) return void 0;
  try {
    const { next_cursor: cursor } = JSON.parse(text);
    return typeof cursor === "string" ? cursor : void 0;
  } catch {
    return void 0;
  }
}
function AnswerView({ answer }) {
  const { status, statusText, headers, text, ms, isCut } = answer;
  const pretty = shown(answer);
  return /* @__PURE__ */ jsxs("div", { class: "answer", children: [
    /* @__PURE__ */ jsxs("p", { role: "status", children: [
      /* @__PURE__ */ jsxs("b", { class: status < 400 ? "good" : "bad", children: [
        status,
        " ",
        statusText
      ] }),
      " ",
      /* @__PURE__ */ jsxs("span", { class: "hint", children: [
        full(ms),
        " ms · ",
        full(text.length),
        " characters",
        isCut ? ", and more that is not shown" : ""
      ] })
    ] }),
    text !== "" && /* @__PURE__ */ jsxs("div", { class: "sample-box", children: [
      /* @__PURE__ */ jsx(CopyButton, { text: () => pretty }),
      /* @__PURE__ */ jsx(Code, { text: pretty, name: "The body of the answer" })
    ] }),
    /* @__PURE__ */ jsxs("details", { children: [
      /* @__PURE__ */ jsx("summary", { children: "Headers" }),
      /* @__PURE__ */ jsx("dl", { class: "answer-headers", children: headers.map(([name, value]) => /* @__PURE__ */ jsxs("div", { children: [
        /* @__PURE__ */ jsx("dt", { children: name }),
        /* @__PURE__ */ jsx("dd", { children: value })
      ] }, name)) })
    ] })
  ] });
}

// pages/operation/request.ts
var initialOf = ({ parameters, body, accepts }) => ({
  values: Object.fromEntries(parameters.map(({ name, value }) => [name, value])),
  body: body?.text ?? "",
  accept: accepts[0] ?? ""
});
function faultOf({ parameters, body }, typed) {
  const missing = parameters.find(({ name, required }) => required && (typed.values[name] ?? "") === "");
  if (missing !== void 0) return `${missing.name} is required.`;
  if (body === void 0 || typed.body.trim() === "" || !/[/+]json\b/i.test(body.type)) return void 0;
  try {
    JSON.parse(typed.body);
    return void 0;
  } catch (error) {
    return `The body is no JSON: ${error.message}`;
  }
}
function requestOf(operation, typed, key, root2) {
  const given = operation.parameters.filter(({ name }) => (typed.values[name] ?? "") !== "");
  const within = (place) => given.filter((each) => each.in === place).map(({ name }) => [name, typed.values[name] ?? ""]);
  const path = within("path").reduce(
    (text, [name, value]) => text.replaceAll(`{${name}}`, encodeURIComponent(value)),
    operation.path.slice(1)
  );
  const headers = Object.fromEntries(within("header"));
  const query = new URLSearchParams([...within("query")]);
  if (typed.accept !== "") headers["accept"] = typed.accept;
  if (operation.key !== void 0 && key !== "") {
    if (operation.key.in === "query") query.set(operation.key.name, key);
    else headers[operation.key.name] = operation.key.before + key;
  }
  const hasBody = operation.body !== void 0 && typed.body.trim() !== "";
  if (hasBody) headers["content-type"] = operation.body.type;
  return [
    `${root2}${path}${query.size === 0 ? "" : `?${query}`}`,
    { method: operation.method.toUpperCase(), headers, ...hasBody && { body: typed.body } }
  ];
}

// pages/operation/main.tsx
import { Fragment, jsx as jsx2, jsxs as jsxs2 } from "./frame.js";
function Field(props) {
  const { parameter, value, change } = props;
  const { name, required, values } = parameter;
  const id = `try-${name}`;
  return /* @__PURE__ */ jsxs2("div", { class: "try-field", children: [
    /* @__PURE__ */ jsxs2("label", { for: id, children: [
      /* @__PURE__ */ jsx2("code", { children: name }),
      required && /* @__PURE__ */ jsx2("b", { class: "required", children: " required" }),
      parameter.in !== "query" && /* @__PURE__ */ jsxs2("span", { class: "optional", children: [
        " ",
        parameter.in
      ] })
    ] }),
    values === void 0 ? /* @__PURE__ */ jsx2(
      "input",
      {
        id,
        type: "text",
        value,
        required,
        autocomplete: "off",
        autocapitalize: "off",
        spellcheck: false,
        onInput: ({ currentTarget }) => change(currentTarget.value)
      }
    ) : /* @__PURE__ */ jsxs2("select", { id, value, onChange: ({ currentTarget }) => change(currentTarget.value), children: [
      !required && /* @__PURE__ */ jsx2("option", { value: "", children: "left out" }),
      values.map((each) => /* @__PURE__ */ jsx2("option", { children: each }, each))
    ] })
  ] });
}
function Body({ type, text, change }) {
  return /* @__PURE__ */ jsxs2("div", { class: "try-field", children: [
    /* @__PURE__ */ jsxs2("label", { for: "try-body", children: [
      "Body ",
      /* @__PURE__ */ jsx2("span", { class: "optional", children: type })
    ] }),
    /* @__PURE__ */ jsx2(
      "textarea",
      {
        id: "try-body",
        rows: Math.min(12, text.split("\n").length + 1),
        spellcheck: false,
        autocapitalize: "off",
        value: text,
        onInput: ({ currentTarget }) => change(currentTarget.value)
      }
    )
  ] });
}
function Accept({
  types,
  value,
  choose
}) {
  return /* @__PURE__ */ jsxs2("div", { class: "try-field", children: [
    /* @__PURE__ */ jsx2("label", { for: "try-accept", children: "Answer as" }),
    /* @__PURE__ */ jsx2("select", { id: "try-accept", value, onChange: ({ currentTarget }) => choose(currentTarget.value), children: types.map((type) => /* @__PURE__ */ jsx2("option", { children: type }, type)) })
  ] });
}
function useSender(operation) {
  const [sending, setSending] = useState({ is: "ready" });
  const [answer, setAnswer] = useState();
  const [fault, setFault] = useState("");
  const aborting = useRef(void 0);
  const stop = () => {
    aborting.current?.abort();
    setSending({ is: "ready" });
  };
  useEffect(() => stop, []);
  const send = async (typed) => {
    aborting.current?.abort();
    const { signal } = aborting.current = new AbortController();
    setFault("");
    setAnswer(void 0);
    setSending({ is: "sending" });
    const start = performance.now();
    try {
      const [url, options] = requestOf(operation, typed, enteredKey(), root);
      const response = await fetch(url, { ...options, signal });
      if (response.status === 401) (enteredKey() === "" ? askForKey : keyRejected)();
      await readAnswer(
        response,
        Math.round(performance.now() - start),
        (next) => void (signal.aborted || setAnswer(next))
      );
    } catch (error) {
      if (!signal.aborted) setFault(`The request could not be sent: ${error.message}`);
    }
    if (!signal.aborted) setSending({ is: "ready" });
  };
  return {
    ...{ sending, answer, fault, stop },
    ask: () => setSending({ is: "asking" }),
    send(typed) {
      const wrong = faultOf(operation, typed);
      if (wrong === void 0) return void send(typed);
      setSending({ is: "ready" });
      setFault(wrong);
    }
  };
}
function Buttons({ operation, sender, typed }) {
  const { sending, send, stop } = sender;
  const key = useKey();
  if (sending.is === "asking")
    return /* @__PURE__ */ jsxs2("div", { class: "row", role: "group", "aria-label": "Confirm", children: [
      /* @__PURE__ */ jsx2("span", { children: "This request can change data of this service." }),
      /* @__PURE__ */ jsx2("button", { type: "button", class: "primary", onClick: () => send(typed), children: "Send it" }),
      /* @__PURE__ */ jsx2("button", { type: "button", onClick: stop, children: "Cancel" })
    ] });
  return /* @__PURE__ */ jsxs2("div", { class: "row", children: [
    /* @__PURE__ */ jsx2("button", { type: "submit", class: "primary", disabled: sending.is === "sending", children: sending.is === "sending" ? "Sending …" : "Send" }),
    sending.is === "sending" && /* @__PURE__ */ jsx2("button", { type: "button", onClick: stop, children: "Stop" }),
    operation.key !== void 0 && key === "" && /* @__PURE__ */ jsx2("button", { type: "button", onClick: () => askForKey(), children: "Add key" }),
    /* @__PURE__ */ jsx2("a", { class: "hint", href: `${root}docs/try`, children: "All operations in Swagger UI" })
  ] });
}
function TryIt({ operation }) {
  const [typed, setTyped] = useState(() => initialOf(operation));
  const sender = useSender(operation);
  const { parameters, body, accepts, method } = operation;
  const isRead = method === "get" || method === "head";
  const set = (name, value) => {
    const next = { ...typed, values: { ...typed.values, [name]: value } };
    setTyped(next);
    return next;
  };
  const cursor = sender.answer === void 0 ? void 0 : nextCursor(sender.answer);
  const hasCursor = parameters.some(({ name }) => name === "cursor");
  return /* @__PURE__ */ jsxs2(Fragment, { children: [
    /* @__PURE__ */ jsxs2(
      "form",
      {
        autocomplete: "off",
        noValidate: true,
        onSubmit: (event) => {
          event.preventDefault();
          if (isRead) sender.send(typed);
          else sender.ask();
        },
        children: [
          /* @__PURE__ */ jsxs2("div", { class: "try-fields", children: [
            parameters.map((each) => /* @__PURE__ */ jsx2(
              Field,
              {
                parameter: each,
                value: typed.values[each.name] ?? "",
                change: (value) => void set(each.name, value)
              },
              each.name
            )),
            accepts.length > 1 && /* @__PURE__ */ jsx2(Accept, { types: accepts, value: typed.accept, choose: (accept) => setTyped({ ...typed, accept }) })
          ] }),
          body !== void 0 && /* @__PURE__ */ jsx2(Body, { type: body.type, text: typed.body, change: (text) => setTyped({ ...typed, body: text }) }),
          /* @__PURE__ */ jsx2(Buttons, { operation, sender, typed })
        ]
      }
    ),
    sender.fault !== "" && /* @__PURE__ */ jsx2("p", { class: "wrong", role: "alert", children: sender.fault }),
    sender.answer !== void 0 && /* @__PURE__ */ jsx2(AnswerView, { answer: sender.answer }),
    cursor !== void 0 && hasCursor && /* @__PURE__ */ jsx2("button", { type: "button", onClick: () => sender.send(set("cursor", cursor)), children: "Next page" })
  ] });
}
for (const box of document.querySelectorAll(".try-it")) {
  const draw = () => {
    if (!box.open || box.querySelector(".try-form") !== null) return;
    const place = document.createElement("div");
    place.className = "try-form";
    box.append(place);
    render(/* @__PURE__ */ jsx2(TryIt, { operation: JSON.parse(box.dataset["operation"] ?? "{}") }), place);
  };
  const openByLink = () => {
    if (location.hash !== `#${box.id}`) return;
    box.open = true;
    draw();
    box.scrollIntoView({ block: "start" });
  };
  box.addEventListener("toggle", draw);
  addEventListener("hashchange", openByLink);
  draw();
  openByLink();
}
