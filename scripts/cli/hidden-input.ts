/** Reads a secret from a terminal. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

/** Reads one line from standard input without echo. `what` names it in the prompt. The end of the input is an empty text. */
export function readHidden(what: string): Promise<string> {
  process.stderr.write(`${what} (it is not shown): `);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  return new Promise((resolve) => {
    lines.once('line', (line) => {
      resolve(line);
      lines.close();
    });
    lines.once('close', () => {
      process.stderr.write('\n');
      resolve('');
    });
  });
}
