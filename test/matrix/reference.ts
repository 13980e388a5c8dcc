/**
 * `npm run docs`: writes the API reference of the client as HTML into client/reference, or into a folder that the caller names. Fails
 * when an exported symbol has no comment, or when typedoc warns. Installs the packages of test/matrix once.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { install, modules } from './install.ts';

install();
const out = process.argv[2] ?? join(import.meta.dirname, '../../client/reference');
const options = ['--options', join(import.meta.dirname, 'typedoc.json'), '--out', out];
const { status } = spawnSync(process.execPath, [join(modules, 'typedoc/bin/typedoc'), ...options], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
