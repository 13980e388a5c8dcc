/** The command-line client against a real server: events and questions. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createClient } from '../../client/src/index.ts';
import { runCommand, type CommandLine } from '../support/command-line.ts';
import { startLocalServer, temporaryFolder, type LocalServer } from '../support/local-server.ts';

const key = 'a-key-of-the-command-line';
const tweet = '1890000000000000001';
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: LocalServer;
beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startLocalServer(`${folder.path}/data`, { API_KEYS: key });
});
afterAll(async () => {
  await server?.end();
  await folder?.dispose();
});

const call = (line: string, options: Partial<CommandLine> = {}): ReturnType<typeof runCommand> =>
  runCommand(line.split(' '), {
    env: { SOCIAL_DATA_BASE_URL: server.url, SOCIAL_DATA_API_KEY: key },
    home: folder.path,
    ...options,
  });

describe('social-data events', () => {
  test('prints the events after a cursor, and the cursor to continue with', async () => {
    const client = createClient({ baseUrl: server.url, apiKey: key });
    const { response } = await client.space.detail({ id: '1vSampleSpace1' }).withResponse();
    const before = response.headers.get('x-event-cursor');
    const unliked = await call(`tweet unlike --tweet-id ${tweet}`);
    expect([unliked.code, JSON.parse(unliked.out)]).toEqual([0, { success: true }]);
    const { code, out, err } = await call(`events --engagement ${tweet} --cursor=${before} --max 1`);
    expect([code, err]).toEqual([0, expect.stringContaining('continue with --cursor=')]);
    const event = JSON.parse(out) as { event: string; cursor: string };
    expect([event.event, err]).toEqual(['tweet.engagement', `continue with --cursor=${event.cursor}\n`]);
  });

  test('accepts a cursor that begins with a hyphen in the form that it prints', async () => {
    expect(await call(`events --search coffee --cursor=-UN3sJ7X.3884`)).toMatchObject({
      code: 1,
      err: expect.stringContaining('another event log'),
    });
  });

  test('ends with Ctrl-C, on a terminal with a line for each event', async () => {
    const controller = new AbortController();
    const { code, out } = await call('events --pool', {
      isTerminal: true,
      signal: controller.signal,
      onWrite: () => controller.abort(),
    });
    expect(code).toBe(0);
    expect(out).toMatch(/^pool\.status {2}\{"/);
    expect(out.length).toBeLessThanOrEqual(41);
  });

  test('says why a stream cannot start', async () => {
    expect(await call('events --search from:')).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('from:'),
    });
  });
});

describe('social-data ask', () => {
  test('prints the answer as JSON in a pipe, and continues a conversation', async () => {
    const { code, out } = await call(`ask ${tweet}`);
    const answer = JSON.parse(out) as { summary: string; conversation_id: string };
    expect([code, answer.summary]).toEqual([0, expect.stringMatching(/\w{3}/)]);
    const next = await call(`ask --conversation ${answer.conversation_id} Is that a lot?`);
    expect([next.code, JSON.parse(next.out)]).toEqual([
      0,
      expect.objectContaining({ conversation_id: answer.conversation_id }),
    ]);
  });

  test('prints the parts of the answer on a terminal, and how to continue', async () => {
    const { code, out, err } = await call(`ask ${tweet} Who wrote it?`, { isTerminal: true });
    expect(code).toBe(0);
    expect(out).toMatch(/\w{3}/);
    expect(() => JSON.parse(out) as unknown).toThrow(SyntaxError);
    expect(err).toMatch(
      /^answered by local, local-extractive-2\ncontinue with: social-data ask --conversation \S+ 'QUESTION'\n$/,
    );
  });

  test('ends with 1 for a tweet that does not exist', async () => {
    expect(await call('ask 1')).toMatchObject({ code: 1, out: '', err: expect.stringContaining('not found') });
  });
});
