#!/usr/bin/env node
/** The program `social-data`. */
import { homedir } from 'node:os';
import { createInterface } from 'node:readline';
import { run } from './run.ts';

const controller = new AbortController();
process.once('SIGINT', () => controller.abort());
process.once('SIGTERM', () => controller.abort());
// `head` and other programs close the pipe early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

process.exitCode = await run(process.argv.slice(2), {
  write: (content) => void process.stdout.write(content),
  warn: (line) => console.error(line),
  env: process.env,
  isTerminal: process.stdout.isTTY,
  columns: process.stdout.columns ?? 80,
  home: homedir(),
  async input() {
    const chunks: Buffer[] = [];
    for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk as Buffer));
    return Buffer.concat(chunks).toString();
  },
  lines: () => createInterface({ input: process.stdin, crlfDelay: Infinity, signal: controller.signal }),
  signal: controller.signal,
});
