/** Runs Jest with three workers on two cores, unless the arguments state a number: many tests wait for a process, a browser or a timer. */
import { availableParallelism } from 'node:os';
import { run } from 'jest';

const given = process.argv.slice(2);
const isStated = given.some((argument) => /^(?:-w|--maxWorkers|-i$|--runInBand)/.test(argument));
const workers = Math.ceil(availableParallelism() * 1.5);
await run(isStated ? given : [...given, `--maxWorkers=${workers}`]);
