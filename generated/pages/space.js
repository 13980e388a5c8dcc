// pages/space/main.tsx
import {
  Avatar,
  Fault,
  Loading,
  RequestLine,
  UserName,
  full,
  longTime,
  mount,
  send,
  setTitle,
  subject,
  useEffect,
  useLoaded
} from "./kit.js";
import { Fragment, jsx, jsxs } from "./frame.js";
var request = { path: "/social/space/detail", parameters: { id: subject() } };
var Person = ({ user }) => /* @__PURE__ */ jsxs("div", { class: "by person", children: [
  /* @__PURE__ */ jsx(Avatar, { user }),
  /* @__PURE__ */ jsx(UserName, { user })
] });
function Details({ space }) {
  useEffect(() => setTitle(space.title), []);
  const times = [
    ["Scheduled", space.scheduled_start],
    ["Started", space.started_at],
    ["Ended", space.ended_at]
  ];
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx("p", { class: `state-${space.state} state`, children: space.state }),
    /* @__PURE__ */ jsx("h1", { dir: "auto", children: space.title }),
    /* @__PURE__ */ jsxs("dl", { class: "stats", children: [
      /* @__PURE__ */ jsxs("div", { class: "stat", children: [
        /* @__PURE__ */ jsx("dt", { children: "participants" }),
        /* @__PURE__ */ jsx("dd", { children: full(space.participant_count) })
      ] }),
      /* @__PURE__ */ jsxs("div", { class: "stat", children: [
        /* @__PURE__ */ jsx("dt", { children: "subscribers" }),
        /* @__PURE__ */ jsx("dd", { children: full(space.subscriber_count) })
      ] }),
      /* @__PURE__ */ jsxs("div", { class: "stat", children: [
        /* @__PURE__ */ jsx("dt", { children: "language" }),
        /* @__PURE__ */ jsx("dd", { children: space.lang })
      ] })
    ] }),
    /* @__PURE__ */ jsx("h2", { class: "section-title", children: "Host" }),
    /* @__PURE__ */ jsx(Person, { user: space.host }),
    /* @__PURE__ */ jsx("h2", { class: "section-title", children: "Speakers" }),
    space.speakers.length === 0 ? /* @__PURE__ */ jsx("p", { class: "hint", children: "None yet." }) : space.speakers.map((user) => /* @__PURE__ */ jsx(Person, { user }, user.id)),
    /* @__PURE__ */ jsxs("p", { class: "hint", children: [
      times.flatMap(([name, at]) => at === null ? [] : [`${name} ${longTime(at)}`]).join(" · "),
      space.is_ticketed && " · with tickets"
    ] })
  ] });
}
function SpacePage() {
  const loaded = useLoaded(request.parameters.id, (signal) => send(request, signal));
  return /* @__PURE__ */ jsxs("div", { class: "columns", children: [
    /* @__PURE__ */ jsxs("section", { "aria-label": "Audio room", children: [
      loaded.is === "loading" && /* @__PURE__ */ jsx("div", { class: "whole-screen", children: /* @__PURE__ */ jsx(Loading, { rows: 2, name: "Loading the room" }) }),
      loaded.is === "ready" && /* @__PURE__ */ jsx(Details, { space: loaded.data }),
      loaded.is === "failed" && /* @__PURE__ */ jsxs(Fragment, { children: [
        /* @__PURE__ */ jsx("h1", { children: "Audio room" }),
        /* @__PURE__ */ jsx(Fault, { error: loaded.error, retry: loaded.retry })
      ] })
    ] }),
    /* @__PURE__ */ jsx("aside", { class: "rail", "aria-label": "Request of this page", children: /* @__PURE__ */ jsx(RequestLine, { request }) })
  ] });
}
mount(SpacePage);
