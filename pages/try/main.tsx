/** /docs/try: Swagger UI over the contract, authorised by the key of the tab. */
import { enteredKey, onKeyChange, root, storeKey } from '../kit/frame.ts';
import { repairAccessibility } from './accessibility.ts';

/** The parts of Swagger UI that this page uses. */
interface System {
  preauthorizeApiKey(scheme: string, key: string): void;
}
interface React {
  createElement(component: unknown, props: object): unknown;
  useEffect(effect: () => void, changed: readonly unknown[]): void;
}
type Authorised = Readonly<Record<string, { readonly value?: unknown }>>;
declare const SwaggerUIBundle: ((options: object) => System) & {
  readonly presets: { readonly apis: unknown };
  readonly plugins: { readonly DownloadUrl: unknown };
};

const place = document.getElementById('swagger-ui') ?? document.body;

/** The security scheme for the key of the tab; empty where the contract has none. */
const scheme = place.dataset['scheme'] ?? '';

/**
 * Stores a key that the reader enters in the Authorize dialog, and sets the focus of that dialog to its first field, the key in
 * the header: otherwise the last field gets it, the key in the query.
 */
const sharedKey = () => ({
  statePlugins: {
    auth: {
      wrapActions: {
        authorize: (authorize: (entered: Authorised) => unknown) => (entered: Authorised) => {
          const value = entered[scheme]?.value;
          if (typeof value === 'string' && value !== enteredKey()) storeKey(value);
          return authorize(entered);
        },
      },
    },
  },
  wrapComponents: {
    authorizationPopup:
      (Dialog: unknown, { React }: { React: React }) =>
      (props: object) => {
        React.useEffect(() => document.querySelector<HTMLElement>('.auth-container input')?.focus(), []);
        return React.createElement(Dialog, props);
      },
  },
});

function followColours(): void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const update = (): void => {
    const theme = document.documentElement.dataset['theme'];
    document.documentElement.classList.toggle('dark-mode', theme === 'dark' || (theme !== 'light' && dark.matches));
  };
  dark.addEventListener('change', update);
  new MutationObserver(update).observe(document.documentElement, { attributeFilter: ['data-theme'] });
  update();
}

const ui = SwaggerUIBundle({
  url: `${root}openapi.json`,
  dom_id: '#swagger-ui',
  deepLinking: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  // The reference has the schemas; here they would cost most of the time until the page can be used.
  defaultModelsExpandDepth: -1,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [SwaggerUIBundle.plugins.DownloadUrl, sharedKey],
  onComplete: () => {
    if (scheme !== '' && enteredKey() !== '') ui.preauthorizeApiKey(scheme, enteredKey());
  },
});
onKeyChange(() => {
  if (scheme !== '') ui.preauthorizeApiKey(scheme, enteredKey());
});
followColours();
repairAccessibility(place);
