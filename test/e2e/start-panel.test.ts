/** What `npm start` shows the person who started it. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { bundledProgram } from '../support/bundled-service.ts';
import { has, testWith } from '../support/programs.ts';
import { startServer, temporaryFolder } from '../support/server.ts';
import { startPanel } from '../../server/process/start-panel.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => void (folder = await temporaryFolder()));
afterAll(() => folder.dispose());

const root = new URL('../../', import.meta.url).pathname;
const shell = promisify(execFile);

test('the first start ends with a panel whose call works as it is pasted; the next one counts the keys', async () => {
  const dataDir = join(folder.path, 'data');
  const first = await startServer(dataDir, { DEMO: '0' });
  const panel = first.output();
  expect(panel).toMatch(/^ {2}open +http:\/\/127\.0\.0\.1:\d+$/m);
  const key = /^ {2}API key +(sd_\S+) /m.exec(panel)?.[1];
  const call = /^ {2}try +(curl .+)$/m.exec(panel)?.[1] ?? '';
  expect(call).toContain(`'x-api-key: ${key}'`);
  if (has('curl')) {
    const { stdout } = await shell('sh', ['-c', `${call.replace('curl ', 'curl -s ')}`]);
    expect(JSON.parse(stdout)).toMatchObject({ tweets: [] });
  }
  // The replay needs the sample, which this archive does not have.
  expect(panel).not.toContain('--replay');
  expect(await first.end()).toBe(0);

  const second = await startServer(dataDir, { DEMO: '0', API_KEYS: 'a-configured-key' });
  expect(second.output()).toMatch(
    /^ {2}API keys +2 stored, 1 in API_KEYS; to create one: npm run keys -- create --name NAME$/m,
  );
  expect(second.output()).not.toContain('sd_');
  expect(await second.end()).toBe(0);
});

testWith(['script'], 'on a terminal the log is one readable line for each record', async () => {
  const dataDir = join(folder.path, 'terminal');
  const env = { DATA_DIR: dataDir, PORT: '0', DEMO: '0', LOG_LEVEL: 'info', NO_COLOR: '1', TOKEN_RESOLVER: 'off' };
  const program = (await bundledProgram('server/main.ts', '')) ?? 'server/main.ts';
  const terminal = spawn('script', ['-qec', `${process.execPath} ${program}`, '/dev/null'], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  terminal.stdout.setEncoding('utf8').on('data', (more: string) => void (text += more));
  const closed = once(terminal, 'close');
  while (!text.includes(' live ')) await Promise.race([once(terminal.stdout, 'data'), closed]);
  await fetch(`${/listening on (\S+)/.exec(text)?.[1]}/social/space/detail?id=1`);
  process.kill(Number(await readFile(join(dataDir, 'lock'), 'utf8')));
  expect((await closed)[0]).toBe(0);
  const lines = text.split('\r\n');
  expect(lines).toContainEqual(
    expect.stringMatching(/^\[[\d:]+\] INFO: GET \/social\/space\/detail 401 in [\d.]+ ms /),
  );
  expect(lines).toContainEqual(expect.stringMatching(/^\[[\d:]+\] INFO: stopping /));
});

test('shows an address that a browser can open', () => {
  const facts = { firstKey: 'sd_k', operatorKey: undefined, keys: { stored: 1, configured: 0 }, suggestsReplay: true };
  expect(startPanel({ ...facts, url: 'http://0.0.0.0:3000' })).toMatch(/^ {2}open +http:\/\/127\.0\.0\.1:3000$/m);
  const panel = startPanel({ ...facts, url: 'http://[::]:3000' });
  expect(panel).toMatch(/^listening on http:\/\/\[::\]:3000$/m);
  expect(panel).toContain("curl -g -H 'x-api-key: sd_k' 'http://[::1]:3000/social/");
  expect(panel).toContain('--replay');
  expect(startPanel({ ...facts, suggestsReplay: false, url: 'http://[::]:3000' })).not.toContain('--replay');
});
