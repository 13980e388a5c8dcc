/**
 * Plugins of Swagger UI. swagger-ui-express writes the source of these functions into the script of the page, so each
 * function must be self-contained.
 */

/** The parts of Swagger UI in the page; they do not exist on the server. */
declare const SwaggerUIBundle: { readonly plugins: { readonly DownloadUrl: unknown } };
declare const document: { querySelector(selector: string): { focus(): void } | null };

interface System {
  readonly React: {
    createElement(component: unknown, props: object): unknown;
    useEffect(effect: () => void, changed: readonly unknown[]): void;
  };
}

/**
 * Sets the focus of the Authorize dialog to its first field, the key in the header. Without this plugin each field
 * requests the focus and the last one gets it: the key in the query, which is for quick tests only. The list of plugins
 * replaces the default list, so it includes the plugin that loads the document.
 */
export function swaggerPlugins(): unknown[] {
  const focusFirst = {
    wrapComponents: {
      authorizationPopup:
        (Dialog: unknown, { React }: System) =>
        (props: object) => {
          React.useEffect(() => document.querySelector('.auth-container input')?.focus(), []);
          return React.createElement(Dialog, props);
        },
    },
  };
  return [SwaggerUIBundle.plugins.DownloadUrl, focusFirst];
}
