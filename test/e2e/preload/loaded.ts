/** Writes the files of all modules that a process has loaded, when it ends, into the file that LOADED_FILE names. */
import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const loaded = new Set<string>();
registerHooks({
  load(url, context, next) {
    loaded.add(url);
    return next(url, context);
  },
});
// The first output is marked among the modules.
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = ((...args: Parameters<typeof write>) => {
  loaded.add('first output');
  return write(...args);
}) as typeof write;
process.on('exit', () => writeFileSync(process.env.LOADED_FILE!, JSON.stringify([...loaded])));
