// Loaded into a process before its program: its clocks are not those of the machine. The file CLOCK_FILE, if it is
// there, has two numbers of milliseconds: by how much the clock of the system is set wrong, and how much time has
// passed besides, on that clock and on the monotonic one. It is read when the process starts and at each SIGUSR2;
// then its text is written to CLOCK_FILE.read.
import fs from 'node:fs';

const RealDate = Date;
const file = process.env.CLOCK_FILE!;
let skew = 0;
let passed = 0;
function read(): void {
  const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '0 0';
  [skew, passed] = text.split(' ').map(Number) as [number, number];
  fs.writeFileSync(`${file}.read`, text);
}
read();
process.on('SIGUSR2', read);
// Taken from the system's clock when a process begins, and never again.
Object.defineProperty(performance, 'timeOrigin', { value: performance.timeOrigin + skew });
const monotonic = performance.now.bind(performance);
performance.now = () => monotonic() + passed;

const wallClock = (): number => RealDate.now() + skew + passed;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, made): object =>
    Reflect.construct(target, args.length === 0 ? [wallClock()] : args, made) as object,
  apply: () => new Date().toString(),
  get: (target, name, receiver) => (name === 'now' ? wallClock : Reflect.get(target, name, receiver)),
});
