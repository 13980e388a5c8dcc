/**
 * The files with the version of the project. The service, the contract, the protocol of /ws and the client share one
 * version, which the release command writes to all of these files. `spec/archive.yaml` has the separate version of the
 * record format.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMap, isScalar, type Scalar } from 'yaml';
import { parseYaml } from '../../contract-tools/files/index.ts';

type VersionFormat = {
  /** The version in a text; undefined when there is none. */
  read(text: string): string | undefined;
  /** The text with another version and no other change. */
  write(text: string, version: string): string;
};

type Manifest = { version?: string; packages?: { ''?: { version?: string } } };

/** The format of npm: JSON with two spaces and a final newline. */
const manifest: VersionFormat = {
  read: (text) => (JSON.parse(text) as Manifest).version,
  write(text, version) {
    const value = JSON.parse(text) as Manifest;
    value.version = version;
    // A lock file repeats the version of the project as that of the root package.
    if (value.packages?.['']) value.packages[''].version = version;
    return `${JSON.stringify(value, null, 2)}\n`;
  },
};

/** The scalar of `info.version` with its range in the text. */
function infoVersion(text: string): Scalar | undefined {
  const info = parseYaml(text).document.get('info');
  const version = isMap(info) ? info.get('version', true) : undefined;
  return isScalar(version) ? version : undefined;
}

/** OpenAPI and AsyncAPI: only the characters of `info.version` change, so that comments and layout do not change. */
const specification: VersionFormat = {
  read(text) {
    const value = infoVersion(text)?.value;
    return typeof value === 'string' ? value : undefined;
  },
  write(text, version) {
    const [start, end] = infoVersion(text)?.range ?? [];
    if (start === undefined || end === undefined) throw new Error('a specification without info.version');
    return text.slice(0, start) + version + text.slice(end);
  },
};

const formats = {
  'package.json': manifest,
  'package-lock.json': manifest,
  'client/package.json': manifest,
  'spec/openapi.yaml': specification,
  'spec/asyncapi.yaml': specification,
} as const satisfies Record<string, VersionFormat>;
export type VersionedFile = keyof typeof formats;

/** The paths of the files with the version of the project. */
export const versionedFiles = Object.keys(formats) as readonly VersionedFile[];

/** The version in the text of a versioned file. Throws an Error for the user when there is none. */
export function versionIn(file: VersionedFile, text: string): string {
  const version = formats[file].read(text);
  if (version === undefined) throw new Error(`${file} holds no version`);
  return version;
}

/** Writes a version to every versioned file of the project in `folder`. */
export async function writeVersions(folder: string, version: string): Promise<void> {
  for (const file of versionedFiles) {
    const path = join(folder, file);
    await writeFile(path, formats[file].write(await readFile(path, 'utf8'), version));
  }
}
