/** CRASH_ROUNDS=200 CRASH_SEED=1 runs more rounds, or others. */
import { expect, test } from '@jest/globals';
import { temporaryFolder } from '../support/server.ts';
import { crash, type Tally } from './crash.ts';

const rounds = Number(process.env.CRASH_ROUNDS ?? 8);
const seed = Number(process.env.CRASH_SEED ?? 20_261_121);

test(`killed ${rounds} times in all that it writes, the server has all that was acknowledged, and its events have no hole`, async () => {
  const folder = await temporaryFolder();
  const tally: Tally = { kills: { load: 0, start: 0, seed: 0, snapshot: 0, import: 0 }, acknowledged: 0, events: 0 };
  try {
    await crash(folder.path, rounds, seed, tally, (round) => {
      if (rounds >= 50 && round % 10 === 9) process.stderr.write(`${round + 1} rounds: ${JSON.stringify(tally)}\n`);
    });
    expect(tally.events).toBeGreaterThan(rounds);
    expect(tally.acknowledged).toBeGreaterThan(rounds * 10);
  } finally {
    await folder.dispose();
  }
}, 120_000 + rounds * 60_000);
