/** Which step of the version a change of the client's public types demands. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { compareModules } from '../../../scripts/spec/release/client-step.ts';
import { temporaryFolder } from '../../support/folder.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let findings: readonly string[];
const before = `
export interface ClientOptions { readonly fetch?: (input: Request) => Promise<Response>; readonly timeoutMs?: number }
export interface CallOptions { readonly retry?: number }
export interface ListOptions { readonly limit?: number }
export interface LastTweetsParams { include_replies?: '0' | '1' }
export interface User { id: string; name: string }
export interface Space { id: string }
export interface List<One> { pages(): AsyncIterable<One> }
export interface Page<One> { items: One[] }
export type Removed = string;
export declare class NotFoundError extends Error { readonly status: number }
export declare class Gone extends Error {}
export declare function createClient(options?: CallOptions): User;
export declare function postUrl(tweet: { id: string }): string | undefined;
export declare const version: string;
`;
const after = `
export interface ClientOptions { readonly fetch?: (url: string, init: RequestInit) => Promise<Response>; readonly timeoutMs?: number }
/** Another comment. */
export interface CallOptions { readonly retry?: number }
export interface ListOptions { readonly limit: number }
export interface LastTweetsParams { include_replies?: '0' | '1' | boolean }
export interface User { id: string; name: string; verified: boolean }
export interface Space { id: string | number }
export interface List<One> { pages(): AsyncIterable<One>; first(): One }
export interface Page<One> {
  items: One[]; // the items
}
export declare class NotFoundError extends Error { readonly status: number }
export declare function createClient(options: CallOptions): User;
export declare function postUrl(tweet: { id: string }, platform?: string): string | undefined;
export declare const version: string;
export declare const added: number;
export interface Gone { readonly name: string }
`;

beforeAll(async () => {
  folder = await temporaryFolder();
  const [old, next] = [join(folder.path, 'before.ts'), join(folder.path, 'after.ts')];
  await writeFile(old, before);
  await writeFile(next, after);
  findings = (await compareModules([['the package', old, next]])).map(({ step, message }) => `${step}: ${message}`);
});
afterAll(() => folder?.dispose());

test.each([
  ['an option with another type', 'major: ClientOptions of the package has changed: code for it may not compile'],
  ['an option that is required now', 'major: ListOptions of the package has changed: code for it may not compile'],
  ['an answer that can be something else', 'major: Space of the package has changed: code for it may not compile'],
  ['a name that is gone', 'major: Removed of the package is missing'],
  ['a class that is only a type', 'major: Gone of the package is no value any more'],
  ['a parameter that is required now', 'major: createClient of the package has changed: code for it may not compile'],
  ['a parameter that takes more', 'minor: LastTweetsParams of the package has more than before, or another text'],
  ['an answer that has more', 'minor: User of the package has more than before, or another text'],
  ['a generic type with another text', 'minor: List of the package has changed: check that code for it compiles'],
  ['a new name', 'minor: added of the package is new'],
])('%s: %s', (_what, finding) => {
  expect(findings).toContain(finding);
});

test('comments and layout demand nothing, and there is one finding for each change', () => {
  expect(findings.filter((each) => /CallOptions|Page|NotFoundError|version/.test(each))).toEqual([]);
});
