import { request as send, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import {
  initialFacts,
  observeAll,
  signalOf,
  whenFinished,
  type RequestSummary,
} from '../../../server/http/pipeline/request-summary.ts';
import { startScripted, type Scripted } from '../../support/scripted.ts';

let act: (response: ServerResponse) => void;
let server: Scripted;
beforeAll(async () => void (server = await startScripted((_request, response) => act(response))));
afterAll(() => server.stop());

const facts = initialFacts('r1', 'HEAD');

test('a request begins with its id, its method and its trace', () => {
  const none = { operationId: undefined, keyId: undefined, code: undefined, parameter: undefined, fault: undefined };
  expect(facts).toEqual({ id: 'r1', method: 'HEAD', trace: undefined, span: undefined, ...none });
  const traced = { trace: { traceId: 'a' }, span: { end: 'b' } } as never;
  expect(initialFacts('r2', 'GET', traced)).toEqual({ id: 'r2', method: 'GET', ...(traced as object), ...none });
});

test('all observers get a summary, also where one of them throws', () => {
  const fault = new Error('no metrics');
  const seen: unknown[] = [];
  const observe = observeAll(
    [
      (each) => seen.push(['first', each]),
      () => {
        throw fault;
      },
      (each) => seen.push(['last', each]),
    ],
    (error) => seen.push(error),
  );
  const summary: RequestSummary = { path: '/a', status: 200, ms: 1, completed: true, facts };
  observe(summary);
  expect(seen).toEqual([['first', summary], fault, ['last', summary]]);
});

describe('the summary of a request', () => {
  test('has its status and its duration when the response is sent', async () => {
    let time = 1_000;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => time);
    const finished = Promise.withResolvers<RequestSummary>();
    const summaries: RequestSummary[] = [];
    act = (response) => {
      whenFinished(response, '/a', facts, (summary) => {
        summaries.push(summary);
        finished.resolve(summary);
      });
      time = 1_250;
      response.writeHead(404).end('not here');
    };
    await (await fetch(server.url)).text();
    expect(await finished.promise).toEqual({ path: '/a', status: 404, ms: 250, completed: true, facts });
    expect(summaries).toHaveLength(1);
    clock.mockRestore();
  });
  test('says that a response was not sent', async () => {
    const finished = Promise.withResolvers<RequestSummary>();
    act = (response) => {
      whenFinished(response, '/a', facts, finished.resolve);
      request.destroy();
    };
    const request = send(server.url);
    request.on('error', () => {}).end();
    expect(await finished.promise).toMatchObject({ status: 200, completed: false });
  });
});

describe('the signal of a request', () => {
  test('aborts when the caller closes the connection, and at once where that is done', async () => {
    const signals = Promise.withResolvers<boolean[]>();
    act = (response) => {
      const signal = signalOf(response);
      const before = signal.aborted;
      response.on('close', () => signals.resolve([before, signal.aborted, signalOf(response).aborted]));
      request.destroy();
    };
    const request = send(server.url);
    request.on('error', () => {}).end();
    expect(await signals.promise).toEqual([false, true, true]);
  });
  test('does not abort when the response is sent', async () => {
    const signals = Promise.withResolvers<boolean>();
    act = (response) => {
      const signal = signalOf(response);
      response.on('close', () => signals.resolve(signal.aborted)).end('all');
    };
    await (await fetch(server.url)).text();
    expect(await signals.promise).toBe(false);
  });
});
