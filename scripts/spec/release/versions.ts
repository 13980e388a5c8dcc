/**
 * Where the version of the project is written. The service, the contract, the protocol of /ws and the client have one
 * version, which the release command writes to all of these files. `spec/archive.yaml` has a version of its own: the
 * version of the record format, which changes on its own schedule.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMap, isScalar, parseDocument, type Scalar } from 'yaml';

type Form = {
  /** The version that a text holds; undefined where it holds none. */
  read(text: string): string | undefined;
  /** The text with another version; the rest stays as it is. */
  write(text: string, version: string): string;
};

type Manifest = { version?: string; packages?: { ''?: { version?: string } } };

/** npm's files: npm itself writes them with two spaces and a newline at the end. */
const manifest: Form = {
  read: (text) => (JSON.parse(text) as Manifest).version,
  write(text, version) {
    const value = JSON.parse(text) as Manifest;
    value.version = version;
    // A lock file repeats the version of the project as that of the root package.
    if (value.packages?.['']) value.packages[''].version = version;
    return `${JSON.stringify(value, null, 2)}\n`;
  },
};

/** The scalar of `info.version`, with its place in the text. */
function infoVersion(text: string): Scalar | undefined {
  const info = parseDocument(text).get('info');
  const version = isMap(info) ? info.get('version', true) : undefined;
  return isScalar(version) ? version : undefined;
}

/** OpenAPI and AsyncAPI: only the characters of `info.version` change, so that comments and layout stay. */
const specification: Form = {
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

const forms = {
  'package.json': manifest,
  'package-lock.json': manifest,
  'client/package.json': manifest,
  'spec/openapi.yaml': specification,
  'spec/asyncapi.yaml': specification,
} as const satisfies Record<string, Form>;
export type VersionedFile = keyof typeof forms;

/** The files that hold the version of the project, from its folder. */
export const versionedFiles = Object.keys(forms) as readonly VersionedFile[];

/** The version that the text of a versioned file holds. Throws an Error for the user where it holds none. */
export function versionIn(file: VersionedFile, text: string): string {
  const version = forms[file].read(text);
  if (version === undefined) throw new Error(`${file} holds no version`);
  return version;
}

/** Writes a version to every versioned file of the project in `folder`. */
export async function writeVersions(folder: string, version: string): Promise<void> {
  for (const file of versionedFiles) {
    const path = join(folder, file);
    await writeFile(path, forms[file].write(await readFile(path, 'utf8'), version));
  }
}
