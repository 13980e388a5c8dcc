// pages/docs/main.tsx
import { CopyButton, Code, enteredKey, render, useEffect, useKey, useState, Choice } from "./frame.js";
import { jsx, jsxs } from "./frame.js";
var languageName = "social-data.language";
var optionsChanged = "social-data:samples";
var languages = ["curl", "TypeScript", "Python"];
function storedLanguage() {
  try {
    const stored = localStorage.getItem(languageName);
    return languages.find((language) => language === stored) ?? "curl";
  } catch {
    return "curl";
  }
}
var options = { language: storedLanguage(), isClear: false };
function change(next) {
  options = { ...options, ...next };
  try {
    localStorage.setItem(languageName, options.language);
  } catch {
  }
  dispatchEvent(new Event(optionsChanged));
}
function useOptions() {
  const [current, setCurrent] = useState(options);
  useEffect(() => {
    const update = () => setCurrent(options);
    addEventListener(optionsChanged, update);
    return () => removeEventListener(optionsChanged, update);
  }, []);
  return current;
}
var placeholders = /"\$API_KEY"|\$API_KEY|process\.env\.API_KEY|os\.environ\["API_KEY"\]|\bKEY\b/g;
var withKey = (text, key) => text.replaceAll(placeholders, (found) => /^(?:process|os)/.test(found) ? JSON.stringify(key) : key);
function Sample({ text, name }) {
  const { isClear } = useOptions();
  const key = useKey();
  const shown = isClear && key !== "" ? withKey(text, key) : text;
  return /* @__PURE__ */ jsxs("div", { class: "sample-box", children: [
    /* @__PURE__ */ jsx(CopyButton, { text: () => shown }),
    /* @__PURE__ */ jsx(Code, { text: shown, name })
  ] });
}
function Controls() {
  const { language, isClear } = useOptions();
  const key = useKey();
  return /* @__PURE__ */ jsxs("div", { class: "row sample-controls", children: [
    /* @__PURE__ */ jsx(Choice, { name: "Language", values: languages, value: language, choose: (next) => change({ language: next }) }),
    key !== "" && /* @__PURE__ */ jsxs("label", { class: "check", children: [
      /* @__PURE__ */ jsx("input", { type: "checkbox", checked: isClear, onChange: () => change({ isClear: !isClear }) }),
      " My key"
    ] })
  ] });
}
function replace(element, node) {
  const place = document.createElement("div");
  place.id = element.id;
  element.replaceWith(place);
  render(node, place);
}
function drawSamples() {
  for (const sample of document.querySelectorAll("pre.sample")) {
    const name = sample.previousElementSibling?.textContent?.trim() ?? "Sample";
    replace(sample, /* @__PURE__ */ jsx(Sample, { text: (sample.textContent ?? "").trimEnd(), name: `${name} (${sample.id})` }));
  }
}
function showLanguage() {
  for (const place of document.querySelectorAll("[data-language]"))
    place.hidden = place.dataset["language"] !== options.language;
}
function drawControls() {
  for (const samples of document.querySelectorAll(".samples")) {
    const place = document.createElement("div");
    samples.prepend(place);
    render(/* @__PURE__ */ jsx(Controls, {}), place);
  }
  showLanguage();
  addEventListener(optionsChanged, showLanguage);
}
var aroundPx = 40;
function showInBox(link) {
  const box = link.closest(".contents");
  if (box === null || getComputedStyle(box).position !== "sticky") return;
  const [outer, inner] = [box.getBoundingClientRect(), link.getBoundingClientRect()];
  if (inner.top < outer.top + aroundPx) box.scrollTop -= outer.top + aroundPx - inner.top;
  else if (inner.bottom > outer.bottom - aroundPx) box.scrollTop += inner.bottom + aroundPx - outer.bottom;
}
function followReader() {
  const links = [...document.querySelectorAll('.contents a[href^="#"]')];
  const sections = links.flatMap((link) => document.getElementById(link.hash.slice(1)) ?? []);
  const mark = () => {
    const current = sections.findLast((section) => section.getBoundingClientRect().top < 140) ?? sections[0];
    for (const link of links) {
      const [isCurrent, was] = [link.hash === `#${current?.id}`, link.hasAttribute("aria-current")];
      if (!isCurrent) link.removeAttribute("aria-current");
      else if (!was) {
        link.setAttribute("aria-current", "true");
        showInBox(link);
      }
    }
  };
  let isWaiting = false;
  const soon = () => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => {
      isWaiting = false;
      mark();
    });
  };
  const ofPage = document.querySelector('.contents [aria-current="page"]');
  if (ofPage !== null) showInBox(ofPage);
  addEventListener("scroll", soon, { passive: true });
  if (links.length > 0) mark();
}
function goToAddress() {
  const [entry] = performance.getEntriesByType("navigation");
  if (entry?.type === "navigate")
    document.getElementById(decodedHash())?.scrollIntoView({ block: "start", behavior: "instant" });
}
function decodedHash() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return "";
  }
}
var finder = "./find.js";
function offerSearch() {
  const button = document.getElementById("find-open");
  if (button === null) return;
  const open = async () => {
    const { openFind } = await import(finder);
    openFind(new URL(button.dataset["indexSrc"] ?? "", location.href).href);
  };
  const isMac = /Mac|iP(?:hone|ad|od)/.test(navigator.platform);
  const keys = button.querySelector("kbd");
  if (isMac && keys !== null) keys.textContent = "⌘K";
  button.addEventListener("click", () => void open());
  addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "k" || event.altKey || event.shiftKey || event.ctrlKey === event.metaKey) return;
    event.preventDefault();
    void open();
  });
}
function followOperation() {
  const row = document.querySelector(`.of-sections tr[id="${CSS.escape(decodedHash())}"]`);
  const link = row?.querySelector("th a");
  if (link === null || link === void 0) return false;
  location.replace(link.href);
  return true;
}
offerSearch();
drawSamples();
drawControls();
if (!followOperation()) goToAddress();
followReader();
if (enteredKey() !== "") dispatchEvent(new Event(optionsChanged));
