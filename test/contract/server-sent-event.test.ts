import { expect, test } from '@jest/globals';
import { ServerSentEvent, type EventFields } from '../../server/contract/server-sent-event.ts';

test.each<[EventFields, string]>([
  [{}, '\n'],
  [{ json: '{"a":1}' }, 'data: {"a":1}\n\n'],
  [{ json: Buffer.from('"ü"') }, 'data: "ü"\n\n'],
  [{ id: '7' }, 'id: 7\n\n'],
  [{ comment: 'still here' }, ': still here\n\n'],
  [{ retry: 0 }, 'retry: 0\n\n'],
  [{ json: '"ü"', id: '7', event: 'gap', retry: 50, comment: 'c' }, ': c\nevent: gap\nretry: 50\nid: 7\ndata: "ü"\n\n'],
])('%j', (fields, text) => {
  expect(Buffer.from(new ServerSentEvent(fields).bytes).toString()).toBe(text);
});
