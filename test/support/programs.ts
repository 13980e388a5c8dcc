/** Programs of the machine that some tests run: where one is missing, its tests are skipped, and say so. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { test } from '@jest/globals';

/** Whether a program is installed. */
export const has = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

/** A test of programs; skipped, with their names in its title, where one of them is not installed. */
export function testWith(programs: readonly string[], name: string, body: () => Promise<void>, ms?: number): void {
  const missing = programs.filter((program) => !has(program));
  if (missing.length === 0) test(name, body, ms);
  else test.skip(`${name} (${missing.join(', ')} not installed)`, body);
}

/** `test` where a condition holds. Elsewhere the tests are skipped, with the reason in the title. */
export function testIf(holds: boolean, reason: string): (name: string, body: () => Promise<void>, ms?: number) => void {
  return (name, body, ms) => (holds ? test(name, body, ms) : test.skip(`${name} (${reason})`, body, ms));
}

/** Runs a program to its end; what it wrote to both outputs, and its exit code. */
export async function runProgram(
  program: string,
  args: readonly string[],
  input = '',
  env: Record<string, string> = {},
): Promise<{ code: number | null; output: string }> {
  const child = spawn(program, args, { stdio: 'pipe', env: { ...process.env, ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => void (output += text));
  child.stdin.on('error', () => {}).end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}
