import { expect, test } from '@jest/globals';
import { Representation } from '../../server/http/pipeline/representation.ts';

test('concurrent requests for the same encoding share one compression', async () => {
  const grown: number[] = [];
  const representation: Representation = new Representation(
    Buffer.from('{"text":"again and again"}'.repeat(1_000)),
    () => grown.push(representation.size),
  );
  const encodings = await Promise.all(Array.from({ length: 50 }, async () => representation.encoded('br')));
  expect(new Set(encodings).size).toBe(1);
  expect(grown).toEqual([representation.bytes.length + encodings[0]!.length]);
  expect(representation.encoded('br')).toBe(encodings[0]);
});

test('a compressed representation retains only its own bytes', async () => {
  const bytes = await new Representation(Buffer.from('{"text":"again and again"}'.repeat(1_000))).encoded('br');
  expect(bytes.length).toBeLessThan(1_000);
  expect(bytes.buffer.byteLength).toBe(bytes.length);
});

test('the size of a short representation includes its bytes and its string', () => {
  expect(new Representation(Buffer.from('{"text":"short"}')).size).toBe(32);
  expect(new Representation(Buffer.from('{"text":"kürzer"}')).size).toBe(18);
});
