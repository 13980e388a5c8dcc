/** The operator's descriptions of accounts: in the file of ASSISTANT_ACCOUNTS, in commands, and in storage. */
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import type { ErrorObject } from 'ajv';
import { ConfigError } from '../config/variables.ts';
import { networkOf, permitsInternal, type InternalEndpoints } from '../config/urls.ts';
import { lazy } from '../collections/lazy.ts';
import { requirementOf } from '../contract/requirement.ts';
import { schemaCompiler } from '../contract/schema-compiler.ts';
import type { Account } from '../ports/assistant-provider.ts';
import { codeOf, messageOf } from '../text/error-text.ts';

/** One account at an endpoint, with the member names of the JSON format. */
export interface AccountEntry {
  /** Visible only to the operator. */
  readonly name?: string;
  readonly base_url: string;
  /** Undefined if the endpoint requires no key. */
  readonly api_key?: string;
  readonly model?: string;
  readonly api?: 'responses' | 'chat' | 'messages';
}

/** An invalid entry. The message contains no value of the entry. */
export class AccountError extends Error {
  override readonly name = 'AccountError';
}

const text = {
  type: 'string',
  minLength: 1,
  maxLength: 200,
  pattern: '^[^\\p{Cc}]*$',
  'x-expected': 'text without control characters',
};
const entryValidator = lazy(() =>
  schemaCompiler({ allErrors: true, strict: false, verbose: true }).compile<AccountEntry>({
    type: 'object',
    additionalProperties: false,
    required: ['base_url'],
    properties: {
      name: text,
      base_url: { type: 'string', maxLength: 2000 },
      api_key: {
        type: 'string',
        maxLength: 4096,
        pattern: '^[!-~]+$',
        'x-expected': 'printable characters without spaces',
      },
      model: text,
      api: { enum: ['responses', 'chat', 'messages'] },
    },
  }),
);

const memberValues = (values: unknown): string => (Array.isArray(values) ? values.join(', ') : '');

const memberNames = 'name, base_url, api_key, model, api';

function faultMessage(error: ErrorObject): string {
  const { instancePath, keyword, params } = error;
  const where = instancePath === '' ? '' : `'${instancePath.slice(1)}' `;
  if (keyword === 'additionalProperties')
    return `has an unknown member '${String(params['additionalProperty'])}'; it may have ${memberNames}`;
  if (keyword === 'required') return `'${String(params['missingProperty'])}' is missing`;
  if (keyword === 'enum') return `${where}must be one of ${memberValues(params['allowedValues'])}`;
  return `${where}${requirementOf(error)}`;
}

/** The URL in the canonical form that ids are derived from; undefined if it is no valid endpoint. */
function normalisedEndpoint(baseUrl: string): string | undefined {
  const url = URL.parse(baseUrl);
  const usable =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username === '' &&
    url.password === '' &&
    url.search === '' &&
    url.hash === '';
  return usable ? url.href.replace(/\/+$/, '') : undefined;
}

/** Validates an entry. Throws AccountError that names the invalid member and the expected value. */
export function readEntry(value: unknown): AccountEntry {
  const isEntry = entryValidator();
  if (!isEntry(value)) throw new AccountError((isEntry.errors ?? []).map(faultMessage).join('; '));
  const base_url = normalisedEndpoint(value.base_url);
  if (base_url === undefined)
    throw new AccountError(
      "'base_url' must be an http or https URL without user, password, query and fragment, such as https://api.example/v1",
    );
  return { ...value, base_url };
}

/**
 * Checks the endpoint of an entry that the operator adds on the machine, by a command or the accounts file: https, or http on this
 * machine, and in private networks if ASSISTANT_HTTP permits it. Throws AccountError.
 */
export function requireSafeEndpoint({ base_url }: AccountEntry, setting: InternalEndpoints): void {
  const { protocol, hostname } = new URL(base_url);
  if (protocol === 'https:' || permitsInternal(setting === 'private' ? setting : 'loopback', networkOf(hostname)))
    return;
  throw new AccountError(
    "'base_url' must be https: over http others can read the key; http is for this machine, and with ASSISTANT_HTTP=private for private networks",
  );
}

/**
 * The same for an entry that comes over HTTP, also for https: it must not reach into the network of the server, unless
 * ASSISTANT_HTTP permits it. Throws AccountError.
 */
export function requirePublicEndpoint(value: unknown, setting: InternalEndpoints): void {
  const { protocol, hostname } = new URL(readEntry(value).base_url);
  const network = networkOf(hostname);
  if (permitsInternal(setting, network) || (protocol === 'https:' && network === 'public')) return;
  throw new AccountError(
    network === 'loopback' || network === 'private'
      ? `'base_url' is in the network of the server: the operator permits it with ASSISTANT_HTTP=${network}`
      : "'base_url' must be https, at a public host: over http others can read the key",
  );
}

/**
 * The id of an account, derived from endpoint and key, by which a provider counts. So an account that is removed and
 * added again keeps its used slots. 40 bits of a SHA-256 do not reveal the key.
 */
export const idOf = ({ base_url, api_key = '' }: AccountEntry): string =>
  createHash('sha256').update(`${base_url}\0${api_key}`).digest('hex').slice(0, 10);

export function accountOf(entry: AccountEntry): Account {
  const { base_url: baseUrl, api_key: apiKey, model, api } = entry;
  return {
    id: idOf(entry),
    baseUrl,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(model === undefined ? {} : { model }),
    ...(api === undefined ? {} : { api }),
  };
}

/** Whether an entry is a model server on this machine without a key, to which nothing leaves the machine. */
export const isModelServer = ({ base_url, api_key }: AccountEntry): boolean =>
  api_key === undefined && networkOf(new URL(base_url).hostname) === 'loopback';

/** The model of the local accounts, which is not a language model. */
export const localModel = 'local-extractive-2';

/** Five accounts that need no endpoint. */
export const localAccounts: readonly Account[] = [1, 2, 3, 4, 5].map((n) => ({ id: `local-${n}`, model: localModel }));

/**
 * Reads a JSON file with a list of entries. `exposed` means that other users can read the file. Throws ConfigError if
 * the file cannot be read, is not such a list, or contains an account twice or with an endpoint that `setting` does not permit.
 */
export async function readAccountsFile(
  path: string,
  setting: InternalEndpoints,
): Promise<{ entries: AccountEntry[]; exposed: boolean }> {
  const fault = (reason: string): ConfigError => new ConfigError([`ASSISTANT_ACCOUNTS=${path}: ${reason}`]);
  let json: string;
  let mode: number;
  try {
    json = await readFile(path, 'utf8');
    ({ mode } = await stat(path));
  } catch (error) {
    throw fault(`cannot be read (${codeOf(error) ?? messageOf(error)})`);
  }
  let list: unknown;
  try {
    list = JSON.parse(json);
  } catch {
    // The parser's message quotes the text, which contains the keys.
    throw fault('is not valid JSON');
  }
  if (!Array.isArray(list)) throw fault(`expected a list of accounts, each an object with ${memberNames}`);
  const seen = new Map<string, number>();
  const entries = list.map((value, n) => {
    try {
      const entry = readEntry(value);
      requireSafeEndpoint(entry, setting);
      const twin = seen.get(idOf(entry));
      if (twin !== undefined)
        throw new AccountError(`is the same account as account ${twin}: its questions would be counted twice`);
      seen.set(idOf(entry), n + 1);
      return entry;
    } catch (error) {
      throw fault(`account ${n + 1} ${messageOf(error)}`);
    }
  });
  return { entries, exposed: (mode & 0o077) !== 0 };
}
