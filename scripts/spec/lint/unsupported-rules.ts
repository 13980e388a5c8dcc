/** The rule that refuses what the server does not support, by the tables of the server itself. */
import { refusals } from '../../../server/http/unsupported-parts.ts';
import type { OpenApiDocument } from '../../../server/contract/openapi.ts';
import type { PointedFault } from './extension-rules.ts';

/** The parts of a contract that cannot be served; none where the document itself is broken, which other rules report. */
export function unsupportedFaults(document: object): PointedFault[] {
  try {
    // Where scopes are declared, the rule operation-scope reports them.
    const hasScopes = 'x-scopes' in document;
    return refusals(document as OpenApiDocument)
      .filter(({ pointer }) => !(hasScopes && pointer.endsWith('/security')))
      .map((refusal) => ({ rule: 'unsupported', ...refusal }));
  } catch {
    return [];
  }
}
