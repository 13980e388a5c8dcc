// pages/community/main.tsx
import {
  FullTweetCard,
  ListView,
  LiveBar,
  LiveDot,
  RequestLine,
  Tabs,
  chosenTab,
  mount,
  setTitle,
  subject,
  useArrivals,
  useEffect,
  useList
} from "./kit.js";
import { Fragment, jsx, jsxs } from "./kit.js";
var id = subject();
var names = ["Recommended", "Media"];
var paths = { Recommended: "/social/community/discover", Media: "/social/community/media" };
function CommunityPage() {
  const tab = chosenTab(names) ?? "Recommended";
  const request = { path: paths[tab], parameters: { id } };
  const list = useList(request, "tweets");
  const arrivals = useArrivals({ community: id });
  useEffect(() => setTitle(`Community ${id}`), []);
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx("h1", { children: "Community" }),
    /* @__PURE__ */ jsx("p", { class: "lead id", children: id }),
    /* @__PURE__ */ jsx(Tabs, { name: "Parts of the community", tabs: names, current: tab }),
    /* @__PURE__ */ jsxs("div", { class: "columns", children: [
      /* @__PURE__ */ jsxs("section", { "aria-label": tab, children: [
        /* @__PURE__ */ jsx(LiveDot, { state: arrivals.state }),
        /* @__PURE__ */ jsx(LiveBar, { arrivals, show: list.prepend }),
        /* @__PURE__ */ jsx(
          ListView,
          {
            list,
            name: "Tweets",
            draw: (tweet) => /* @__PURE__ */ jsx(FullTweetCard, { tweet }),
            empty: "No tweets here"
          }
        )
      ] }),
      /* @__PURE__ */ jsx("aside", { class: "rail", "aria-label": "Request of this page", children: /* @__PURE__ */ jsx(RequestLine, { request }) })
    ] })
  ] });
}
mount(CommunityPage);
