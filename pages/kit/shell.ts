/** The frame of every page: the menu of a phone, the search box, the colours, and the key of the tab. The HTML is in `docs/pages/shell.ts`. */
import { enteredKey, isRemembered, keyChanged, keyName, keyWanted, storeKey } from './key.ts';
import { root } from './root.ts';

const find = <Kind extends HTMLElement>(id: string): Kind | null => document.getElementById(id) as Kind | null;

function menu(): void {
  const button = find<HTMLButtonElement>('menu');
  const places = find('places');
  if (button === null || places === null) return;
  const open = (isOpen: boolean): void => {
    button.setAttribute('aria-expanded', String(isOpen));
    places.classList.toggle('open', isOpen);
  };
  button.addEventListener('click', () => open(button.getAttribute('aria-expanded') !== 'true'));
  addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || button.getAttribute('aria-expanded') !== 'true') return;
    open(false);
    button.focus();
  });
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Node && !button.contains(target) && !places.contains(target)) open(false);
  });
}

/** Whether a key that is pressed here is typed into something. */
const takesText = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));

/** The search box: `/` goes there from anywhere, and Escape back. On the page of a search it has the query. */
function search(): void {
  const box = find<HTMLInputElement>('site-search');
  const form = find('search-form');
  if (box === null || form === null) return;
  const parameters = new URLSearchParams(location.search);
  const isSearch = location.pathname === new URL('explore', root).pathname;
  const shown = isSearch ? (parameters.get('q') ?? '').trim() : '';
  let before: Element | null = null;
  box.value = shown;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const order = isSearch ? parameters.get('order') : null;
    const next = new URLSearchParams({ q: box.value.trim(), ...(order === null ? {} : { order }) });
    location.assign(`${root}explore?${next}`);
  });
  box.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.isComposing) return;
    event.preventDefault();
    box.value = shown;
    if (before instanceof HTMLElement && before !== document.body) before.focus();
    else box.blur();
  });
  addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, defaultPrevented, target } = event;
    if (key !== '/' || ctrlKey || metaKey || altKey || defaultPrevented || takesText(target)) return;
    if (document.querySelector('dialog[open]') !== null) return;
    event.preventDefault();
    before = document.activeElement;
    box.focus();
    box.select();
  });
}

const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];
const themeName = 'social-data.theme';
const themeTexts: Readonly<Record<Theme, string>> = {
  system: 'Colours: as the system',
  light: 'Colours: light',
  dark: 'Colours: dark',
};

function colours(): void {
  const button = find('theme');
  if (button === null) return;
  const current = (): Theme => themes.find((theme) => theme === document.documentElement.dataset['theme']) ?? 'system';
  const show = (): void => {
    button.setAttribute('aria-label', themeTexts[current()]);
    button.title = themeTexts[current()];
  };
  button.addEventListener('click', () => {
    const next = themes[(themes.indexOf(current()) + 1) % themes.length] ?? 'system';
    if (next === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = next;
    try {
      localStorage.setItem(themeName, next);
    } catch {
      // Without storage the choice holds for this page.
    }
    show();
  });
  show();
}

/** Whether a key opens the operator's interface. It is asked of keys that may not do what the pages do. */
const isOfOperator = (key: string): Promise<boolean> =>
  fetch(`${root}operate/api/openapi.json`, { headers: { 'x-api-key': key } }).then(
    ({ ok }) => ok,
    () => false,
  );

/**
 * Why a key cannot be used, by the answer of a path; undefined when the service accepts it. A key without the scope of this request
 * is accepted, but not that of an operator.
 */
async function faultOf(key: string, path: string): Promise<string | undefined> {
  if (path === '') return undefined;
  try {
    const { status } = await fetch(`${root}${path}`, { headers: { 'x-api-key': key } });
    if (status === 401) return 'The service does not know this key. It may be mistyped, revoked or expired.';
    if (status === 403 && (await isOfOperator(key)))
      return 'This is the key of an operator: it opens the page Operate, and reads no data. Enter a key for data; Operate can make one.';
    if (status === 429) return 'Too many attempts. Wait a minute, then try again.';
    return undefined;
  } catch (error) {
    // A header cannot hold the characters of this text.
    if (error instanceof TypeError && /[^\u0020-\u007e]/.test(key)) return 'A key has letters, digits, _ and - only.';
    return 'The service does not answer. It may be starting, or the network may be down.';
  }
}

class KeyDialog {
  readonly #dialog: HTMLDialogElement;
  readonly #box: HTMLInputElement;

  constructor(dialog: HTMLDialogElement, box: HTMLInputElement) {
    this.#dialog = dialog;
    this.#box = box;
    find('key-open')?.addEventListener('click', () => this.open(''));
    find('key-close')?.addEventListener('click', () => dialog.close());
    find('key-remove')?.addEventListener('click', () => this.#finish(''));
    find('key-form')?.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#submit();
    });
    box.addEventListener('input', () => this.#complain(''));
    addEventListener(keyWanted, (event) => this.open((event as CustomEvent<string>).detail));
    addEventListener(keyChanged, () => this.#showState());
    // Another tab has stored or removed the key.
    addEventListener('storage', ({ key }) => void (key === keyName && dispatchEvent(new Event(keyChanged))));
    this.#showState();
  }

  open(reason: string): void {
    this.#complain(reason);
    this.#box.value = enteredKey();
    const remember = find<HTMLInputElement>('key-remember');
    if (remember !== null) remember.checked = isRemembered();
    const remove = find('key-remove');
    if (remove !== null) remove.hidden = enteredKey() === '';
    if (!this.#dialog.open) this.#dialog.showModal();
    this.#box.focus();
    this.#box.select();
  }

  async #submit(): Promise<void> {
    const key = this.#box.value.trim();
    if (key === '') return this.#complain('Type or paste the key.');
    const fault = await faultOf(key, this.#dialog.dataset['check'] ?? '');
    if (fault !== undefined) return this.#complain(fault);
    this.#finish(key);
  }

  #finish(key: string): void {
    this.#dialog.close();
    storeKey(key, find<HTMLInputElement>('key-remember')?.checked ?? false);
  }

  #complain(reason: string): void {
    const place = find('key-reason');
    if (place !== null) place.textContent = reason;
    this.#box.setAttribute('aria-invalid', String(reason !== ''));
  }

  /** The button shows the public part of the key, or asks for one. */
  #showState(): void {
    const state = find('key-state');
    const key = enteredKey();
    if (state !== null) state.textContent = key === '' ? 'Add key' : (/^sd_[^_]+/.exec(key)?.[0] ?? 'Key is set');
    find('key-open')?.classList.toggle('set', key !== '');
  }
}

menu();
search();
colours();
const dialog = find<HTMLDialogElement>('key-dialog');
const box = find<HTMLInputElement>('key');
if (dialog !== null && box !== null) new KeyDialog(dialog, box);
