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
  ECONNREFUSED: 'check that PostgreSQL runs at the address in DATABASE_URL',
  ENOTFOUND: 'check the host in DATABASE_URL',
};

/** The advice for an error, after `; `; empty where there is none. */
export function adviceFor(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && Object.hasOwn(advice, code) ? `; ${advice[code]}` : '';
}
