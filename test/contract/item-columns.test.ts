import { expect, test } from '@jest/globals';
import {
  columnsOf,
  itemColumns,
  memberSchemas,
  valueOfColumn,
  withoutCsvOfItems,
  withoutCsvOfLists,
} from '../../server/contract/item-columns.ts';

const text = { type: 'string' };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const author = { type: 'object', properties: { id: text, name: text } };
const tweet = {
  allOf: [{ properties: { id: text, author: ref('Author') } }, true],
  oneOf: [{ properties: { card: { type: ['object', 'null'], properties: { url: text } } } }],
  anyOf: [{ properties: { tags: { type: 'array', items: author } } }],
  properties: { any: {}, free: { type: 'object' }, open: true, place: { properties: { x: { type: 'integer' } } } },
};
const page = {
  allOf: [{ properties: { tweets: { type: 'array', items: ref('Tweet') } } }, { properties: { next: text } }],
};
const document = { components: { schemas: { Author: author, Tweet: tweet, Page: page } } };

test('the members of an object are those of all its parts', () => {
  expect([...memberSchemas(document, ref('Tweet')).keys()]).toEqual([
    'any',
    'free',
    'open',
    'place',
    'id',
    'author',
    'card',
    'tags',
  ]);
  expect(memberSchemas(document, ref('Tweet')).get('open')).toEqual({});
  expect(memberSchemas(document, ref('Tweet')).get('id')).toBe(text);
});

test('a record has a column for each member, and for each member of its objects that are always there', () => {
  const columns = ['any', 'free', 'open', 'place.x', 'id', 'author.id', 'author.name', 'card', 'tags'];
  expect(columnsOf(document, tweet)).toEqual(columns);
  expect(itemColumns(document, ref('Page'), 'tweets')).toEqual(columns);
  expect(itemColumns(document, ref('Page'), 'next')).toEqual([]);
  expect(itemColumns(document, ref('Page'), 'other')).toEqual([]);
});

test('the value of a column', () => {
  const item = { id: '1', author: { name: 'a' }, card: null };
  expect(
    ['id', 'author.name', 'author', 'card.url', 'author.x.y', 'none'].map((name) => valueOfColumn(item, name)),
  ).toEqual(['1', 'a', { name: 'a' }, undefined, undefined, undefined]);
  expect(valueOfColumn(null, 'id')).toBeUndefined();
});

test('a program that reads JSON sees no CSV that the server makes of it', () => {
  const [csv, json] = [{ 'text/csv': {} }, { 'application/json': {} }];
  expect(withoutCsvOfItems({ 'x-items': 'tweets' }, { ...csv, ...json })).toEqual(json);
  expect(withoutCsvOfItems({}, { ...csv, ...json })).toEqual({ ...csv, ...json });
  expect(withoutCsvOfItems({ 'x-items': 'tweets' }, csv)).toEqual(csv);
  expect(withoutCsvOfItems({ 'x-items': 'tweets' }, json)).toEqual(json);
  const of = (content: object) => ({
    info: { title: 't' },
    paths: {
      'x-note': 'n',
      '/a': {
        summary: 's',
        get: { 'x-items': 'tweets', responses: { 200: { description: 'd', content }, 404: { $ref: '#/r' }, 500: 'x' } },
        post: { responses: { 200: { content: { ...csv, ...json } } } },
        put: { 'x-items': 'tweets' },
      },
    },
  });
  expect(withoutCsvOfLists(of({ ...csv, ...json }))).toEqual(of(json));
  expect(withoutCsvOfLists({ paths: undefined })).toEqual({ paths: undefined });
});
