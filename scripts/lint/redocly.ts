/** The faults that Redocly's rules find (spec/redocly.yaml says which), with what mends them. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Fault } from './fault.ts';

type Problem = {
  readonly ruleId: string;
  readonly message: string;
  readonly suggest?: readonly string[];
  readonly location: readonly [
    { readonly source: { readonly ref: string }; readonly start: { readonly line: number; readonly col: number } },
  ];
};

const mends: Readonly<Record<string, string>> = {
  'no-unresolved-refs': 'correct the name, or add the component.',
  'operation-operationId-unique':
    'give one of the two operations another operationId: it names the handler and the function of the client.',
  'no-invalid-media-type-examples': 'correct the example; if the example is right, the schema is wrong.',
  'no-invalid-parameter-examples': 'correct the example; if the example is right, the schema is wrong.',
  'no-invalid-schema-examples': 'correct the example; if the example is right, the schema is wrong.',
  'no-required-schema-properties-undefined': 'name it under properties too, or correct the name under required.',
  'operation-operationId': 'name the operation: its handler and the function of the client are called so.',
  'operation-summary': 'say in a few words what the operation does.',
  'operation-4xx-response': 'list the errors that callers may meet.',
  struct: 'compare with a neighbour of the same kind.',
};

const cli = new URL('../../node_modules/@redocly/cli/bin/cli.js', import.meta.url).pathname;

/** Lints one file; paths are relative to `folder`. Throws an Error when the lint itself fails. */
export async function redoclyFaults(folder: string, file: string, config: string): Promise<Fault[]> {
  const parameters = [cli, 'lint', file, '--config', config, '--format', 'json', '--max-problems', '1000'];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, parameters, { cwd: folder, maxBuffer: 64 << 20 }).catch(
    // It exits with 1 when it has found something.
    (error: Error & { stdout?: string; stderr?: string }) => ({
      stdout: error.stdout ?? '',
      stderr: error.stderr ?? error.message,
    }),
  );
  let problems: readonly Problem[];
  try {
    ({ problems } = JSON.parse(stdout) as { problems: readonly Problem[] });
  } catch {
    throw new Error(`the lint failed: ${stderr || stdout}`);
  }
  return problems.map(({ ruleId, message, suggest, location: [{ source, start }] }): Fault => {
    const meant = suggest?.length ? `did you mean ${suggest.join(' or ')}?` : mends[ruleId];
    return { file: source.ref, line: start.line, column: start.col, rule: ruleId, message, ...(meant && { mend: meant }) };
  });
}
