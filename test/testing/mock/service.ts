/** The mock as a listening server in this process. */
import { readFile } from 'node:fs/promises';
import { pino } from 'pino';
import { parse } from 'yaml';
import { createMock, mockKeys, type MockOptions } from '../../../scripts/testing/mock/app.ts';
import type { OpenApiDocument } from '../../../server/contract/openapi.ts';
import { listen, type HttpServer } from '../../../server/http/server/listen.ts';
import { Metrics } from '../../../server/http/pipeline/request-metrics.ts';

const specPath = new URL('../../../spec/openapi.yaml', import.meta.url);
export const specText = await readFile(specPath, 'utf8');
/** The parser of YAML takes half a second for it. */
const specDocument = parse(specText) as OpenApiDocument;

export interface Mock extends HttpServer {
  /** A request with a key, unless the headers say otherwise. */
  request(target: string, init?: RequestInit): Promise<Response>;
}

/** Starts a mock of the contract, or of a changed one, on a free port. */
export async function startMock(options: Partial<MockOptions> = {}, text = specText): Promise<Mock> {
  const document = text === specText ? structuredClone(specDocument) : (parse(text) as OpenApiDocument);
  const spec = { document, text };
  const { app } = await createMock(spec, {
    seed: 1,
    items: undefined,
    delayMs: 0,
    keys: mockKeys([]),
    rateLimit: { requests: 100_000, periodMs: 60_000 },
    corsOrigins: '*',
    logger: pino({ level: 'silent' }),
    metrics: new Metrics(),
    eventCursor: () => 'mock.0',
    ...options,
  });
  const listening = await listen(app.handle, { host: '127.0.0.1', port: 0 });
  return {
    ...listening,
    request: (target, init = {}) =>
      fetch(listening.url + target, {
        ...init,
        headers: { 'x-api-key': 'anything', ...(init.headers as Record<string, string> | undefined) },
      }),
  };
}
