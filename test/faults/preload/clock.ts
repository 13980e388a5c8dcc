// Loaded into a process before its program: the system's clock is off by the milliseconds that are in the file CLOCK_FILE, at any moment.
import fs from 'node:fs';

const System = Date;
const skew = (): number => Number(fs.readFileSync(process.env.CLOCK_FILE!, 'utf8'));
class Skewed extends System {
  constructor(...args: []) {
    if (args.length === 0) super(System.now() + skew());
    else super(...args);
  }
  static override now(): number {
    return System.now() + skew();
  }
}
globalThis.Date = Skewed as DateConstructor;
// It is taken from the system's clock when a process starts.
const { timeOrigin } = performance;
Object.defineProperty(performance, 'timeOrigin', { value: timeOrigin + skew() });
