/** `npm run keys -- create [--name NAME] | list | revoke ID`: makes, lists and ends API keys, whether or not the server runs. */
import { parseArgs } from 'node:util';
import { readConfig } from '../server/config.ts';
import { connectControl } from '../server/control/control-client.ts';
import { keyRoutes, keysOf, type KeyEntry, type KeyFile } from '../server/keys/keys.ts';
import { openLowdbStore } from '../server/store/lowdb-store.ts';

const usage = `Usage: npm run keys -- COMMAND

  create [--name NAME]  makes a key and prints it; it cannot be shown again
  list                  lists the keys: id, when it was made, name
  revoke ID             ends a key

A running server knows of the change at once. DATA_DIR names its data folder (./data).`;

type Call = (route: keyof ReturnType<typeof keyRoutes>, value: unknown) => Promise<unknown>;

/** Runs `use` against the running server of this data folder, or else against the folder itself. */
async function withKeys<T>(directory: string, use: (call: Call) => Promise<T>): Promise<T> {
  const control = await connectControl(directory);
  if (control) {
    try {
      return await use((route, value) => control.call(route, value));
    } finally {
      control.close();
    }
  }
  const store = await openLowdbStore(directory);
  try {
    const routes = keyRoutes(keysOf(await store.document<KeyFile>('keys', { keys: [] })));
    return await use((route, value) => routes[route](value));
  } finally {
    await store.close();
  }
}

/** Runs one command; returns the lines to print. Throws an Error with a message for the operator. */
async function run([command, ...rest]: readonly string[], name: string, call: Call): Promise<string> {
  if (command === 'create' && rest.length === 0) {
    const { id, key } = (await call('keys/create', name)) as { id: string; key: string };
    return `${key}\nThis is key ${id}. Keep it now: only its hash is stored.`;
  }
  if (command === 'list' && rest.length === 0) {
    const entries = (await call('keys/list', null)) as KeyEntry[];
    return entries.map((entry) => `${entry.id}  ${entry.created_at}  ${entry.name}`).join('\n') || 'no stored keys';
  }
  const [id] = rest;
  if (command === 'revoke' && id !== undefined && rest.length === 1) {
    if (!(await call('keys/revoke', id))) throw new Error(`there is no stored key ${id}: see \`npm run keys -- list\``);
    return `key ${id} is revoked`;
  }
  throw new Error(usage);
}

if (import.meta.main) {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { name: { type: 'string', default: 'unnamed' }, help: { type: 'boolean', default: false } },
    });
    if (values.help) console.log(usage);
    else console.log(await withKeys(readConfig(process.env).dataDir, (call) => run(positionals, values.name, call)));
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
