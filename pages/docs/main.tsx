/**
 * What documentation pages do in the browser: colours and a copy button for code, one language at a time, the place of the
 * reader in the contents, and the reader's key in the samples when asked. The pages are complete without it.
 */
import { CopyButton, Code, enteredKey, render, useEffect, useKey, useState, Choice, type VNode } from '../kit/frame.ts';

const languageName = 'social-data.language';
const optionsChanged = 'social-data:samples';
const languages = ['curl', 'TypeScript', 'Python'] as const;
type Language = (typeof languages)[number];

interface Options {
  readonly language: Language;
  readonly isClear: boolean;
}

function storedLanguage(): Language {
  try {
    const stored = localStorage.getItem(languageName);
    return languages.find((language) => language === stored) ?? 'curl';
  } catch {
    return 'curl';
  }
}

let options: Options = { language: storedLanguage(), isClear: false };

function change(next: Partial<Options>): void {
  options = { ...options, ...next };
  try {
    localStorage.setItem(languageName, options.language);
  } catch {
    // Without storage the choice holds for this page.
  }
  dispatchEvent(new Event(optionsChanged));
}

function useOptions(): Options {
  const [current, setCurrent] = useState(options);
  useEffect(() => {
    const update = (): void => setCurrent(options);
    addEventListener(optionsChanged, update);
    return () => removeEventListener(optionsChanged, update);
  }, []);
  return current;
}

const placeholders = /"\$API_KEY"|\$API_KEY|process\.env\.API_KEY|os\.environ\["API_KEY"\]|\bKEY\b/g;

/** A sample with the key of the reader in place of its placeholders. */
const withKey = (text: string, key: string): string =>
  text.replaceAll(placeholders, (found) => (/^(?:process|os)/.test(found) ? JSON.stringify(key) : key));

function Sample({ text, name }: { text: string; name: string }): VNode {
  const { isClear } = useOptions();
  const key = useKey();
  const shown = isClear && key !== '' ? withKey(text, key) : text;
  return (
    <div class="sample-box">
      <CopyButton text={() => shown} />
      <Code text={shown} name={name} />
    </div>
  );
}

function Controls(): VNode {
  const { language, isClear } = useOptions();
  const key = useKey();
  return (
    <div class="row sample-controls">
      <Choice name="Language" values={languages} value={language} choose={(next) => change({ language: next })} />
      {key !== '' && (
        <label class="check">
          <input type="checkbox" checked={isClear} onChange={() => change({ isClear: !isClear })} /> My key
        </label>
      )}
    </div>
  );
}

/** Puts a component in place of an element. */
function replace(element: Element, node: VNode): void {
  const place = document.createElement('div');
  place.id = element.id;
  element.replaceWith(place);
  render(node, place);
}

function drawSamples(): void {
  for (const sample of document.querySelectorAll('pre.sample')) {
    const name = sample.previousElementSibling?.textContent?.trim() ?? 'Sample';
    replace(sample, <Sample text={(sample.textContent ?? '').trimEnd()} name={`${name} (${sample.id})`} />);
  }
}

function showLanguage(): void {
  for (const place of document.querySelectorAll<HTMLElement>('[data-language]'))
    place.hidden = place.dataset['language'] !== options.language;
}

function drawControls(): void {
  for (const samples of document.querySelectorAll('.samples')) {
    const place = document.createElement('div');
    samples.prepend(place);
    render(<Controls />, place);
  }
  showLanguage();
  addEventListener(optionsChanged, showLanguage);
}

/** So much of the contents stays in view above and below the marked link. */
const aroundPx = 40;

/**
 * Scrolls the contents so that the link is in view. Only where they are a box that stays beside the text: elsewhere they are part
 * of the text, and only the reader moves them. `scrollIntoView` would move the page too.
 */
function showInBox(link: HTMLElement): void {
  const box = link.closest<HTMLElement>('.contents');
  if (box === null || getComputedStyle(box).position !== 'sticky') return;
  const [outer, inner] = [box.getBoundingClientRect(), link.getBoundingClientRect()];
  if (inner.top < outer.top + aroundPx) box.scrollTop -= outer.top + aroundPx - inner.top;
  else if (inner.bottom > outer.bottom - aroundPx) box.scrollTop += inner.bottom + aroundPx - outer.bottom;
}

/** Marks the section that the reader is at in the contents. */
function followReader(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('.contents a[href^="#"]')];
  const sections = links.flatMap((link) => document.getElementById(link.hash.slice(1)) ?? []);
  const mark = (): void => {
    const current = sections.findLast((section) => section.getBoundingClientRect().top < 140) ?? sections[0];
    for (const link of links) {
      const [isCurrent, was] = [link.hash === `#${current?.id}`, link.hasAttribute('aria-current')];
      if (!isCurrent) link.removeAttribute('aria-current');
      else if (!was) {
        link.setAttribute('aria-current', 'true');
        showInBox(link);
      }
    }
  };
  let isWaiting = false;
  const soon = (): void => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => {
      isWaiting = false;
      mark();
    });
  };
  const ofPage = document.querySelector<HTMLElement>('.contents [aria-current="page"]');
  if (ofPage !== null) showInBox(ofPage);
  addEventListener('scroll', soon, { passive: true });
  if (links.length > 0) mark();
}

/**
 * Goes to the place that the address names. The browser went there when the samples of the other languages, which are hidden now,
 * were still above it. A reader who comes back is where they were.
 */
function goToAddress(): void {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (entry?.type === 'navigate')
    document.getElementById(decodedHash())?.scrollIntoView({ block: 'start', behavior: 'instant' });
}

function decodedHash(): string {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return '';
  }
}

/** The script of the search over all pages, by an address that the bundler leaves alone. */
const finder = './find.js';

/** Opens the search by its button, Ctrl-K or ⌘K. What it needs is loaded then. */
function offerSearch(): void {
  const button = document.getElementById('find-open');
  if (button === null) return;
  const open = async (): Promise<void> => {
    const { openFind } = (await import(finder)) as typeof import('../find/main.tsx');
    openFind(new URL(button.dataset['indexSrc'] ?? '', location.href).href);
  };
  const isMac = /Mac|iP(?:hone|ad|od)/.test(navigator.platform);
  const keys = button.querySelector('kbd');
  if (isMac && keys !== null) keys.textContent = '⌘K';
  button.addEventListener('click', () => void open());
  addEventListener('keydown', (event) => {
    if (event.key.toLowerCase() !== 'k' || event.altKey || event.shiftKey || event.ctrlKey === event.metaKey) return;
    event.preventDefault();
    void open();
  });
}

/** An address of the time when all operations were on one page leads to the page of the operation. */
function followOperation(): boolean {
  const row = document.querySelector(`.of-sections tr[id="${CSS.escape(decodedHash())}"]`);
  const link = row?.querySelector<HTMLAnchorElement>('th a');
  if (link === null || link === undefined) return false;
  location.replace(link.href);
  return true;
}

offerSearch();
drawSamples();
drawControls();
if (!followOperation()) goToAddress();
followReader();
// The key may be there before the page is.
if (enteredKey() !== '') dispatchEvent(new Event(optionsChanged));
