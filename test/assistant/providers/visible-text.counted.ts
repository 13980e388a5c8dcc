/** What `visible-text.test.ts` counts the work of. */
import { visibleText } from '../../../server/assistant/providers/openai/visible-text.ts';

/** The visible text of a model that sends these pieces. */
export function inPieces(pieces: readonly string[]): string[] {
  const visible = visibleText();
  return [...pieces.map((piece) => visible.push(piece)), visible.end()];
}
