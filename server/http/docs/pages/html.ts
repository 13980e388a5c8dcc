/** HTML as template literals: what is put in is escaped, unless it is HTML already. */
import { escapeUTF8 } from 'entities';

export interface Html {
  readonly html: string;
}
export type Content = string | number | Html | readonly Content[];

const written = (content: Content): string => {
  if (typeof content === 'string' || typeof content === 'number') return escapeUTF8(String(content));
  return 'html' in content ? content.html : content.map(written).join('');
};

/** Tags a template as HTML. */
export const html = (strings: TemplateStringsArray, ...contents: readonly Content[]): Html => ({
  html: String.raw({ raw: strings }, ...contents.map(written)),
});
