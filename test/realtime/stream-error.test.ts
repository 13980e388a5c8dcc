import { expect, test } from '@jest/globals';
import { notFound } from '../../server/contract/service-error.ts';
import { MessageError } from '../../server/realtime/messages.ts';
import { streamError } from '../../server/realtime/stream-error.ts';

test.each<[unknown, object]>([
  ['restart', { status: 503, message: 'the server restarts', headers: { 'Retry-After': '1' } }],
  ['rate', { status: 429, message: 'too many commands or connections: slow down', headers: { 'Retry-After': '5' } }],
  ['connections', { status: 429, message: 'too many connections of this key', headers: { 'Retry-After': '5' } }],
  [new MessageError('bad_params', 400, 'no cursor'), { status: 400, message: 'no cursor', headers: {} }],
  [
    new MessageError('cursor_too_old', 410, 'too old', 'c1', { oldest_cursor: 'e.5' }),
    { status: 410, message: 'too old; the oldest cursor is e.5', headers: {} },
  ],
  [
    new MessageError('too_many_requests', 429, 'slow down', undefined, { retry_after_s: 7 }),
    { status: 429, message: 'slow down', headers: { 'Retry-After': '7' } },
  ],
])('the refusal %s is an error of HTTP', (reason, expected) => {
  expect(streamError(reason)).toMatchObject({ name: 'ServiceError', ...expected });
});

test('another error stays as it is', () => {
  for (const error of [notFound('user a'), new Error('a fault'), 'idle']) expect(streamError(error)).toBe(error);
});
