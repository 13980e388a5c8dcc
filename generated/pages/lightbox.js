// pages/lightbox/main.tsx
import {
  PictureConsent,
  Shown,
  mediaName,
  outwardAddress,
  render,
  tweetHref,
  useEffect,
  useRef,
  useState
} from "./kit.js";
import { Fragment, jsx, jsxs } from "./frame.js";
function Controls({ of, at, shown: { media, tweetId }, move, close }) {
  const outward = outwardAddress(media);
  return /* @__PURE__ */ jsxs("div", { class: "row spread", children: [
    /* @__PURE__ */ jsx("span", { class: "row", children: of > 1 && /* @__PURE__ */ jsxs(Fragment, { children: [
      /* @__PURE__ */ jsx("button", { type: "button", "aria-label": "Previous", onClick: () => move(-1), children: "‹" }),
      /* @__PURE__ */ jsxs("span", { "aria-live": "polite", children: [
        at + 1,
        " of ",
        of
      ] }),
      /* @__PURE__ */ jsx("button", { type: "button", "aria-label": "Next", onClick: () => move(1), children: "›" })
    ] }) }),
    /* @__PURE__ */ jsxs("span", { class: "row", children: [
      tweetId !== void 0 && /* @__PURE__ */ jsx("a", { class: "button", href: tweetHref(tweetId), children: "Tweet" }),
      outward !== void 0 && /* @__PURE__ */ jsx("a", { class: "button", href: outward, target: "_blank", rel: "noopener noreferrer nofollow", children: "Original" }),
      /* @__PURE__ */ jsx("button", { type: "button", onClick: () => close(), children: "Close" })
    ] })
  ] });
}
function Lightbox({ all, first, close }) {
  const [at, setAt] = useState(first);
  const dialog = useRef(null);
  useEffect(() => dialog.current?.showModal(), []);
  const shown = all[at];
  if (shown === void 0) return null;
  const { media } = shown;
  const move = (by) => setAt((before) => (before + by + all.length) % all.length);
  const keys = (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === void 0 || all.length === 1 || event.target instanceof HTMLVideoElement) return;
    event.preventDefault();
    move(by);
  };
  return /* @__PURE__ */ jsxs(
    "dialog",
    {
      class: "lightbox",
      ref: dialog,
      "aria-label": mediaName(media, at, all.length),
      onClose: close,
      onKeyDown: keys,
      onClick: ({ target, currentTarget }) => void (target === currentTarget && dialog.current?.close()),
      children: [
        /* @__PURE__ */ jsx("div", { class: "lightbox-view", children: /* @__PURE__ */ jsx(Shown, { media, name: mediaName(media, at, all.length), isWhole: true }) }, at),
        media.alt_text !== void 0 && /* @__PURE__ */ jsx("p", { class: "lightbox-text", dir: "auto", children: media.alt_text }),
        /* @__PURE__ */ jsx(PictureConsent, { urls: [media.url] }),
        /* @__PURE__ */ jsx(Controls, { of: all.length, at, shown, move, close: () => dialog.current?.close() })
      ]
    }
  );
}
var showMedia = (all, first) => {
  const opener = document.activeElement;
  const place = document.body.appendChild(document.createElement("div"));
  const close = () => {
    render(null, place);
    place.remove();
    if (opener instanceof HTMLElement) opener.focus();
  };
  render(/* @__PURE__ */ jsx(Lightbox, { all, first, close }), place);
};
export {
  showMedia
};
