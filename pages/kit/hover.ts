/**
 * Shows a card of a user beside a link to the profile: after the pointer has rested on the link for a moment, or at once when the keyboard
 * reaches it. Fingers open the profile. The script of the card is loaded when the first one is wanted.
 */

/** The attribute of links that have a card, with the username. */
export const cardAttribute = 'data-user';

const selector = `a[${cardAttribute}]`;
/** How long a pointer rests before the card appears, in milliseconds: who only crosses a list sees none, and causes no request. */
const restMs = 450;
/** The keyboard also crosses links on its way. */
const focusMs = 250;

/** Shows the card of a user beside the link. */
export type ShowPerson = (link: HTMLAnchorElement, username: string) => void;

/** The script beside this one, by an address that the bundler leaves alone. */
const script = './person.js';

let timer: ReturnType<typeof setTimeout> | undefined;
let current: Element | undefined;

const linkAt = (target: EventTarget | null): HTMLAnchorElement | undefined =>
  (target instanceof Element ? target.closest<HTMLAnchorElement>(selector) : undefined) ?? undefined;

function want(link: HTMLAnchorElement | undefined, ms: number, isStill: (link: Element) => boolean): void {
  if (link === current) return;
  clearTimeout(timer);
  current = link;
  if (link === undefined) return;
  timer = setTimeout(() => {
    void (import(script) as Promise<{ showPerson: ShowPerson }>).then(({ showPerson }) => {
      if (current === link && link.isConnected && isStill(link))
        showPerson(link, link.getAttribute(cardAttribute) ?? '');
    });
  }, ms);
}

const leave = (): void => want(undefined, 0, () => false);

document.addEventListener('pointerover', ({ target, pointerType }) => {
  if (pointerType !== 'touch') want(linkAt(target), restMs, (link) => link.matches(':hover'));
});
document.addEventListener('focusin', ({ target }) => {
  const link = linkAt(target);
  if (link?.matches(':focus-visible') === true) want(link, focusMs, (each) => each === document.activeElement);
});
document.addEventListener('focusout', leave);
document.addEventListener('pointerdown', leave);
