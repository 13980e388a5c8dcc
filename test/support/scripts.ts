/** Programs of the repository, run in a folder to the end. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { compiledOf } from './copy.ts';

/** What a program said, and the code that it ended with; null where a signal ended it. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs a script of a copy of the repository, in it; resolves when it has ended, however it did. */
export async function runScript(cwd: string, script: string, ...parameters: string[]): Promise<Ended> {
  const env = { ...process.env, ...compiledOf(cwd), NO_COLOR: '1' };
  const child = spawn(process.execPath, [script, ...parameters], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (said.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (said.err += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...said };
}
