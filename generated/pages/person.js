// pages/person/main.tsx
import {
  Avatar,
  NotFoundError,
  Verified,
  client,
  compact,
  enteredKey,
  onKeyChange,
  render,
  userHref
} from "./kit.js";
import { Fragment, jsx, jsxs } from "./frame.js";
var failureMs = 3e4;
var graceMs = 250;
var [distance, margin] = [6, 8];
var known = /* @__PURE__ */ new Map();
onKeyChange(() => known.clear());
function infoOf(username) {
  const key = username.toLowerCase();
  const before = known.get(key);
  if (before !== void 0) return before;
  const asked = client.user.info({ username: /^\d+$/.test(username) ? `@${username}` : username });
  const info = asked.catch((error) => {
    if (error instanceof NotFoundError) return void 0;
    setTimeout(() => known.delete(key), failureMs);
    throw error;
  });
  known.set(key, info);
  return info;
}
var countNames = [
  ["following_count", "following", "following", "?tab=Following"],
  ["followers_count", "follower", "followers", "?tab=Followers"],
  ["tweet_count", "tweet", "tweets", ""]
];
function Card({ username, info }) {
  const href = userHref(username);
  if (info === void 0)
    return /* @__PURE__ */ jsxs(Fragment, { children: [
      /* @__PURE__ */ jsxs("p", { class: "name", children: [
        "@",
        username
      ] }),
      /* @__PURE__ */ jsx("p", { class: "hint", children: "The profile is not in this archive." })
    ] });
  const { user, unknown_counts: unknown } = info;
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsxs("div", { class: "by person", children: [
      /* @__PURE__ */ jsx(Avatar, { user }),
      /* @__PURE__ */ jsxs("div", { children: [
        /* @__PURE__ */ jsx("bdi", { class: "name", children: user.name || user.username }),
        (user.verified || user.is_blue_verified) && /* @__PURE__ */ jsx(Verified, {}),
        /* @__PURE__ */ jsxs("p", { class: "username", children: [
          "@",
          user.username
        ] })
      ] })
    ] }),
    user.description !== "" && /* @__PURE__ */ jsx("p", { class: "text", dir: "auto", children: user.description }),
    /* @__PURE__ */ jsx("p", { class: "facts", children: countNames.filter(([name]) => !unknown.includes(name)).map(([name, one, many, part]) => /* @__PURE__ */ jsxs("a", { href: href + part, tabIndex: -1, children: [
      /* @__PURE__ */ jsx("b", { children: compact(user[name]) }),
      " ",
      user[name] === 1 ? one : many
    ] }, name)) })
  ] });
}
var PersonCard = class {
  #place = document.createElement("div");
  #link;
  #leaving;
  constructor() {
    this.#place.id = "person-card";
    this.#place.className = "person-card";
    this.#place.role = "tooltip";
    this.#place.popover = "manual";
    document.body.append(this.#place);
    addEventListener("keydown", ({ key }) => void (key === "Escape" && this.hide()));
    addEventListener("scroll", () => this.hide(), { passive: true });
    addEventListener("pagehide", () => this.hide());
    document.addEventListener("focusout", () => this.hide());
    document.addEventListener("pointerover", ({ target }) => this.#follow(target));
  }
  /** The card stays while the pointer is on the link or on the card. */
  #follow(target) {
    if (this.#link === void 0) return;
    const isNear = target instanceof Node && (this.#link.contains(target) || this.#place.contains(target));
    clearTimeout(this.#leaving);
    if (!isNear && this.#link !== document.activeElement) this.#leaving = setTimeout(() => this.hide(), graceMs);
  }
  show(link, username, info) {
    this.hide();
    this.#link = link;
    render(/* @__PURE__ */ jsx(Card, { username, info }), this.#place);
    this.#place.showPopover();
    link.setAttribute("aria-describedby", this.#place.id);
    const { bottom, left, top } = link.getBoundingClientRect();
    const { offsetHeight: tall, offsetWidth: wide } = this.#place;
    const isBelow = bottom + distance + tall + margin <= innerHeight;
    this.#place.style.top = `${Math.max(margin, isBelow ? bottom + distance : top - distance - tall)}px`;
    this.#place.style.left = `${Math.max(margin, Math.min(left, innerWidth - wide - margin))}px`;
  }
  hide() {
    clearTimeout(this.#leaving);
    this.#link?.removeAttribute("aria-describedby");
    this.#link = void 0;
    if (this.#place.matches(":popover-open")) this.#place.hidePopover();
  }
};
var card;
var showPerson = (link, username) => {
  if (enteredKey() === "") return;
  infoOf(username).then(
    (info) => {
      if (!link.isConnected || !link.matches(":hover") && link !== document.activeElement) return;
      card ??= new PersonCard();
      card.show(link, username, info);
    },
    () => {
    }
  );
};
export {
  showPerson
};
