/** The parts that all peers share: the contract, and the operations with an archive of the same data. */
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqlPlatform } from '../../../../server/archive/sql-platform.ts';
import { readConfig } from '../../../../server/config/config.ts';
import { openStoredArchive } from '../../../../server/engines/open-archive.ts';
import type { ArchiveRecord } from '../../../../server/domain/records.ts';
import type { Assistant } from '../../../../server/assistant/assistant.ts';
import type { Handlers, OperationId } from '../../../../server/contract/operations.ts';
import {
  operationMetadata,
  readDocument,
  type OpenApiDocument,
  type Schema,
} from '../../../../server/contract/openapi.ts';
import { createCursors } from '../../../../server/contract/cursor.ts';
import { createOperations } from '../../../../server/operations/index.ts';
import type { SavedSearches } from '../../../../server/ports/saved-searches.ts';
import { operations } from '../../../../generated/operations.ts';
import { key } from '../../service.ts';
import { records } from '../shapes.ts';
import { createTokens } from '../../../../server/keys/tokens.ts';
import type { Keys } from '../../../../server/ports/keys.ts';

export interface Parts {
  readonly document: OpenApiDocument;
  readonly handlers: Handlers;
}

/** The measured operations with their paths: the peers cannot compile each schema of the contract. */
export const routes = (['getUserLastTweets', 'getUserCommunities', 'searchTweets'] as const).map((id) => ({
  id,
  path: operations[id].path,
}));

/** Opens an archive with the benchmark's records. The end of the process deletes it. */
export async function openParts(): Promise<Parts> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-http-'));
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  const config = readConfig({ DATA_DIR: dataDir });
  const { archive, engine, sink } = await openStoredArchive(config);
  await sink.apply('bench', { values: 0, done: true }, [...records()] as ArchiveRecord[]);
  const assistant: Assistant = {
    explain: () => Promise.reject(new Error('no assistant')),
    status: () => {
      throw new Error('no assistant');
    },
  };
  const handlers = createOperations({
    platform: new SqlPlatform({ run: engine.run, archive, search: engine.search, commits: undefined }),
    cursors: createCursors(Buffer.alloc(32)),
    assistant,
    resolver: { resolve: async () => null },
    events: { open: () => Promise.reject(new Error('no events')) },
    tokens: createTokens({
      secret: Buffer.alloc(32),
      keys: { find: () => undefined } as unknown as Keys,
      realm: 'bench',
    }),
    // No shape of the benchmark reads them.
    searches: {} as SavedSearches,
  });
  return { document: await readDocument(), handlers };
}

const neverAborted = new AbortController().signal;

/** Executes an operation and returns its response body. */
export const answer = ({ handlers }: Parts, id: OperationId, query: unknown): Promise<unknown> =>
  // Of operations whose handlers return a body and of those that return a reply, the types have nothing in common.
  (handlers[id] as unknown as (call: unknown) => Promise<unknown>)({
    query,
    body: undefined,
    keyId: 'bench',
    signal: neverAborted,
  });

export const isKey = (value: unknown): boolean => value === key;

/** A schema of the contract as a separate document, with all shared schemas under the keyword `under`. */
export function standaloneSchema({ document }: Parts, schema: Schema, under: 'definitions' | '$defs'): object {
  const text = JSON.stringify({ ...schema, [under]: document.components.schemas });
  return JSON.parse(text.replaceAll('#/components/schemas/', `#/${under}/`)) as object;
}

/** The schema of the 200 response of an operation. */
export function responseSchema({ document }: Parts, id: OperationId): Schema {
  return operationMetadata(document)[id].responseSchema!;
}

export const portOf = (server: Server): number => (server.address() as AddressInfo).port;
