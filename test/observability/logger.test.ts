import { expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openLog } from '../../server/observability/logger.ts';

/** The file descriptor of a stream of a child. */
const descriptor = (stream: unknown): number => (stream as { _handle: { fd: number } })._handle.fd;

test('buffers a bounded number of lines for a blocked output, and reports the number of dropped lines', async () => {
  // Reads nothing until the test resumes it.
  const reader = spawn('cat', [], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(reader, 'spawn');
  reader.kill('SIGSTOP');
  const log = openLog('info', { fd: descriptor(reader.stdin), maxChars: 64 * 1024 });
  for (let n = 0; n < 20_000; n++) log.info({ n }, 'a line of the log');
  reader.kill('SIGCONT');
  const lines: { n?: number; lines?: number }[] = [];
  let rest = '';
  for await (const chunk of reader.stdout.setEncoding('utf8') as AsyncIterable<string>) {
    const read = (rest + chunk).split('\n');
    rest = read.pop()!;
    lines.push(...read.map((line) => JSON.parse(line) as { n?: number; lines?: number }));
    if (lines.at(-1)?.lines !== undefined) break;
  }
  const retained = lines.filter(({ n }) => n !== undefined).length;
  expect(retained).toBeLessThan(3_000);
  expect(lines.at(-1)!.lines).toBe(20_000 - retained);
  // What is there is in order and whole.
  expect(lines.slice(0, -1).map(({ n }) => n)).toEqual(Array.from({ length: retained }, (_, n) => n));
  reader.kill();
  await once(reader, 'close');
});
