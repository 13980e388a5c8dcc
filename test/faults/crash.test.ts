/** CRASH_ROUNDS=200 CRASH_SEED=1 runs more rounds, or others. */
import { expect, test } from '@jest/globals';
import { rounds } from '../support/rounds.ts';
import { temporaryFolder } from '../support/folder.ts';
import { crash, type Tally } from './crash.ts';

/** At least three: the second one kills a start that fills an empty folder. */
const kills = Number(process.env.CRASH_ROUNDS ?? rounds(5, 3));
const seed = Number(process.env.CRASH_SEED ?? 20_261_121);

test(
  `after ${kills} kills at any write, all acknowledged changes are present, and the events have no gap`,
  async () => {
    const folder = await temporaryFolder();
    const tally: Tally = { kills: { load: 0, start: 0, seed: 0, import: 0 }, acknowledged: 0, events: 0 };
    try {
      await crash(folder.path, kills, seed, tally, (round) => {
        if (kills >= 50 && round % 10 === 9) process.stderr.write(`${round + 1} rounds: ${JSON.stringify(tally)}\n`);
      });
      expect(tally.events).toBeGreaterThan(kills);
      expect(tally.acknowledged).toBeGreaterThan(kills * 10);
    } finally {
      await folder.dispose();
    }
  },
  600_000 + kills * 60_000,
);
