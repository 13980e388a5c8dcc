/** The packages of scripts/bench, which the service does not have. */
import { codeOf } from '../../server/text/error-text.ts';

export class MissingPackagesError extends Error {}

/** Imports a package of scripts/bench/node_modules. Rejects with MissingPackagesError when it is not installed. */
export async function importPeer<Module>(name: string): Promise<Module> {
  try {
    return (await import(name)) as Module;
  } catch (error) {
    if (codeOf(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new MissingPackagesError(`${name} is not installed: run npm install --prefix scripts/bench`);
  }
}
