/** Asks the operator to confirm what cannot be undone. */
import { createInterface } from 'node:readline';

/** Asks for a word; true for exactly this word. The end of the input, as by Ctrl-D, is no confirmation. */
export function confirm(word: string, input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Promise<boolean> {
  const lines = createInterface({ input, output });
  output.write(`Type "${word}" to go on: `);
  return new Promise((resolve) => {
    lines.once('line', (line) => {
      resolve(line.trim() === word);
      lines.close();
    });
    lines.once('close', () => resolve(false));
  });
}
