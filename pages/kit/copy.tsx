/** Texts that a reader copies. */
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** A button that copies a text. It is left out where the browser has no clipboard: over plain HTTP on another host. */
export function CopyButton({ text, name = 'Copy' }: { text: () => string; name?: string }): VNode | null {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);
  if (!isSecureContext) return null;
  const copy = (): void => void navigator.clipboard.writeText(text()).then(() => setCopied(true));
  return (
    <button type="button" class="small" onClick={copy}>
      <span aria-live="polite">{copied ? 'Copied' : name}</span>
    </button>
  );
}

const token =
  /("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`[^`]*`)|(#[^\n]*|\/\/[^\n]*)|\b(-?\d+(?:\.\d+)?|true|false|null)\b|\b(import|from|const|for|await|of|async|new|return|print|if)\b/g;
const classes = ['string', 'remark', 'number', 'word'] as const;

/** Code with colours for strings, comments, numbers and keywords: enough for samples in JSON, shell, TypeScript and Python. */
export function Code({ text, name }: { text: string; name: string }): VNode {
  const parts: (VNode | string)[] = [];
  let at = 0;
  for (const match of text.matchAll(token)) {
    const place = match.slice(1).findIndex((group) => group !== undefined);
    parts.push(text.slice(at, match.index), <span class={`code-${classes[place] ?? 'word'}`}>{match[0]}</span>);
    at = match.index + match[0].length;
  }
  return (
    <pre class="code" tabIndex={0} role="region" aria-label={name}>
      <code>
        {parts}
        {text.slice(at)}
      </code>
    </pre>
  );
}
