/**
 * The entry point of the service: enables Node's compile cache, then runs run.ts. Node compiles static imports before
 * the first line runs, so the cache must be enabled before run.ts is imported.
 */
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// The cache is not in the directory for temporary files, because other users could place code there. If the directory
// is not writable, Node uses the existing cache files and continues. NODE_COMPILE_CACHE selects another directory.
if (process.env['NODE_COMPILE_CACHE'] === undefined)
  enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));

await import('./run.ts');
