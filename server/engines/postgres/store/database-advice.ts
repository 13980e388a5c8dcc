import { messageOf } from '../../../text/error-text.ts';

const untrusted =
  'add sslrootcert=FILE with the certificate of the authority to DATABASE_URL, or sslmode=require, which encrypts without checking the certificate';

/** What an operator can do about an error of PostgreSQL or of the connection to it, by its code (appendix A of the PostgreSQL manual). */
const advice: Readonly<Record<string, string>> = {
  // invalid_catalog_name
  '3D000': 'create the database with createdb, or correct DATABASE_URL',
  // invalid_authorization_specification, invalid_password
  '28000': 'check the user in DATABASE_URL, and pg_hba.conf of the server',
  '28P01': 'check the user and the password in DATABASE_URL',
  // insufficient_privilege
  '42501': 'the user of DATABASE_URL must own the schema of the service and its tables, or be allowed to create it',
  // duplicate_table
  '42P07': 'another program has tables in this schema: choose another one with ?schema=NAME in DATABASE_URL',
  // read_only_sql_transaction
  '25006': 'DATABASE_URL must be the primary server, not a replica',
  // Certificates (codes of OpenSSL).
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID:
    'the certificate is for another name: use that name as the host in DATABASE_URL, or sslmode=verify-ca with sslrootcert=FILE',
  CERT_HAS_EXPIRED: 'renew the certificate of the server; sslmode=require encrypts without checking it',
  ENOENT: 'check the folder of the Unix socket in DATABASE_URL, and that PostgreSQL runs',
  ECONNREFUSED: 'check that PostgreSQL runs at the address in DATABASE_URL',
  ENOTFOUND: 'check the host in DATABASE_URL',
};

/** The advice for an error, after `; `; empty where there is none. */
export function adviceFor(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  if (/does not support SSL/.test(messageOf(error)))
    return '; the server has no TLS: set ssl=on there, or sslmode=disable in DATABASE_URL';
  if (code === '28000' && /no encryption|SSL off/.test(messageOf(error)))
    return '; the server requires TLS: add sslmode=require to DATABASE_URL';
  return typeof code === 'string' && Object.hasOwn(advice, code) ? `; ${advice[code]}` : '';
}
