/** The warm-up of a measured server: it keeps JIT compilation and first reads out of the results. A slow machine needs more steps. */

const maxSteps = 10;

/**
 * Repeats a step until its rate has not risen by 3 % in two steps. `measure` runs a step and resolves with its rate; it gets the number of the
 * step, from 0 on, and the highest rate so far. Resolves with the highest rate.
 */
export async function warmUp(measure: (step: number, best: number) => Promise<number>): Promise<number> {
  let best = 0;
  let steady = 0;
  for (let step = 0; step < maxSteps && steady < 2; step++) {
    const rate = await measure(step, best);
    steady = rate > best * 1.03 ? 0 : steady + 1;
    best = Math.max(best, rate);
  }
  return best;
}
