// pages/try/main.tsx
import { enteredKey, onKeyChange, root, storeKey } from "./frame.js";

// pages/try/accessibility.ts
var repairs = [
  // The page has a main landmark already.
  ["main#operations:not([role])", (element) => setAll(element, { role: "region", "aria-label": "Operations" })],
  // Headings without a gap below the title of the page.
  ["h3:not([aria-level])", (element) => element.setAttribute("aria-level", "2")],
  ["h4:not([aria-level])", (element) => element.setAttribute("aria-level", "3")],
  ["h5:not([aria-level]), h6:not([aria-level])", (element) => element.setAttribute("aria-level", "4")],
  // A link within a button, which does the same.
  [".opblock-summary-control a[href]", (element) => element.removeAttribute("href")],
  ["#servers:not([aria-label])", (element) => element.setAttribute("aria-label", "Server")],
  [".examples-select-element:not([aria-label])", (element) => element.setAttribute("aria-label", "Example")],
  ["select.content-type:not([aria-label])", (element) => element.setAttribute("aria-label", "Media type")],
  [".parameters-col_description select:not([aria-label])", nameByParameter],
  [".parameters-col_description input:not([aria-label])", nameByParameter],
  ["textarea.body-param__text:not([aria-label])", (element) => element.setAttribute("aria-label", "Request body")],
  // What scrolls can be scrolled by keyboard.
  ["pre.microlight:not([tabindex])", (element) => element.setAttribute("tabindex", "0")],
  [".close-modal:not([aria-label])", (element) => element.setAttribute("aria-label", "Close")],
  // The name of a button is its text.
  [".auth-btn-wrapper button[aria-label]", (element) => element.removeAttribute("aria-label")]
];
function setAll(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}
function nameByParameter(element) {
  const row = element.closest("[data-param-name]");
  element.setAttribute("aria-label", row?.dataset["paramName"] ?? "Value");
}
function repairAccessibility(root2) {
  const repair = () => {
    for (const [selector, act] of repairs) root2.querySelectorAll(selector).forEach(act);
  };
  new MutationObserver(repair).observe(root2, { childList: true, subtree: true });
  repair();
}

// pages/try/main.tsx
var place = document.getElementById("swagger-ui") ?? document.body;
var scheme = place.dataset["scheme"] ?? "";
var sharedKey = () => ({
  statePlugins: {
    auth: {
      wrapActions: {
        authorize: (authorize) => (entered) => {
          const value = entered[scheme]?.value;
          if (typeof value === "string" && value !== enteredKey()) storeKey(value);
          return authorize(entered);
        }
      }
    }
  },
  wrapComponents: {
    authorizationPopup: (Dialog, { React }) => (props) => {
      React.useEffect(() => document.querySelector(".auth-container input")?.focus(), []);
      return React.createElement(Dialog, props);
    }
  }
});
function followColours() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const update = () => {
    const theme = document.documentElement.dataset["theme"];
    document.documentElement.classList.toggle("dark-mode", theme === "dark" || theme !== "light" && dark.matches);
  };
  dark.addEventListener("change", update);
  new MutationObserver(update).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  update();
}
var ui = SwaggerUIBundle({
  url: `${root}openapi.json`,
  dom_id: "#swagger-ui",
  deepLinking: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  // The reference has the schemas; here they would cost most of the time until the page can be used.
  defaultModelsExpandDepth: -1,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [SwaggerUIBundle.plugins.DownloadUrl, sharedKey],
  onComplete: () => {
    if (scheme !== "" && enteredKey() !== "") ui.preauthorizeApiKey(scheme, enteredKey());
  }
});
onKeyChange(() => {
  if (scheme !== "") ui.preauthorizeApiKey(scheme, enteredKey());
});
followColours();
repairAccessibility(place);
