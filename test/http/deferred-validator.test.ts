import { expect, test } from '@jest/globals';
import { recordMark, markOf } from '../../server/contract/checked-contract.ts';
import { readDocument, type OpenApiDocument } from '../../server/contract/openapi.ts';
import { DeferredValidator } from '../../server/http/express/deferred-validator.ts';
import { startService, validTarget } from '../support/service.ts';

/** A contract with the mark, that no other test has prepared. */
function marked(document: object): OpenApiDocument {
  const text = JSON.stringify(document);
  const copy = JSON.parse(text) as OpenApiDocument;
  recordMark(copy, text, markOf(text));
  return copy;
}

test('calls that come together before the validator is prepared are all validated, and so are later ones', async () => {
  const service = await startService({ document: marked(await readDocument()), validate: 'always' });
  try {
    const tooMany = validTarget('getUserLastTweets').replace(/$/, '&limit=100000');
    const call = async (target: string): Promise<[number, unknown]> => {
      const response = await service.request(target);
      return [response.status, ((await response.json()) as { error?: string }).error];
    };
    const refused = [400, "parameter 'limit' must be from 1 to 100"];
    const targets = [tooMany, validTarget('getUserLastTweets'), tooMany, validTarget('getTweetThread')];
    expect(await Promise.all(targets.map(call))).toEqual([refused, [200, undefined], refused, [200, undefined]]);
    expect(await call(tooMany)).toEqual(refused);
  } finally {
    await service.stop(0);
  }
});

test('a handler throws, or the validator cannot be prepared: the request gets the error and passes no further', async () => {
  const outcome = (validator: DeferredValidator): Promise<unknown> =>
    new Promise((resolve) => {
      const [step] = validator.validate('getSpace', {} as never);
      const result: unknown = step!({} as never, {} as never, (error) => resolve(error ?? 'passed'));
      // Express takes a rejection as an error.
      if (result instanceof Promise) result.catch(resolve);
    });
  const broken = new DeferredValidator({ paths: { '/x': { get: { parameters: [{ $ref: '#/nothing' }] } } } } as never);
  expect(await outcome(broken)).toMatchObject({ message: expect.stringContaining('the contract is invalid') });
  // It tries again.
  expect(await outcome(broken)).toMatchObject({ message: expect.stringContaining('the contract is invalid') });

  const prepared = new DeferredValidator(marked(await readDocument()));
  await prepared.prepare();
  // A request without an app, at which the library throws.
  expect(await outcome(prepared)).toBeInstanceOf(Error);
});

test('the warm-up after the start prepares the validator, the pages and the metrics of the process, and calls are validated after it', async () => {
  const service = await startService({ document: marked(await readDocument()) });
  try {
    const { app } = service;
    const isMeasured = (): boolean => app.registry.getSingleMetric('process_cpu_seconds_total') !== undefined;
    expect(isMeasured()).toBe(false);
    await app.warmUp();
    expect(isMeasured()).toBe(true);
    expect((await service.bare('/docs/search')).status).toBe(200);
    expect((await service.request(`${validTarget('getUserLastTweets')}&limit=100000`)).status).toBe(400);
    await app.warmUp();
  } finally {
    await service.stop(0);
  }
});
