/** The elements of the page. */

/** The element of the page that has this id. */
export const part = <Kind extends HTMLElement>(id: string): Kind => document.getElementById(id) as Kind;

/** Makes an element. Its children are nodes and texts, never HTML: nothing that is shown can become markup. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
  children: readonly (Node | string)[] = [],
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}
