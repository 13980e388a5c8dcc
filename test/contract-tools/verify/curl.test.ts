/** A line for curl sends what was sent without it. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readContract } from '../../../scripts/contract-tools/verify/contract.ts';
import { withHeader, type Call } from '../../../scripts/contract-tools/verify/call.ts';
import { curlOf } from '../../../scripts/contract-tools/verify/curl.ts';
import { createKnownValues } from '../../../scripts/contract-tools/verify/known-values.ts';
import { Sender } from '../../../scripts/contract-tools/verify/send.ts';
import {
  bodyCalls,
  keyCalls,
  methodCalls,
  pathCalls,
  queryCalls,
} from '../../../scripts/contract-tools/verify/systematic.ts';

const contract = readContract(
  JSON.parse(readFileSync(new URL('../../../generated/openapi.json', import.meta.url), 'utf8')),
);
const source = { contract, known: createKnownValues(contract, new Map()), write: true };
const operation = (id: string) => contract.operations.find((each) => each.id === id)!;
const key = 'sd_key';

let server: Server;
let base: string;
let received: unknown[] = [];
beforeAll(async () => {
  server = createServer({ maxHeaderSize: 1 << 20 }, (request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .once('end', () => {
        const own = Object.entries(request.headersDistinct).filter(
          ([name]) => !['accept', 'user-agent', 'connection', 'expect', 'content-length', 'host'].includes(name),
        );
        received.push({
          method: request.method,
          target: request.url,
          headers: Object.fromEntries(own),
          body: Buffer.concat(chunks).toString('latin1'),
        });
        response.end();
      });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const space = operation('getSpace');
const unlike = operation('unlikeTweet');
const some = (calls: readonly Call[], most: number): Call[] =>
  calls.filter((_, index) => index % Math.ceil(calls.length / most) === 0);
const calls: Call[] = [
  ...some(queryCalls(source, space, 1), 20),
  ...some(keyCalls(source, space), 8),
  ...some(methodCalls(source, space), 4),
  ...some(pathCalls(source, space), 12),
  ...some(
    bodyCalls(source, unlike, 1).filter(({ body = '' }) => body.length < 100_000),
    30,
  ),
  withHeader({ ...some(keyCalls(source, space), 1)[0]!, method: 'HEAD' }, 'if-none-match', `W/"it's \\"`),
];
const possible = existsSync('/usr/bin/curl') && existsSync('/bin/bash') ? test : test.skip;

possible(`${calls.length} calls arrive as they would without curl`, async () => {
  const sender = new Sender({ base, key, timeoutMs: 20_000, concurrency: 1, signal: new AbortController().signal });
  for (const call of calls) await sender.send(call);
  sender.close();
  const direct = received;
  received = [];
  const lines = calls.map((call) => curlOf(call, base));
  // One shell: each start of a program from the large process of the tests takes a tenth of a second.
  await promisify(execFile)('bash', ['-c', lines.join('\n')], { env: { ...process.env, API_KEY: key } });
  expect(received).toHaveLength(calls.length);
  for (const [place, line] of lines.entries())
    expect({ line, received: received[place] }).toEqual({ line, received: direct[place] });
});
