/**
 * What Swagger UI is told beside its options, as functions: swagger-ui-express writes their text into the script of the page, so each has
 * to stand alone.
 */

/** What Swagger UI has in the page; nothing of it exists on the server. */
declare const SwaggerUIBundle: { readonly plugins: { readonly DownloadUrl: unknown } };
declare const document: { querySelector(selector: string): { focus(): void } | null };

interface System {
  readonly React: {
    createElement(component: unknown, props: object): unknown;
    useEffect(effect: () => void, changed: readonly unknown[]): void;
  };
}

/**
 * Every field of the dialog Authorize asks for the focus, so that the last one has it: the key in the query, which is for quick tests
 * only. This gives the focus to the first, the header. The plugin that loads the document stands in for the list that this replaces.
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
