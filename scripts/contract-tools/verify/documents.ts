/** Checks the pages that the contract refers to: links in its texts to paths of the same server. */
import type { Failure } from './check-response.ts';
import type { Session } from './probes.ts';

/** The paths of the same server that Markdown links and `x-syntax` name, without those of the contract's operations. */
export function linkedPages(document: object): string[] {
  const found = new Set<string>();
  const visit = (value: unknown, key: string): void => {
    if (typeof value === 'string') {
      if (key === 'description' || key === 'summary')
        for (const [, path = ''] of value.matchAll(/\]\((\/[^)\s#]*)/g)) found.add(path);
      else if (key === 'x-syntax' && value.startsWith('/')) found.add(value.replace(/#.*$/, ''));
    } else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) visit(inner, name);
  };
  visit(document, '');
  return [...found];
}

/** The failures of the pages that the contract refers to: each must exist and be readable without a key. */
export async function checkDocuments(session: Session): Promise<Failure[]> {
  const failures: Failure[] = [];
  for (const path of linkedPages(session.contract.document)) {
    const call = { method: 'GET', path, query: [], headers: [], keys: [] };
    const response = await session.sender.send(call);
    const actual = 'status' in response ? String(response.status) : response.noResponse;
    if ('status' in response && response.status < 400) continue;
    const expected = `a page at ${path}, to which the contract refers`;
    failures.push({ check: 'documents', pointer: '/info', expected, actual, kind: `${path} ${actual}`, calls: [call] });
  }
  return failures;
}
