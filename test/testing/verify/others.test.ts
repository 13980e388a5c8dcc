/** The checks of verify that belong to no operation: the pages that the contract refers to, and the event stream. */
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { WebSocket, WebSocketServer } from 'ws';
import { readContract } from '../../../scripts/testing/verify/contract.ts';
import { checkDocuments, linkedPages } from '../../../scripts/testing/verify/documents.ts';
import { checkEvents } from '../../../scripts/testing/verify/events.ts';
import type { Session } from '../../../scripts/testing/verify/probes.ts';
import { Sender } from '../../../scripts/testing/verify/send.ts';
import { createFindViolations } from '../../../scripts/testing/verify/violations.ts';
import { startStream, type Stream } from '../../support/stream.ts';
import { key } from '../../support/service.ts';

const generated = (name: string): string =>
  readFileSync(new URL(`../../../generated/${name}.json`, import.meta.url), 'utf8');
const contract = readContract(JSON.parse(generated('openapi')));

/** What changes between the real event stream and the caller. */
interface Lie {
  readonly message?: (message: Record<string, unknown>) => Record<string, unknown> | undefined;
  readonly closeCode?: (code: number) => number;
}
let stream: Stream;
let server: Server;
let base: string;
let lie: Lie = {};
let failingPage: string | undefined;

/** Relays /ws to the real stream; serves the protocol and the pages itself. */
beforeAll(async () => {
  stream = await startStream();
  const sockets = new WebSocketServer({ noServer: true });
  server = createServer((request, response) => {
    if (request.url === '/asyncapi.json') response.end(generated('asyncapi'));
    else response.writeHead(request.url === failingPage ? 500 : 200).end();
  });
  server.on('upgrade', (request, socket, head) => {
    sockets.handleUpgrade(request, socket, head, (client) => {
      const { 'x-api-key': given } = request.headers;
      const upstream = new WebSocket(`${stream.url.replace('http', 'ws')}${request.url}`, {
        headers: typeof given === 'string' ? { 'x-api-key': given } : {},
      });
      const waiting: [Buffer, boolean][] = [];
      const forward = (data: Buffer, isBinary: boolean): void => upstream.send(data, { binary: isBinary });
      client.on('message', (data, isBinary) => {
        if (upstream.readyState === WebSocket.OPEN) forward(data as Buffer, isBinary);
        else waiting.push([data as Buffer, isBinary]);
      });
      upstream.on('open', () => waiting.forEach((each) => forward(...each)));
      upstream.on('message', (data) => {
        const message = JSON.parse(String(data)) as Record<string, unknown>;
        const changed = lie.message === undefined ? message : lie.message(message);
        if (changed !== undefined) client.send(JSON.stringify(changed));
      });
      upstream.on('close', (code) => client.close(lie.closeCode?.(code) ?? code));
      client.on('close', () => upstream.terminate());
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await stream.stop();
});
afterEach(() => {
  lie = {};
  failingPage = undefined;
});

async function withSession<Result>(use: (session: Session) => Promise<Result>): Promise<Result> {
  const { signal } = new AbortController();
  const sender = new Sender({ base, key, timeoutMs: 5_000, concurrency: 1, signal });
  const session = { contract, sender, findViolations: createFindViolations(contract.document) } as unknown as Session;
  return use(session).finally(() => sender.close());
}

describe('the pages', () => {
  test('are those that the texts of the contract link to', () => {
    expect(linkedPages(contract.document)).toEqual(expect.arrayContaining(['/docs/search', '/docs/events', '/live']));
  });
  test('a page that answers 500 is found', async () => {
    expect(await withSession(checkDocuments)).toEqual([]);
    failingPage = '/docs/search';
    expect(await withSession(checkDocuments)).toMatchObject([
      { check: 'documents', actual: '500', expected: expect.stringContaining('/docs/search') },
    ]);
  });
});

describe('the event stream', () => {
  const failures = (timeoutMs = 5_000) =>
    withSession((session) => checkEvents(session, { base, key, timeoutMs })).then((found) =>
      found.map(({ expected, actual }) => `${expected} | ${actual}`),
    );
  test('that conforms to the protocol has no failure', async () => expect(await failures()).toEqual([]));

  const when = (type: string, change: (message: Record<string, unknown>) => object | undefined): Lie => ({
    message: (message) => (message['type'] === type ? (change(message) as Record<string, unknown>) : message),
  });
  test.each<[string, Lie, RegExp]>([
    ['a message with an unknown member', when('pong', (message) => ({ ...message, extra: 1 })), /valid by .*"extra":1/],
    ['a message without a member', when('connected', ({ cursor: _, ...rest }) => rest), /valid by .*connected/],
    [
      'an answer to another command',
      when('pong', (message) => ({ ...message, id: 'other' })),
      /^pong in answer to ping \| no answer/,
    ],
    ['no answer', when('unsubscribed', () => undefined), /^unsubscribed in answer to unsubscribe \| no answer/],
    [
      'a wrong error code',
      when('error', (message) => ({ ...message, code: 'internal' })),
      /^unknown_subscription .* internal/m,
    ],
    [
      'a subscription without a cursor',
      when('subscribed', (message) => ({ ...message, cursor: null })),
      /^subscribed, with a cursor/,
    ],
    [
      'a subscription to another channel',
      when('subscribed', (message) => ({ ...message, channel: 'assistant:pool' })),
      /^the channel .* \| assistant:pool/,
    ],
    [
      'a cursor that is accepted though it is in the future',
      when('error', (message) =>
        message['code'] === 'cursor_in_future' ? { type: 'subscribed', id: message['id'] } : message,
      ),
      /^cursor_in_future /,
    ],
    ['another close code', { closeCode: (code) => (code === 4001 ? 4005 : code) }, /^close code 4001 after .* \| 4005/],
    [
      'a wrong parameter that is closed as a wrong key',
      { closeCode: (code) => (code === 4004 ? 4001 : code) },
      /^close code 4004 after .* \| 4001/,
    ],
  ])('%s is found', async (_name, planted, expected) => {
    lie = planted;
    expect((await failures(1_000)).join('\n')).toMatch(new RegExp(expected.source, 'm'));
  });
});
