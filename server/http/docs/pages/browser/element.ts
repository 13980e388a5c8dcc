/** Helpers for the elements of the page. */

/** Returns the element with this id. */
export const part = <Kind extends HTMLElement>(id: string): Kind => document.getElementById(id) as Kind;

/** Creates an element. Its children are nodes and strings, never HTML, so no text can become markup. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
  children: readonly (Node | string)[] = [],
): HTMLElementTagNameMap[Name] {
  const created = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, value);
  created.append(...children);
  return created;
}
