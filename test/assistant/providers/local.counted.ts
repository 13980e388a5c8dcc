/** What `local.test.ts` counts the work of. */
import { localProvider } from '../../../server/assistant/providers/local.ts';
import { question, subject } from './subjects.ts';

const provider = localProvider();

/** An explanation of a tweet of this length, which repeats a piece of text. */
export function explainRepeated(piece: string, length: number): Promise<unknown> {
  const about = subject(piece.repeat(Math.ceil(length / piece.length)).slice(0, length));
  const asked = question(about, { suggest: 'ticker', extract: true, prompt: 'What about A?' });
  return provider.ask({ id: 'local-1' }, asked, { signal: new AbortController().signal, questions: 2 });
}
