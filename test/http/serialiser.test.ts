import { describe, expect, test } from '@jest/globals';
import { operationMetadata, type OpenApiDocument } from '../../server/contract/openapi.ts';
import { createSerialisers } from '../../server/http/pipeline/serialiser.ts';
import { ContractBreach } from '../../server/http/pipeline/contract-breach.ts';
import { operationIds } from '../../server/contract/operations.ts';
import { contract, exampleAnswer } from '../support/contract.ts';

const document = contract as unknown as OpenApiDocument;
const serialisers = createSerialisers(document, operationMetadata(document));
const serialise = serialisers.get('getUserHighlights')!;
type Page = {
  tweets: { text: string; like_count: unknown; author: { name: unknown } }[];
  next_cursor: string | null;
  has_next_page: boolean;
};
const page = (): Page => structuredClone(exampleAnswer('getUserHighlights')) as Page;

test.each(operationIds)('an answer of %s is what JSON.stringify makes of it', (id) => {
  const answer = exampleAnswer(id);
  expect(serialisers.get(id)!(answer).toString()).toBe(JSON.stringify(answer));
});
test('members come in the order of the answer, and undefined ones not at all', () => {
  const { tweets, next_cursor, has_next_page } = page();
  for (const answer of [
    { has_next_page, tweets, next_cursor },
    { next_cursor, has_next_page, tweets: [...tweets, ...tweets] },
    { tweets: [], next_cursor, resolved_tokens: undefined, has_next_page },
  ]) {
    expect(serialisers.get('getUserLastTweets')!(answer).toString()).toBe(JSON.stringify(answer));
  }
});
test('frozen items stand beside others in their order, first as later', () => {
  const [tweet] = page().tweets as [Page['tweets'][0]];
  const [frozen, other] = [Object.freeze({ ...tweet, text: 'frozen' }), { ...tweet, text: 'other ☕' }];
  for (const tweets of [[frozen], [other, frozen], [frozen, other], [frozen, other, other, frozen], [other]]) {
    const answer = { ...page(), tweets };
    for (let n = 0; n < 2; n++) expect(serialise(answer).toString()).toBe(JSON.stringify(answer));
  }
});
describe('a breach of the contract says where, and leaves nothing:', () => {
  test.each<[string, (answer: Page) => void, RegExp]>([
    [
      'in the page',
      (answer) => void (answer.has_next_page = 'yes' as never),
      /^getUserHighlights: \/has_next_page must be boolean/,
    ],
    ['in a tweet', (answer) => void (answer.tweets[0]!.like_count = '7'), /\/tweets\/like_count must be integer/],
    ['deep in a tweet', (answer) => void (answer.tweets[0]!.author.name = 7), /\/tweets\/author\/name must be string/],
    ['a list that is none', (answer) => void (answer.tweets = {} as never), /\/tweets must be array/],
    ['an item that is none', (answer) => void (answer.tweets = [null as never]), /\/tweets must be object/],
    ['a member that is not declared', (answer) => void Object.assign(answer, { extra: 1 }), /extra/],
    ['a member that is missing', (answer) => void delete (answer as Partial<Page>).tweets, /tweets/],
  ])('%s', (_name, damage, message) => {
    const answer = page();
    damage(answer);
    expect(() => serialise(answer)).toThrow(ContractBreach);
    expect(() => serialise(answer)).toThrow(message);
  });
});
test('a frozen object that breaks the contract breaks it every time', () => {
  const answer = page();
  answer.tweets[0]!.like_count = '7';
  Object.freeze(answer.tweets[0]);
  for (let n = 0; n < 3; n++) expect(() => serialise(answer)).toThrow(ContractBreach);
});
test('an object that is not frozen is looked at anew each time', () => {
  const answer = page();
  serialise(answer);
  answer.tweets[0]!.text = 'another text';
  expect(serialise(answer).toString()).toContain('another text');
  answer.tweets[0]!.text = 7 as never;
  expect(() => serialise(answer)).toThrow(/text must be string/);
});
