/**
 * The entry of the service: has Node keep what it compiles, then runs main.ts. All that main.ts imports statically is compiled before its
 * first line runs, so that the cache must be there before main.ts is imported.
 */
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Beside the code that it is made of, not in the folder for temporary files, where others could put code of theirs for this one to run.
// Where the folder cannot be written, Node reads what is there and goes on. NODE_COMPILE_CACHE names another one.
if (process.env['NODE_COMPILE_CACHE'] === undefined)
  enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));

await import('./run.ts');
