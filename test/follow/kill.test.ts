/** CRASH_ROUNDS=50 kills as often, within 100,000 events. */
import { expect, test } from '@jest/globals';
import { join } from 'node:path';
import { dyingAt, moments } from '../support/crash-injection.ts';
import { temporaryFolder } from '../support/folder.ts';
import { random } from '../support/random.ts';
import { rounds } from '../support/rounds.ts';
import { run } from '../support/server.ts';
import { linesOf, openArchiveIn } from '../support/stored-archive.ts';

const kills = Number(process.env.CRASH_ROUNDS ?? rounds(8, 2));
const events = kills >= 50 ? 100_000 : 20 * kills + 100;
/** So many events are a batch, which is a durable step of its own: the kills spread over the whole stream. */
const batch = Math.min(1000, Math.max(10, Math.ceil(events / 100)));
/** The operations on files before a kill, at most: an event takes about four and a half. */
const most = 9 * Math.max(batch, Math.ceil(events / kills));

const follow = (folder: string, env: Record<string, string> = {}): ReturnType<typeof run> =>
  run('test/follow/follower.child.ts', [folder, String(events), String(batch)], env);

async function read(folder: string): Promise<{ readonly content: string[]; readonly position: string | undefined }> {
  const archive = await openArchiveIn(folder);
  try {
    return { content: await linesOf(archive), position: archive.content.position('bluesky') };
  } finally {
    await archive.close();
  }
}

test(
  `killed ${kills} times at any write, a follower reaches the same archive as without`,
  async () => {
    const folder = await temporaryFolder();
    const [killed, whole] = [join(folder.path, 'killed'), join(folder.path, 'whole')];
    const draw = random(20_261_122);
    try {
      expect(await follow(whole)).toMatchObject({ code: 0, stdout: 'done\n' });
      const positions: number[] = [];
      let deaths = 0;
      for (let round = 0; round < kills; round++) {
        const ended = await follow(killed, dyingAt(5 + draw(most), moments[draw(moments.length)]!));
        expect(ended.stderr).toBe('');
        if (ended.stdout === '') deaths++;
        positions.push(Number((await read(killed)).position ?? 0));
      }
      expect(deaths).toBeGreaterThan(kills / 4);
      // The kills come while it follows, and no position goes back.
      if (kills >= 20) expect(new Set(positions).size).toBeGreaterThan(kills / 5);
      expect(positions).toEqual(positions.toSorted((a, b) => a - b));
      expect(await follow(killed)).toMatchObject({ code: 0, stdout: 'done\n' });
      const [{ content: reached, position }, { content: expected }] = [await read(killed), await read(whole)];
      // The times of tombstones are those of the removal here; the times of posts are those of the process.
      const times = (lines: readonly string[]): string[] =>
        lines.map((line) => line.replaceAll(/"20\d\d-[^"]*"/g, '""'));
      expect(times(reached)).toEqual(times(expected));
      expect(position).toBe(String(events));
      expect(expected.filter((line) => line.includes('"kind":"delete"')).length).toBeGreaterThan(events / 20);
    } finally {
      await folder.dispose();
    }
  },
  600_000 + kills * 15_000,
);
