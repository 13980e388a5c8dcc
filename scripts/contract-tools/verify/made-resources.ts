/** What the calls of a run have made, by the `Location` of their responses, with the calls that delete it. */
import { parametersOfPath, rawPathValues } from '../../../server/contract/path-template.ts';
import type { Call } from './call.ts';
import type { Contract, Operation } from './contract.ts';
import { headerOf, type HttpResponse } from './send.ts';

export interface Deletion {
  readonly operation: Operation;
  readonly call: Call;
}

export class MadeResources {
  readonly #deleting: readonly Operation[];
  readonly #base: string;
  readonly #made = new Map<string, Deletion>();

  constructor({ operations }: Contract, base: string) {
    this.#base = base;
    this.#deleting = operations.filter(({ method }) => method === 'DELETE');
  }

  /** Notes what a response with 201 says that was made. What no operation deletes by its path alone is left. */
  note(response: HttpResponse): void {
    const location = headerOf(response, 'location');
    if (response.status !== 201 || location === undefined || !URL.canParse(location, this.#base)) return;
    const { pathname } = new URL(location, this.#base);
    const prefix = new URL(this.#base).pathname.replace(/\/$/, '');
    const paths = pathname.startsWith(`${prefix}/`) ? [pathname.slice(prefix.length), pathname] : [pathname];
    for (const path of paths) {
      for (const operation of this.#deleting) {
        const call = deletionOf(operation, path);
        if (call !== undefined) return void this.#made.set(path, { operation, call });
      }
    }
  }

  /** The deletions of what was noted since the last call. */
  take(): Deletion[] {
    const all = [...this.#made.values()];
    this.#made.clear();
    return all;
  }
}

/** The call that deletes what a path names; undefined where the operation has another path, or needs more. */
function deletionOf(operation: Operation, path: string): Call | undefined {
  const { method, path: template, parameters, body, keyLocations } = operation;
  const names = parametersOfPath(template);
  const values = rawPathValues(template, path);
  const needsMore = [...parameters.values()].some(
    ({ name, required, form }) => required && (!names.includes(name) || form),
  );
  if (values.size === 0 || values.size < names.length || needsMore || body?.required) return undefined;
  const query = [...values].map(([name, value]) => ({ name, value: decodeURIComponent(value) }));
  const keys = keyLocations.slice(0, 1).map((location) => ({ location }));
  return { method, path: template, query, headers: [], keys };
}
