/** HTML as template literals: interpolated values are escaped unless they are HTML already. */
import { escapeUTF8 } from 'entities';

export interface Html {
  readonly html: string;
}
export type Content = string | number | Html | readonly Content[];

const written = (content: Content): string => {
  if (typeof content === 'string' || typeof content === 'number') return escapeUTF8(String(content));
  return 'html' in content ? content.html : content.map(written).join('');
};

/** The template tag for HTML. */
export const html = (strings: TemplateStringsArray, ...contents: readonly Content[]): Html => ({
  html: String.raw({ raw: strings }, ...contents.map(written)),
});
