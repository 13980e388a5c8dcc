// pages/community/main.tsx
import {
  Avatar,
  TweetCard,
  LinkedText,
  ListView,
  LiveBar,
  LiveDot,
  NotFoundError,
  Nothing,
  RequestLine,
  Tabs,
  chosenTab,
  compact,
  mount,
  searchHref,
  send,
  setTitle,
  subject,
  useArrivals,
  useEffect,
  useList,
  useLoaded
} from "./kit.js";
import { Fragment, jsx, jsxs } from "./frame.js";
var id = subject();
var info = { path: "/social/community/info", parameters: { id } };
var names = ["Recommended", "Media"];
var paths = { Recommended: "/social/community/discover", Media: "/social/community/media" };
async function readInfo(signal) {
  try {
    return await send(info, signal);
  } catch (error) {
    if (error instanceof NotFoundError) return void 0;
    throw error;
  }
}
var policies = {
  open: "Everyone can join",
  restricted: "Who wants to join asks first",
  closed: "Only who is invited can join"
};
function About({ community, unknown_counts: unknown }) {
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    community.description !== "" && /* @__PURE__ */ jsx(LinkedText, { text: community.description }),
    /* @__PURE__ */ jsxs("p", { class: "facts", children: [
      !unknown.includes("member_count") && /* @__PURE__ */ jsxs("span", { children: [
        /* @__PURE__ */ jsx("b", { children: compact(community.member_count) }),
        " ",
        community.member_count === 1 ? "member" : "members"
      ] }),
      !unknown.includes("moderator_count") && /* @__PURE__ */ jsxs("span", { children: [
        /* @__PURE__ */ jsx("b", { children: compact(community.moderator_count) }),
        " ",
        community.moderator_count === 1 ? "moderator" : "moderators"
      ] }),
      /* @__PURE__ */ jsx("span", { children: policies[community.join_policy] })
    ] })
  ] });
}
function Header() {
  const loaded = useLoaded(id, readInfo);
  const community = loaded.is === "ready" ? loaded.data?.community : void 0;
  const name = community?.name ?? "Community";
  useEffect(() => setTitle(name), [name]);
  return /* @__PURE__ */ jsxs("header", { class: "community-head", children: [
    /* @__PURE__ */ jsx(Avatar, { user: { name, username: id, profile_image: "" }, size: "large" }),
    /* @__PURE__ */ jsxs("div", { children: [
      /* @__PURE__ */ jsx("h1", { children: /* @__PURE__ */ jsx("bdi", { children: name }) }),
      loaded.is === "ready" && loaded.data !== void 0 && /* @__PURE__ */ jsx(About, { ...loaded.data }),
      loaded.is === "ready" && loaded.data === void 0 && /* @__PURE__ */ jsx("p", { class: "hint", children: "The archive has no name for this community. Tweets and members name it only by its id." })
    ] })
  ] });
}
var empty = {
  Recommended: "No tweets of this community are here",
  Media: "No pictures or videos of this community are here"
};
function CommunityPage() {
  const tab = chosenTab(names) ?? "Recommended";
  const request = { path: paths[tab], parameters: { id } };
  const read = useList(request, "tweets");
  const list = read.error instanceof NotFoundError ? { ...read, error: void 0, hasMore: false } : read;
  const arrivals = useArrivals({ community: id });
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx(Header, {}),
    /* @__PURE__ */ jsx(Tabs, { name: "Parts of the community", tabs: names, current: tab }),
    /* @__PURE__ */ jsxs("div", { class: "columns", children: [
      /* @__PURE__ */ jsxs("section", { "aria-label": tab, children: [
        /* @__PURE__ */ jsx("div", { class: "feed-head", children: /* @__PURE__ */ jsx(LiveDot, { state: arrivals.state }) }),
        /* @__PURE__ */ jsx(LiveBar, { arrivals, show: list.prepend }),
        /* @__PURE__ */ jsx(
          ListView,
          {
            list,
            name: "Tweets",
            draw: (tweet) => /* @__PURE__ */ jsx(TweetCard, { tweet }),
            empty: /* @__PURE__ */ jsx(Nothing, { title: empty[tab], children: /* @__PURE__ */ jsxs("p", { children: [
              "This service has only what was imported or followed. ",
              /* @__PURE__ */ jsx("a", { href: searchHref(""), children: "Explore what is here" })
            ] }) })
          }
        )
      ] }),
      /* @__PURE__ */ jsxs("aside", { class: "rail", "aria-label": "Requests of this page", children: [
        /* @__PURE__ */ jsx(RequestLine, { request: info }),
        /* @__PURE__ */ jsx(RequestLine, { request })
      ] })
    ] })
  ] });
}
mount(CommunityPage);
