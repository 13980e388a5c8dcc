/** What every contestant stands on: the contract, and the operations over the same archive. */
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openArchive } from '../../../../server/platforms/archive/durable-archive.ts';
import type { ArchiveRecord } from '../../../../server/domain/records.ts';
import type { Assistant } from '../../../../server/assistant/assistant.ts';
import {
  operationIds,
  type Call,
  type Handler,
  type Handlers,
  type OperationId,
} from '../../../../server/contract/operations.ts';
import { readDocument, type OpenApiDocument, type Schema } from '../../../../server/contract/openapi.ts';
import { createCursors } from '../../../../server/operations/cursor.ts';
import { createOperations } from '../../../../server/operations/index.ts';
import { archivePlatform } from '../../../../server/platforms/archive/archive-platform.ts';
import { openLowdbStore } from '../../../../server/storage/lowdb/lowdb-store.ts';
import { operations } from '../../../../generated/operations.ts';
import { key, records } from '../shapes.ts';

export interface Parts {
  readonly document: OpenApiDocument;
  readonly handlers: Handlers;
}

/** The operations that are asked without a body: where they are, and how they are answered. */
export const routes = operationIds
  .filter((id) => operations[id].method === 'get')
  .map((id) => ({ id, path: operations[id].path }));

/** The bench's records in an archive of its own, which goes when the process ends. */
export async function openParts(): Promise<Parts> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-http-'));
  const store = await openLowdbStore(dataDir);
  process.once('exit', () => void rm(dataDir, { recursive: true, force: true }));
  const durable = await openArchive(store);
  await durable.apply('bench', { values: 0, done: true }, [...records()] as ArchiveRecord[]);
  const assistant: Assistant = {
    explain: () => Promise.reject(new Error('no assistant')),
    status: () => {
      throw new Error('no assistant');
    },
  };
  const handlers = createOperations({
    platform: archivePlatform(durable),
    cursors: createCursors(Buffer.alloc(32)),
    assistant,
    resolver: { resolve: async () => null },
  });
  return { document: await readDocument(), handlers };
}

const never = new AbortController().signal;

/** Answers an operation. */
export const answer = ({ handlers }: Parts, id: OperationId, query: unknown): Promise<unknown> =>
  (handlers[id] as Handler<OperationId>)({
    query,
    body: undefined,
    keyId: 'bench',
    signal: never,
  } as unknown as Call<OperationId>) as Promise<unknown>;

export const isKey = (given: unknown): boolean => given === key;

/** A schema of the contract that stands by itself, with what it refers to in `under`. */
export function standing({ document }: Parts, schema: Schema, under: 'definitions' | '$defs'): object {
  const all = JSON.stringify({ ...schema, [under]: document.components.schemas });
  return JSON.parse(all.replaceAll('#/components/schemas/', `#/${under}/`)) as object;
}

/** The schema of an operation's answer. */
export function answerSchema({ document }: Parts, id: OperationId): Schema {
  return document.paths[operations[id].path]!.get!.responses['200']!.content!['application/json']!.schema;
}

export const portOf = (server: Server): number => (server.address() as AddressInfo).port;
