/** Starts a page. */
import { render, type ComponentType } from 'preact';

/** Draws the page into its place. The title of the document follows the page. */
export function mount(Page: ComponentType): void {
  const place = document.getElementById('app');
  if (place === null) return;
  place.replaceChildren();
  render(<Page />, place);
}

/** The name of the service, as the title of the page ends. */
const service = document.title.split(' · ').at(-1) ?? '';

/** Sets the title of the document. */
export const setTitle = (title: string): void => void (document.title = `${title} · ${service}`);
