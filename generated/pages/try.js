// pages/try/main.tsx
import { enteredKey, onKeyChange, root, storeKey } from "./kit.js";
var scheme = "apiKeyHeader";
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
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [SwaggerUIBundle.plugins.DownloadUrl, sharedKey],
  onComplete: () => {
    if (enteredKey() !== "") ui.preauthorizeApiKey(scheme, enteredKey());
  }
});
onKeyChange(() => ui.preauthorizeApiKey(scheme, enteredKey()));
followColours();
