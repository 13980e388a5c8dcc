/** The settings of the connection in `DATABASE_URL`, with the meaning that they have for libpq (PostgreSQL manual, 34.1). */
import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { codeOf } from '../text/error-text.ts';

/** What the client library needs of an address of a database. */
export interface DatabaseSettings {
  readonly host: string;
  readonly port: number | undefined;
  readonly database: string;
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** The schema that the address names with `?schema=NAME`. */
  readonly schema: string | undefined;
  /** False: no TLS. Undefined: the variables of the environment decide, such as PGSSLMODE. */
  readonly ssl: boolean | ConnectionOptions | undefined;
  /** `options` and `client_encoding`, where the address has them. */
  readonly others: Readonly<Record<string, string>>;
}

/** What is wrong with an address. The message never contains a part of the address, which holds a password. */
export class DatabaseUrlError extends Error {
  override readonly name = 'DatabaseUrlError';
}

const expected = "expected a URL such as 'postgres://user:password@host/database'";
const fault = (problem: string): DatabaseUrlError => new DatabaseUrlError(problem);

const modes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'] as const;
type Mode = (typeof modes)[number];

/** Whether a text is one of the modes. */
const isMode = (text: string): text is Mode => (modes as readonly string[]).includes(text);

function fileOf(parameters: URLSearchParams, name: string): string | undefined {
  const path = parameters.get(name);
  if (path === null || path === '') return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw fault(`the file of '${name}' cannot be read (${codeOf(error) ?? 'unknown'})`);
  }
}

/** No check of the name in the certificate, as `verify-ca` means. */
const anyName = (): undefined => undefined;

/**
 * The TLS settings. As libpq, `require` encrypts without a check of the certificate, unless `sslrootcert` names an authority; `verify-full`
 * checks also the name. Without `sslrootcert`, the authorities are those of Node. `prefer` and `allow` mean `require`: a connection without
 * TLS is not tried instead.
 */
function tlsOf(parameters: URLSearchParams): DatabaseSettings['ssl'] {
  const mode = parameters.get('sslmode') ?? undefined;
  const ssl = parameters.get('ssl');
  if (mode !== undefined && !isMode(mode)) throw fault(`'sslmode' must be one of ${modes.join(', ')}`);
  if (mode === 'disable' || (mode === undefined && ['0', 'false'].includes(ssl ?? ''))) return false;
  const [cert, key] = [fileOf(parameters, 'sslcert'), fileOf(parameters, 'sslkey')];
  const isSystem = parameters.get('sslrootcert') === 'system';
  const ca = isSystem ? undefined : fileOf(parameters, 'sslrootcert');
  const passphrase = parameters.get('sslpassword') ?? undefined;
  const options = { ...(cert && { cert }), ...(key && { key }), ...(ca && { ca }), ...(passphrase && { passphrase }) };
  const isNamed = Object.keys(options).length > 0 || isSystem || parameters.get('sslnegotiation') === 'direct';
  if (mode === undefined) return isNamed ? options : ssl === null || ssl === '' ? undefined : true;
  if (isSystem && mode !== 'verify-full') throw fault("'sslrootcert=system' requires 'sslmode=verify-full'");
  if (mode === 'verify-full') return options;
  if (mode === 'verify-ca' && ca === undefined)
    throw fault("'sslmode=verify-ca' requires 'sslrootcert', a file with the certificate of the authority");
  const checksAuthority = ca !== undefined && (mode === 'verify-ca' || mode === 'require');
  return checksAuthority ? { ...options, checkServerIdentity: anyName } : { ...options, rejectUnauthorized: false };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw fault(`percent-encode '%' and other special characters in the user and the password: ${expected}`);
  }
}

const form =
  /^postgres(?:ql)?:\/\/(?:(?<user>[^:@/?#]*)(?::(?<password>[^@/?#]*))?@)?(?<address>[^/?#@]*)(?:\/(?<name>[^?#]*))?(?:\?(?<query>[^#]*))?$/i;

/** The host and the port of an address: a name, an IPv4 address, an IPv6 address in brackets, or an encoded path. */
function addressOf(address: string, parameters: URLSearchParams): Pick<DatabaseSettings, 'host' | 'port'> {
  const [hosts, ports] = [parameters.get('host') ?? '', parameters.get('port') ?? ''];
  if (`${address}${hosts}${ports}`.includes(','))
    throw fault('several hosts are not supported: name the primary server, or a proxy that finds it');
  const match = /^(?:\[(?<v6>[^\]]*)\]|(?<name>[^:[\]]*))(?::(?<port>\d*))?$/.exec(address);
  if (match === null) throw fault(expected);
  const { v6, name = '', port = '' } = match.groups ?? {};
  const host = hosts || v6 || decoded(name);
  if (host === '')
    throw fault(
      "the address names no host: for a Unix socket add its folder, such as 'postgres://user@/database?host=/var/run/postgresql'",
    );
  const number = ports || port;
  if (number !== '' && !(/^\d{1,5}$/.test(number) && Number(number) >= 1 && Number(number) <= 65_535))
    throw fault("'port' must be a number from 1 to 65535");
  return { host, port: number === '' ? undefined : Number(number) };
}

/**
 * Reads an address of a database: with a host, or with `?host=FOLDER` for a Unix socket, and with the parameters of libpq for TLS. Reads
 * the files of certificates. Throws DatabaseUrlError.
 */
export function readDatabaseUrl(url: string): DatabaseSettings {
  const groups = form.exec(url)?.groups;
  if (groups === undefined) {
    if (/^postgres(?:ql)?:\/\/[^/?#]*@.*@/i.test(url))
      throw fault(`percent-encode '@' and other special characters in the user and the password: ${expected}`);
    throw fault(expected);
  }
  const { user = '', password = '', address = '', name = '', query = '' } = groups;
  const parameters = new URLSearchParams(query);
  const database = decoded(name) || (parameters.get('dbname') ?? '');
  const given = (text: string | null): string | undefined => (text === null || text === '' ? undefined : text);
  const place = addressOf(address, parameters);
  const settings = {
    ...place,
    database,
    user: given(parameters.get('user')) ?? given(decoded(user)),
    password: given(parameters.get('password')) ?? given(decoded(password)),
    schema: parameters.get('schema') ?? undefined,
    // As libpq: a Unix socket has no TLS, but a wrong setting is reported.
    ssl: place.host.startsWith('/') ? tlsOf(parameters) && false : tlsOf(parameters),
    others: Object.fromEntries(
      ['options', 'client_encoding'].flatMap((each) => {
        const value = given(parameters.get(each));
        return value === undefined ? [] : [[each, value]];
      }),
    ),
  };
  if (database === '') throw fault(`the address names no database: ${expected}`);
  return settings;
}
