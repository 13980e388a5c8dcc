/** Small contracts for the tests of spec:diff. */
import { compareContracts } from '../../../scripts/contract-tools/diff/contract.ts';
import { revisionOf } from '../../../scripts/contract-tools/diff/document.ts';
import type { Finding } from '../../../scripts/contract-tools/diff/finding.ts';

export type Json = Record<string, unknown>;

/** A contract of one operation, `POST /things`; `operation` and `document` add to it or replace parts. */
export const contract = (operation: Json = {}, document: Json = {}): Json => ({
  openapi: '3.1.0',
  info: { title: 'Things', version: '1.0.0' },
  paths: {
    '/things': { post: { operationId: 'makeThing', responses: { 204: { description: 'Made.' } }, ...operation } },
  },
  ...document,
});

/** A contract whose operation is sent a body of the schema. */
export const sent = (schema: unknown): Json =>
  contract({ requestBody: { content: { 'application/json': { schema } } } });
/** A contract whose operation answers a body of the schema. */
export const answered = (schema: unknown): Json =>
  contract({ responses: { 200: { description: 'It.', content: { 'application/json': { schema } } } } });
/** A contract whose operation takes the query parameters. */
export const withParameters = (...parameters: Json[]): Json =>
  contract({ parameters: parameters.map((parameter) => ({ in: 'query', schema: { type: 'string' }, ...parameter })) });

export const differences = (before: Json, after: Json): Finding[] =>
  compareContracts(revisionOf('before', before), revisionOf('after', after));
/** What was found, in short: `level rule`, in order of the rules. */
export const verdicts = (before: Json, after: Json): string[] =>
  differences(before, after)
    .map(({ level, rule }) => `${level} ${rule}`)
    .sort();
