// Loaded into a process before its program: kills it at the nth operation that changes its files or a SQLite file, before, in the middle of or after it.
// DIE_AT is the number of the operation, DIE_HOW one of `before`, `half` and `after`. At SIGUSR2 both are read from the file DIE_FILE, and
// it is counted from then on.
import fs from 'node:fs';
import { open } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync, StatementSync } from 'node:sqlite';

let at = Number(process.env.DIE_AT);
let how = process.env.DIE_HOW;
let operations = 0;
if (process.env.DIE_FILE !== undefined) {
  process.on('SIGUSR2', () => {
    const [number, moment] = fs.readFileSync(process.env.DIE_FILE!, 'utf8').split(' ');
    [at, how, operations] = [Number(number), moment, 0];
  });
}

function die(): Promise<never> {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => {});
}

// DIE_COUNT names a file that gets the number of operations of a process that has ended by itself.
if (process.env.DIE_COUNT !== undefined)
  process.on('exit', () => fs.writeFileSync(process.env.DIE_COUNT!, String(operations)));

type Operation = (...args: any[]) => any;

/** `half` runs the operation on a part of what it was given. */
function wrap(target: object, name: string, half?: (original: Operation, args: any[]) => Promise<unknown>): void {
  const methods = target as Record<string, Operation>;
  const original = methods[name]!;
  methods[name] = async function (this: unknown, ...args: any[]) {
    const bound = original.bind(this);
    if (++operations !== at) return bound(...args);
    if (how === 'half' && half !== undefined) await half(bound, args);
    else if (how !== 'before') await bound(...args);
    return die();
  };
}

function wrapCallback(name: 'rename' | 'fsync'): void {
  const methods = fs as unknown as Record<string, Operation>;
  const original = methods[name]!;
  methods[name] = (...args: any[]) => {
    if (++operations !== at) return original(...args);
    if (how === 'before') return void die();
    return original(...args.slice(0, -1), die);
  };
}

/** Statements that change a SQLite file, and the ends of transactions: `half` is between two statements of a transaction. */
function wrapStatements(target: object, name: string, changes: (...args: any[]) => boolean): void {
  const methods = target as Record<string, Operation>;
  const original = methods[name]!;
  methods[name] = function (this: unknown, ...args: any[]) {
    if (!changes(...args) || ++operations !== at) return original.apply(this, args);
    if (how !== 'before') original.apply(this, args);
    // The signal ends the process before the call returns.
    process.kill(process.pid, 'SIGKILL');
  };
}

wrapStatements(StatementSync.prototype, 'run', () => true);
wrapStatements(DatabaseSync.prototype, 'exec', (text: string) => !/^\s*(PRAGMA|BEGIN|ROLLBACK)/.test(text));
const handle = await open(process.execPath);
const prototype = Object.getPrototypeOf(handle) as object;
await handle.close();
wrap(prototype, 'appendFile', (original, [bytes]) => original(bytes.subarray(0, bytes.length >> 1)));
for (const name of ['datasync', 'sync', 'truncate']) wrap(prototype, name);
wrap(fs.promises, 'writeFile', (original, [file, text]) => original(file, text.slice(0, text.length >> 1)));
for (const name of ['rm', 'rename']) wrap(fs.promises, name);
wrapCallback('rename');
wrapCallback('fsync');
syncBuiltinESMExports();
