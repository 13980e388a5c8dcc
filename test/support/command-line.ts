/** The command-line client in this process. */
import { run } from '../../client/cli/run.ts';

export interface CommandLine {
  readonly env: Readonly<Record<string, string>>;
  readonly home: string;
  readonly isTerminal?: boolean | undefined;
  /** The width of the terminal. Default 40. */
  readonly columns?: number | undefined;
  readonly input?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with each text on standard output. */
  readonly onWrite?: ((text: string) => void) | undefined;
}

/** Runs a command. Resolves with its exit code and what it printed. */
export async function runCommand(
  args: readonly string[],
  {
    env,
    home,
    isTerminal = false,
    columns = 40,
    input = '',
    signal = new AbortController().signal,
    onWrite,
  }: CommandLine,
): Promise<{ code: number; out: string; err: string }> {
  let out = '';
  let err = '';
  const code = await run(args, {
    write(content) {
      const text = typeof content === 'string' ? content : Buffer.from(content).toString('latin1');
      out += text;
      onWrite?.(text);
    },
    warn: (text) => void (err += `${text}\n`),
    env,
    isTerminal,
    columns,
    home,
    input: () => Promise.resolve(input),
    async *lines() {
      yield* input.split('\n');
    },
    signal,
  });
  return { code, out, err };
}
