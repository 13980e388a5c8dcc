/** The settings of the connection in `DATABASE_URL`, with the meaning that they have for libpq (PostgreSQL manual, 34.1). */
import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { codeOf } from '../text/error-text.ts';

/** Whether to use TLS. False: no. Undefined: the variables of the environment decide, such as PGSSLMODE. */
export type Tls = boolean | ConnectionOptions | undefined;

/** One of the hosts of an address. */
export interface DatabaseHost {
  /** A name, an IP address, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number | undefined;
  /** The ways to connect, in the order in which they are tried. */
  readonly tls: readonly Tls[];
}

const sessions = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const;
/** Which of several hosts an address means. */
export type TargetSession = (typeof sessions)[number];
const isTarget = (text: string): text is TargetSession => (sessions as readonly string[]).includes(text);

/** What the client library needs of an address of a database. */
export interface DatabaseSettings {
  /** At least one. */
  readonly hosts: readonly DatabaseHost[];
  /** Undefined: the address says nothing. */
  readonly target: TargetSession | undefined;
  readonly database: string;
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** The file with the password, which each new connection reads; it takes the place of `password`. */
  readonly passwordFile: string | undefined;
  /** The schema that the address names with `?schema=NAME`. */
  readonly schema: string | undefined;
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
 * The ways to connect, as the modes of libpq say: `prefer` takes TLS where the server has it, `allow` where the server demands it; `require`
 * encrypts without a check of the certificate, unless `sslrootcert` names an authority; `verify-full` checks also the name. Without
 * `sslrootcert`, the authorities are those of Node.
 */
function tlsOf(parameters: URLSearchParams): readonly Tls[] {
  const mode = parameters.get('sslmode') ?? undefined;
  const ssl = parameters.get('ssl');
  if (mode !== undefined && !isMode(mode)) throw fault(`'sslmode' must be one of ${modes.join(', ')}`);
  if (mode === 'disable' || (mode === undefined && ['0', 'false'].includes(ssl ?? ''))) return [false];
  const [cert, key] = [fileOf(parameters, 'sslcert'), fileOf(parameters, 'sslkey')];
  const isSystem = parameters.get('sslrootcert') === 'system';
  const ca = isSystem ? undefined : fileOf(parameters, 'sslrootcert');
  const passphrase = parameters.get('sslpassword') ?? undefined;
  const options = { ...(cert && { cert }), ...(key && { key }), ...(ca && { ca }), ...(passphrase && { passphrase }) };
  const isNamed = Object.keys(options).length > 0 || isSystem || parameters.get('sslnegotiation') === 'direct';
  if (mode === undefined) return [isNamed ? options : ssl === null || ssl === '' ? undefined : true];
  if (isSystem && mode !== 'verify-full') throw fault("'sslrootcert=system' requires 'sslmode=verify-full'");
  if (mode === 'verify-full') return [options];
  if (mode === 'verify-ca' && ca === undefined)
    throw fault("'sslmode=verify-ca' requires 'sslrootcert', a file with the certificate of the authority");
  const checksAuthority = ca !== undefined && (mode === 'verify-ca' || mode === 'require');
  if (checksAuthority) return [{ ...options, checkServerIdentity: anyName }];
  const unchecked = { ...options, rejectUnauthorized: false };
  return mode === 'prefer' ? [unchecked, false] : mode === 'allow' ? [false, unchecked] : [unchecked];
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

/** The hosts and ports of an address: names, IPv4 addresses, IPv6 addresses in brackets, or encoded paths. */
function hostsOf(address: string, parameters: URLSearchParams): readonly Pick<DatabaseHost, 'host' | 'port'>[] {
  const inAddress = address.split(',').map((each) => {
    const match = /^(?:\[(?<v6>[^\]]*)\]|(?<name>[^:[\]]*))(?::(?<port>\d*))?$/.exec(each);
    if (match === null) throw fault(expected);
    const { v6, name = '', port = '' } = match.groups ?? {};
    return { host: v6 ?? decoded(name), port };
  });
  const [named, numbers] = [parameters.get('host') ?? '', parameters.get('port') ?? ''];
  const hosts = named === '' ? inAddress.map(({ host }) => host) : named.split(',');
  const ports = numbers === '' ? inAddress.map(({ port }) => port) : numbers.split(',');
  if (ports.length !== 1 && ports.length !== hosts.length)
    throw fault(`there are ${hosts.length} hosts and ${ports.length} ports: expected one port, or one for each host`);
  return hosts.map((host, index) => {
    const port = (ports.length === 1 ? ports[0] : ports[index]) ?? '';
    if (host === '')
      throw fault(
        "the address names no host: for a Unix socket add its folder, such as 'postgres://user@/database?host=/var/run/postgresql'",
      );
    if (port !== '' && !(/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535))
      throw fault("'port' must be a number from 1 to 65535");
    return { host, port: port === '' ? undefined : Number(port) };
  });
}

function targetOf(parameters: URLSearchParams): TargetSession | undefined {
  const target = parameters.get('target_session_attrs') ?? '';
  if (target !== '' && !isTarget(target)) throw fault(`'target_session_attrs' must be one of ${sessions.join(', ')}`);
  return target === '' ? undefined : target;
}

/**
 * Reads an address of a database: with hosts, or with `?host=FOLDER` for a Unix socket, and with the parameters of libpq for TLS and for the
 * choice between hosts. Reads the files of certificates. Throws DatabaseUrlError.
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
  const tls = tlsOf(parameters);
  const settings = {
    // As libpq: a Unix socket has no TLS, but a wrong setting is reported.
    hosts: hostsOf(address, parameters).map((each) => ({ ...each, tls: each.host.startsWith('/') ? [false] : tls })),
    target: targetOf(parameters),
    database,
    user: given(parameters.get('user')) ?? given(decoded(user)),
    password: given(parameters.get('password')) ?? given(decoded(password)),
    passwordFile: given(parameters.get(passwordParameter)),
    schema: parameters.get('schema') ?? undefined,
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

/** The parameter of an address that names the file with the password. libpq has none: its `passfile` has another format. */
const passwordParameter = 'password_file';

/** The address with a file that has the password. */
export const withPasswordFile = (url: string, file: string): string =>
  `${url}${url.includes('?') ? '&' : '?'}${passwordParameter}=${encodeURIComponent(file)}`;
