import { expect, test } from '@jest/globals';
import { CommandQueue } from '../../server/realtime/command-queue.ts';

test('runs a synchronous command at once, and keeps the order after an asynchronous one', async () => {
  const ran: string[] = [];
  const gates = { a: Promise.withResolvers<void>(), c: Promise.withResolvers<void>() };
  const queue = new CommandQueue<string>({
    execute(command) {
      ran.push(command);
      if (command === 'fails at once') throw new Error(command);
      return command === 'a' || command === 'c' ? gates[command].promise : undefined;
    },
    rejectCommand: (error, command) => void ran.push(`${command}: ${(error as Error).message}`),
  });
  queue.add('first');
  expect(ran).toEqual(['first']);
  for (const command of ['a', 'b', 'fails at once', 'c', 'd']) queue.add(command);
  expect([ran, queue.waiting]).toEqual([['first', 'a'], 4]);
  gates.a.reject(new Error('late'));
  await new Promise(setImmediate);
  expect(ran).toEqual(['first', 'a', 'a: late', 'b', 'fails at once', 'fails at once: fails at once', 'c']);
  queue.clear();
  gates.c.resolve();
  await new Promise(setImmediate);
  expect([ran.at(-1), queue.waiting]).toEqual(['c', 0]);
  queue.add('last');
  expect([ran.at(-1), queue.waiting]).toEqual(['last', 0]);
});
