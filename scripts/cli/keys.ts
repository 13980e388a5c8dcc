/** `npm run keys -- create | list | revoke ID | rotate-secrets`: manages API keys and secrets, with or without a running server. */
import { parseArgs } from 'node:util';
import { readConfig } from '../../server/config/config.ts';
import { connectControl } from '../../server/admin/control-client.ts';
import { openSecrets } from '../../server/storage/document-secrets.ts';
import { DocumentKeys, type KeyFile } from '../../server/keys/keys.ts';
import type { KeyEntry } from '../../server/ports/keys.ts';
import { keyScopes } from '../../server/keys/scopes.ts';
import { keyTable } from '../../server/keys/key-table.ts';
import { keyCommands, type NewKeyRequest } from '../../server/keys/key-commands.ts';
import { openCommandDocuments, type CommandSettings } from './open-command-store.ts';
import { fail, UsageError } from './failure.ts';

const meanings = Object.entries(keyScopes).map(
  ([scope, opens]) => `                         ${scope.padEnd(11)}${opens}`,
);

const usage = `Usage: npm run keys -- COMMAND

  create --name NAME     makes a key and prints it; it cannot be shown again
    --scopes LIST        what it is made for, separated by commas; all but admin where this is left out:
${meanings.join('\n')}
    --rate RATE          requests per period, such as 600/1m, 10/s or 5000/1h, or off; RATE_LIMIT where this is left out
    --expires WHEN       30d (m, h, d or w), 2027-01-31 (from 00:00 UTC on), or 2027-01-31T18:00:00Z; never where this is left out
  list                   shows the stored keys, with the last use of each
  revoke ID              ends a key, and its event streams
  rotate-secrets         makes new secrets for page cursors, conversation ids and tokens; the next start of the server uses them.
                         Page cursors, conversations and short-lived tokens from before are then refused; API keys stay valid

  --json                 prints what came out as JSON

A running server knows of a key at once. DATA_DIR names its data folder (./data).
Exit code: 0 for success, 1 for a failure, 2 for invalid arguments.`;

const options = {
  name: { type: 'string' },
  scopes: { type: 'string' },
  rate: { type: 'string' },
  expires: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

type Routes = ReturnType<typeof keyCommands> & { 'secrets/rotate': (value: unknown) => Promise<void> };
type Call = <Route extends keyof Routes>(route: Route, value: unknown) => Promise<Awaited<ReturnType<Routes[Route]>>>;

/** Runs `use` against the running server of this data directory, or against the directory if no server runs. */
async function withKeys<T>(settings: CommandSettings, use: (call: Call) => Promise<T>): Promise<T> {
  const control = await connectControl(settings.dataDir);
  if (control) {
    try {
      return await use((route, value) => control.call(route, value) as never);
    } finally {
      control.close();
    }
  }
  const store = await openCommandDocuments(settings);
  try {
    const keys = new DocumentKeys(await store.document<KeyFile>('keys', { keys: [] }));
    const routes: Routes = {
      ...keyCommands(keys),
      'secrets/rotate': async () => (await openSecrets(store)).rotate(),
    };
    return await use((route, value) => routes[route](value) as never);
  } finally {
    await store.close();
  }
}

/** The output of a command, as text and as JSON. */
interface Output {
  readonly text: string;
  readonly json: unknown;
}

const describeKey = ({ scopes: granted, rate, expires_at: expires }: KeyEntry): string =>
  [
    granted?.join(', ') ?? 'everything but admin',
    rate === undefined ? 'the usual rate' : `rate ${rate}`,
    expires === undefined ? 'does not expire' : `until ${expires}`,
  ].join('; ');

/** Runs one command. Throws an Error with a message for the operator. */
async function run([command, ...rest]: readonly string[], request: NewKeyRequest, call: Call): Promise<Output> {
  const hasNoOptions = Object.values(request).every((value) => value === undefined);
  if (command === 'create' && rest.length === 0) {
    const created = await call('keys/create', { ...request, name: request.name ?? 'unnamed' });
    const entry = (await call('keys/list', null)).find(({ id }) => id === created.id);
    const about = entry === undefined ? '' : ` (${describeKey(entry)})`;
    return {
      text: `${created.key}\nThis is key ${created.id}${about}. Keep it now: only its hash is stored.`,
      json: { ...entry, ...created },
    };
  }
  if (command === 'list' && rest.length === 0 && hasNoOptions) {
    const entries = await call('keys/list', null);
    return { text: keyTable(entries, Date.now()), json: entries };
  }
  const [id] = rest;
  if (command === 'revoke' && id !== undefined && rest.length === 1 && hasNoOptions) {
    if (!(await call('keys/revoke', id))) throw new Error(`there is no stored key ${id}: see \`npm run keys -- list\``);
    return { text: `key ${id} is revoked`, json: { id, revoked: true } };
  }
  if (command === 'rotate-secrets' && rest.length === 0 && hasNoOptions) {
    await call('secrets/rotate', null);
    return {
      text: 'new secrets are stored: the next start of the server uses them, and refuses page cursors, conversations and short-lived tokens from before',
      json: { rotated: true },
    };
  }
  throw new UsageError(usage);
}

if (import.meta.main) {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options });
    const { json, help, ...request } = values;
    if (help) console.log(usage);
    else {
      const output = await withKeys(readConfig(process.env), (call) => run(positionals, request, call));
      console.log(json ? JSON.stringify(output.json, null, 2) : output.text);
    }
  } catch (error) {
    fail(error, 'keys');
  }
}
