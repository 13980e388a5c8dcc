/** Waits for a condition that other work makes true. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves when the condition holds. Rejects if it does not hold within two minutes. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 120_000;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`this does not become true: ${String(condition)}`);
    await sleep(5);
  }
}
