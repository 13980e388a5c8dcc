// Loaded into a process before its program: the system's clock is off by as many milliseconds as the file CLOCK_FILE says, if it is there,
// when the process starts and from each SIGUSR2 on. The monotonic clock is as it was.
import fs from 'node:fs';

const RealDate = Date;
const file = process.env.CLOCK_FILE!;
let skew = 0;
const read = (): void => void (skew = fs.existsSync(file) ? Number(fs.readFileSync(file, 'utf8')) : 0);
read();
process.on('SIGUSR2', read);
// Taken from the system's clock when a process begins, and never again.
Object.defineProperty(performance, 'timeOrigin', { value: performance.timeOrigin + skew });

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, made) => Reflect.construct(target, args.length === 0 ? [target.now() + skew] : args, made) as object,
  apply: () => new Date().toString(),
  get: (target, name, receiver) => (name === 'now' ? () => target.now() + skew : Reflect.get(target, name, receiver)),
});
