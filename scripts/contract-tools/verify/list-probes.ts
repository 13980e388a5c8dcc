/** The probes that compare two calls with the same meaning: other page sizes, and defaults that are written out. */
import { linkedCalls } from './base-call.ts';
import { parametersOf, withParameter, type Call } from './call.ts';
import type { Failure } from './check-response.ts';
import type { Link, Operation } from './contract.ts';
import { nextLink } from './known-values.ts';
import { jsonOf, sendAndCheck, succeeded, type Probe, type Session } from './probes.ts';

/** The maximum number of pages of the walk in small steps. */
const maxSteps = 6;

/** The operation of a call. */
const operationOf = ({ contract }: Session, { path, method }: Call): Operation | undefined =>
  contract.operations.find((operation) => operation.path === path && operation.method === method);

const idOf = (item: unknown): string => String((item as { id?: unknown } | null)?.id ?? JSON.stringify(item));

/** The ids of one page and the next call; undefined if the call failed, which other probes report. */
async function readPage(session: Session, operation: Operation, link: Link, call: Call) {
  const exchange = await sendAndCheck(session, call);
  if (!succeeded(exchange)) return undefined;
  const body = jsonOf(exchange.response) as Record<string, unknown> | undefined;
  const items = body?.[operation.items ?? ''];
  if (!Array.isArray(items)) return undefined;
  const [next] = linkedCalls(session, link, call, body, 1);
  return { ids: items.map(idOf), next };
}

/** The ids of the first pages with this limit, and the last call. */
async function walk(session: Session, operation: Operation, link: Link, call: Call, limit: number) {
  const ids: string[] = [];
  let current: Call | undefined = withParameter(call, 'limit', String(limit));
  let last = current;
  let emptyEnd = false;
  for (let step = 0; step < maxSteps && current !== undefined; step++) {
    last = current;
    const page: Awaited<ReturnType<typeof readPage>> = await readPage(session, operation, link, current);
    if (page === undefined) return undefined;
    ids.push(...page.ids);
    emptyEnd = step > 0 && page.ids.length === 0 && page.next === undefined;
    current = page.next && withParameter(page.next, 'limit', String(limit));
  }
  return { ids, last, emptyEnd, isWhole: current === undefined };
}

/**
 * Checks that small pages and one large page have the same items in the same order, and that the last page has an item. The
 * data may change between the calls, so a difference must appear twice.
 */
export const sameItems: Probe = async (session, call) => {
  const operation = operationOf(session, call);
  const link = operation?.links.find(({ name }) => name === nextLink);
  const limit = operation?.parameters.get('limit');
  if (!operation || !link || !limit) return [];
  const { maximum = 100 } = limit.node.schema as { maximum?: number };
  const size = Number(parametersOf(call).get('limit')?.[0] ?? 1);
  const compare = async (): Promise<Failure[]> => {
    const large = withParameter(call, 'limit', String(maximum));
    const whole = await readPage(session, operation, link, large);
    const steps = await walk(session, operation, link, call, size);
    if (whole === undefined || steps === undefined) return [];
    session.tally(operation, 'pages');
    const fail = (expected: string, actual: string, kind: string): Failure[] => [
      { check: 'pages', pointer: link.pointer, expected, actual, kind, calls: [large, steps.last] },
    ];
    if (steps.emptyEnd) return fail('an item on the last page', 'an empty last page', 'empty last page');
    const expected = steps.isWhole
      ? whole.ids.slice(0, Math.max(steps.ids.length, whole.ids.length))
      : whole.ids.slice(0, steps.ids.length);
    const comparable = whole.next === undefined || steps.ids.length <= whole.ids.length;
    const index = expected.findIndex((id, at) => id !== steps.ids[at]);
    if (!comparable || index < 0) return [];
    const actual = steps.ids[index] ?? 'the end of the list';
    return fail(
      `item ${expected[index]} at position ${index + 1}, as in one page of ${maximum}`,
      actual,
      'other items',
    );
  };
  const first = await compare();
  return first.length === 0 ? [] : compare();
};

/** Checks that a call without a parameter has the same response as with the default that the contract declares. */
export const declaredDefaults: Probe = async (session, call) => {
  const operation = operationOf(session, call);
  if (!operation || operation.writes || operation.costs) return [];
  const bodyOf = async (of: Call): Promise<string | undefined> => {
    const exchange = await sendAndCheck(session, of);
    return succeeded(exchange) ? exchange.response.body.toString() : undefined;
  };
  for (const [name, { node, pointer }] of operation.parameters) {
    const { default: value } = node.schema as { default?: unknown };
    if (value === undefined || parametersOf(call).has(name)) continue;
    const given = withParameter(call, name, String(value));
    const [before, explicit, after] = [await bodyOf(call), await bodyOf(given), await bodyOf(call)];
    session.tally(operation, 'defaults');
    // Different responses to the same call: the data changes, or the response is not deterministic.
    if (before === undefined || explicit === undefined || before !== after || before === explicit) continue;
    const expected = `the response with ${name}=${String(value)}, the declared default`;
    const at = `${pointer}/schema/default`;
    return [{ check: 'defaults', pointer: at, expected, actual: 'another response', kind: name, calls: [given, call] }];
  }
  return [];
};
