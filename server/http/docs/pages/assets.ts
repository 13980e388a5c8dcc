/**
 * The scripts and styles of all pages: the files of `generated/pages/`. The name by which a page loads a file has a hash of its content,
 * so that browsers keep it for good, and a page never runs with the files of another version.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { Router, type RequestHandler } from 'express';
import { ServiceError } from '../../../contract/service-error.ts';
import { methodNotAllowed } from '../../express/not-found.ts';
import { protectPages } from '../../express/security-headers.ts';

/** Adds a read-only path. */
export const get = (router: Router, path: string | RegExp, handlers: RequestHandler[]): void =>
  void router
    .route(path)
    .get(...handlers)
    .all(methodNotAllowed(['GET', 'HEAD']));

/** Sends a text from memory, which caches must revalidate. */
export function send(type: string, text: string): RequestHandler {
  const body = Buffer.from(text);
  return (_request, response) => void response.set('Cache-Control', 'no-cache').type(type).send(body);
}

export const routerOptions = { caseSensitive: true, strict: true };

const folder = new URL('../../../../generated/pages/', import.meta.url);

/** How a script names another one: in an import, or as the address of one that it loads later. */
const references = /(["'])\.\/([\w-]+\.js)\1/g;

/** The scripts that a script loads, and those that these load, with itself. */
function reachable(name: string, texts: ReadonlyMap<string, string>, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(name) || !texts.has(name)) return found;
  found.add(name);
  for (const [, , other = ''] of texts.get(name)?.matchAll(references) ?? []) reachable(other, texts, found);
  return found;
}

interface Assets {
  /** The names with hashes, by the names of the files. */
  readonly names: ReadonlyMap<string, string>;
  /** The texts by the names with hashes. */
  readonly texts: ReadonlyMap<string, string>;
}

/**
 * Names the files. Scripts can load each other in a circle, so a hash is that of a script and of all that it loads, as they are in
 * `generated/`.
 */
export function namedAssets(files: ReadonlyMap<string, string>): Assets {
  const names = new Map(
    Array.from(files.keys(), (name) => {
      const hash = createHash('sha256').update(name);
      for (const part of [...reachable(name, files)].toSorted()) hash.update('\0').update(files.get(part) ?? '');
      return [name, name.replace(/\.(?=\w+$)/, `-${hash.digest('hex').slice(0, 12)}.`)] as const;
    }),
  );
  const withNames = (text: string): string =>
    text.replaceAll(references, (whole, quote: string, name: string) =>
      names.has(name) ? `${quote}./${names.get(name)}${quote}` : whole,
    );
  const texts = Array.from(files, ([name, text]) => [names.get(name) ?? name, withNames(text)] as const);
  return { names, texts: new Map(texts) };
}

let assets: Assets | undefined;

/** The files, read at the first use. Pages are made synchronously, and these are a few small files. */
const readAssets = (): Assets =>
  (assets ??= namedAssets(
    new Map(readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder), 'utf8')])),
  ));

/** The path of a file of `generated/pages/` from the root of the service. Throws for a file that does not exist. */
export function assetPath(name: string): string {
  const named = readAssets().names.get(name);
  if (named === undefined) throw new Error(`there is no '${name}' in generated/pages: run \`npm run generate\``);
  return `assets/${named}`;
}

/** A year: the longest time that caches heed. The name of a file changes with its content. */
const forever = 'public, max-age=31536000, immutable';

/** Routes of the scripts and styles. */
export function createAssets(): RequestHandler {
  const router = Router(routerOptions);
  for (const [name, text] of readAssets().texts) {
    const body = Buffer.from(text);
    const type = name.endsWith('.css') ? 'css' : 'text/javascript';
    get(router, `/assets/${name}`, [
      protectPages,
      (_request, response) => void response.set('Cache-Control', forever).type(type).send(body),
    ]);
  }
  // Also for a name of an earlier version, which a page asks for that was opened before an upgrade.
  router.use('/assets', (request, response) => {
    response.set('Cache-Control', 'no-store');
    throw new ServiceError(
      404,
      `file '${request.originalUrl.split('?', 1)[0]}' not found; a page of an earlier version must be loaded anew`,
    );
  });
  return router;
}
