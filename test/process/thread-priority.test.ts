/** Work in the background gives way to the threads that answer requests. */
import { execFileSync } from 'node:child_process';
import { constants, getPriority } from 'node:os';
import { expect, test } from '@jest/globals';

const testOnLinux = process.platform === 'linux' ? test : test.skip;

testOnLinux('a thread lowers its own priority only, and a process that of all its threads', () => {
  const child = new URL('thread-priority.child.ts', import.meta.url).pathname;
  const output = execFileSync(process.execPath, [child], { encoding: 'utf8' });
  const [own, low] = [getPriority(), constants.priority.PRIORITY_BELOW_NORMAL];
  expect(own).toBeLessThan(low);
  expect(JSON.parse(output)).toEqual([[own], [own, low], [low]]);
});
