/** The warm-up of a measured server: it keeps JIT compilation and first reads out of the results. A slow machine needs more steps. */

const maxSteps = 10;

/** Repeats a step until its rate has not risen by 3 % in two steps. `measure` runs a step and resolves with its rate. */
export async function warmUp(measure: () => Promise<number>): Promise<void> {
  let [best, steady] = [0, 0];
  for (let step = 0; step < maxSteps && steady < 2; step++) {
    const rate = await measure();
    steady = rate > best * 1.03 ? 0 : steady + 1;
    best = Math.max(best, rate);
  }
}
