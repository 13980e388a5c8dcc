/** The key and the URL of the service: from options, the environment, or a file that only its owner can read. */
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { WrongCall, type Io } from './io.ts';

export interface Credentials {
  readonly baseUrl?: string;
  readonly apiKey?: string;
}

const fileOf = ({ env, home }: Io): string =>
  env['SOCIAL_DATA_CREDENTIALS'] ??
  join(env['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'social-data', 'credentials.json');

/** The stored credentials; none without a file. Throws a WrongCall for a file that others can read, or that is damaged. */
async function stored(io: Io): Promise<Credentials> {
  const file = fileOf(io);
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) return {};
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0)
    throw new WrongCall(`others can read ${file}: run chmod 600 on it`);
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Credentials;
  } catch {
    throw new WrongCall(`${file} is damaged: run social-data login again`);
  }
}

/** The credentials: an option wins over the environment, and this over the file. */
export async function credentialsOf(io: Io, baseUrl?: string): Promise<Required<Credentials>> {
  const { SOCIAL_DATA_BASE_URL: envUrl, SOCIAL_DATA_API_KEY: envKey } = io.env;
  const isComplete = (baseUrl ?? envUrl) !== undefined && envKey !== undefined;
  const file = isComplete ? {} : await stored(io);
  const url = baseUrl ?? envUrl ?? file.baseUrl;
  const apiKey = envKey ?? file.apiKey;
  if (url === undefined || apiKey === undefined)
    throw new WrongCall(
      'no service and key: run social-data login, or set SOCIAL_DATA_BASE_URL and SOCIAL_DATA_API_KEY',
    );
  return { baseUrl: url, apiKey };
}

/** Stores the credentials with mode 0600. Returns the path of the file. */
export async function storeCredentials(io: Io, credentials: Credentials): Promise<string> {
  const file = fileOf(io);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, `${JSON.stringify(credentials)}\n`, { mode: 0o600 });
  return file;
}
