/** The probes: each sends one call, or a sequence of calls, and checks the responses against the contract. */
import { baseCall, formed, linkedCalls, type Source } from './base-call.ts';
import { headersOf, parametersOf, withHeader, withParameter, type Call } from './call.ts';
import type { Link, Operation, Unsupported } from './contract.ts';
import { UnsatisfiableSchema } from '../arbitrary/height.ts';
import type { MadeResources } from './made-resources.ts';
import { nextLink } from './known-values.ts';
import { parseBody } from './parse-body.ts';
import { checkResponse, type Check, type Failure, type ResponseRules } from './check-response.ts';
import { expectationOf, type Expectation, type Oracle } from './oracle.ts';
import type { ResponseWatch } from './response-watch.ts';
import { headerOf, UnreachableError, type HttpResponse, type Sender } from './send.ts';
import { list } from './report-text.ts';

export interface Session extends Source, ResponseRules, Oracle {
  readonly sender: Sender;
  /** Operations that the key lacks the scope for. */
  readonly forbidden: Set<Operation>;
  /** Faults of this program, by operation and place, such as a schema without a value: what they prevent is not checked. */
  readonly faults: Map<string, Unsupported>;
  /** The remaining number of successful calls of operations with a cost. */
  readonly budget: { left: number };
  /** The remaining number of calls for each operation whose success is a stream. */
  readonly streams: Map<Operation, number>;
  /** What the calls of this run have made. */
  readonly made: MadeResources;
  /** The operations that were not called because they would have deleted what existed before. */
  readonly spared: Set<Operation>;
  /** Compares the responses of the whole run. */
  readonly watch: ResponseWatch;
  /** Counts a check. */
  readonly tally: (operation: Operation, check: Check) => void;
}

/** Notes a fault of one operation, so that the run goes on without it. Throws what ends the run: an abort, or no server. */
function noteFault({ faults }: Session, { id, pointer }: Operation, error: unknown): void {
  if (error instanceof UnreachableError || !(error instanceof Error) || error.name === 'AbortError') throw error;
  // `usageError` of an interruption and others of the caller have no place in the contract.
  if (error.message === 'interrupted') throw error;
  const place = error instanceof UnsatisfiableSchema ? error.pointer : pointer;
  const message =
    error instanceof UnsatisfiableSchema ? error.message.replace(/ \(#.*\)$/s, '') : `a check: ${error.message}`;
  faults.set(`${id} ${place}`, { operation: id, pointer: place, message });
}

/** The result of the work for an operation; undefined where it fails, which the report then says. */
export function attempted<Result>(session: Session, operation: Operation, work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    noteFault(session, operation, error);
    return undefined;
  }
}

/** As `attempted`, for work that takes time. */
export const attemptedLater = <Result>(
  session: Session,
  operation: Operation,
  work: () => Promise<Result>,
): Promise<Result | undefined> =>
  work().catch((error: unknown) => {
    noteFault(session, operation, error);
    return undefined;
  });

/** Sends the calls of one probe. Returns the failures, the most severe first. */
export type Probe = (session: Session, call: Call) => Promise<Failure[]>;

/** Calls of an operation whose success is a stream: a service permits few connections of a key at a time and in a minute. */
const maxStreams = 24;

/** Whether a valid call may be sent: it may change data, its cost is in the budget, and it deletes nothing that existed before. */
function isPermitted(session: Session, operation: Operation, call: Call): boolean {
  if (operation.writes && !session.write) return false;
  if (operation.costs && session.budget.left === 0) return false;
  const names = [...parametersOf(call)];
  if (
    operation.method === 'DELETE' &&
    names.some(([name, [value = '']]) => session.known.has(operation, name, value))
  ) {
    session.spared.add(operation);
    return false;
  }
  if (!operation.streams) return true;
  const left = session.streams.get(operation) ?? maxStreams;
  session.streams.set(operation, Math.max(0, left - 1));
  return left > 0;
}

interface Exchange {
  readonly response: HttpResponse;
  readonly expectation: Expectation;
  readonly failures: readonly Failure[];
}

/**
 * Sends one call and validates the response. `adjust` changes the expectation of the contract. Returns undefined when the
 * call is not permitted: it changes data without `write`, deletes what existed before, the budget is spent, or the key lacks the scope.
 */
export async function sendAndCheck(
  session: Session,
  given: Call,
  adjust?: (usual: Expectation) => Expectation,
): Promise<Exchange | { readonly failures: readonly Failure[] } | undefined> {
  const method = given.method === 'HEAD' ? 'GET' : given.method;
  const call = formed(
    session.contract.operations.find((each) => each.path === given.path && each.method === method),
    given,
  );
  // Such bytes cannot be sent in a header.
  if (headersOf(call, '').some(([, value]) => /[^\t\x20-\x7e\x80-\u{10ffff}]/u.test(value))) return undefined;
  const usual = await expectationOf(session, call);
  const { operation } = usual;
  if (session.forbidden.has(operation)) return undefined;
  // Another contract need not declare what every server answers to an invalid call, and no operation declares that a method is missing.
  const isDeclared = usual.statuses.some((status) => operation.responses.get(status) !== undefined);
  if ((!session.contract.isStrict || usual.allow !== undefined) && !isDeclared) return undefined;
  if (usual.valid && !isPermitted(session, operation, call)) return undefined;
  const paid = usual.valid && operation.costs;
  if (paid) session.budget.left -= 1;
  const expectation = adjust?.(usual) ?? usual;
  const response = await session.sender.send(
    call,
    operation.timeoutSeconds === undefined ? undefined : operation.timeoutSeconds * 1000,
  );
  session.tally(operation, 'response');
  if ('noResponse' in response) {
    const actual = response.noResponse;
    return {
      failures: [
        {
          check: 'response',
          pointer: expectation.pointer,
          expected: `a response with ${list(expectation.statuses)}`,
          actual,
          kind: actual,
          calls: [call],
        },
      ],
    };
  }
  if (paid && response.status >= 300) session.budget.left += 1;
  if (usual.valid && operation.writes) session.made.note(response);
  for (const check of [
    'status',
    'declared status',
    'media type',
    'schema',
    'headers',
    ...(response.status >= 400 ? (['error'] as const) : []),
  ] as const) {
    session.tally(operation, check);
  }
  const failures = await checkResponse(session, call, expectation, response);
  return { response, expectation, failures: [...failures, ...session.watch.check(operation, call, response)] };
}

const succeeded = (exchange: Awaited<ReturnType<typeof sendAndCheck>>): exchange is Exchange =>
  exchange !== undefined && 'response' in exchange && exchange.response.status >= 200 && exchange.response.status < 300;

/** The failures of the first response, when the probe cannot continue. */
const initialFailures = (exchange: Awaited<ReturnType<typeof sendAndCheck>>): Failure[] => [
  ...(exchange?.failures ?? []),
];

/** The failures of a response within a sequence: a wrong status is a failure of the check of the sequence. */
const asSequence = (failures: readonly Failure[], check: Check, calls: readonly Call[]): Failure[] =>
  failures.map((failure) => ({ ...failure, check: failure.check === 'status' ? check : failure.check, calls }));

/** Checks that the contract permits the response to a single call. */
export const singleCall: Probe = async (session, call) => [...((await sendAndCheck(session, call))?.failures ?? [])];

/** Headers that may differ between two responses to the same call. */
const varying = new Set([
  'date',
  'age',
  'connection',
  'keep-alive',
  'ratelimit',
  'x-request-id',
  'x-event-cursor',
  'transfer-encoding',
]);

/** Checks that HEAD has the status and headers of GET, without a body. */
export const sameHead: Probe = async (session, call) => {
  const first = await sendAndCheck(session, call);
  if (!succeeded(first) || first.failures.length > 0) return initialFailures(first);
  const { operation } = first.expectation;
  const head = await session.sender.send(formed(operation, { ...call, method: 'HEAD' }));
  session.tally(operation, 'HEAD');
  const failure = (expected: string, actual: string, kind = actual): Failure[] => [
    { check: 'HEAD', pointer: operation.pointer, expected, actual, kind, calls: [call, { ...call, method: 'HEAD' }] },
  ];
  if ('noResponse' in head) return failure('a response', head.noResponse);
  if (head.status !== first.response.status)
    return failure(`${first.response.status}, the status of GET`, String(head.status));
  if (head.body.length > 0) return failure('no body', `a body of ${head.body.length} bytes`, 'a body');
  for (const name of new Set([...first.response.headers.keys(), ...head.headers.keys()])) {
    const [ofGet, ofHead] = [first.response.headers.get(name)?.join(', '), head.headers.get(name)?.join(', ')];
    const differs = varying.has(name) ? (ofGet === undefined) !== (ofHead === undefined) : ofGet !== ofHead;
    if (!differs || name === 'connection' || name === 'keep-alive' || name === 'transfer-encoding') continue;
    // The data may have changed between the two calls, so GET is repeated.
    const repeated = await session.sender.send(formed(operation, call));
    if (!('noResponse' in repeated) && repeated.headers.get(name)?.join(', ') !== ofGet) continue;
    return failure(`${name}: ${ofGet ?? '(absent)'}, the value of GET`, `${name}: ${ofHead ?? '(absent)'}`, name);
  }
  return [];
};

/** Checks that If-None-Match with the current ETag gives 304 where the contract declares it, and never elsewhere. */
export const conditional: Probe = async (session, call) => {
  const first = await sendAndCheck(session, call);
  if (!succeeded(first) || first.failures.length > 0) return initialFailures(first);
  const { operation } = first.expectation;
  const declared = operation.responses.get(304);
  session.tally(operation, 'conditional');
  const only =
    (status: number) =>
    (usual: Expectation): Expectation => ({
      ...usual,
      statuses: [status],
      pointer: declared?.pointer ?? `${operation.pointer}/responses`,
      reason: status === 304 ? 'If-None-Match matches this response' : 'If-None-Match has no ETag of this response',
    });
  const etag = headerOf(first.response, 'etag');
  if (declared !== undefined && etag !== undefined) {
    const match = withHeader(call, 'if-none-match', etag);
    const second = await sendAndCheck(session, match, only(304));
    if (second && second.failures.length > 0) {
      // The representation may have changed between the calls.
      const third = await sendAndCheck(session, call);
      const same =
        succeeded(third) &&
        (headerOf(third.response, 'etag') === etag || third.response.body.equals(first.response.body));
      if (same) return asSequence(second.failures, 'conditional', [call, match]);
    }
    // A representation exists, so `*` matches (RFC 9110 §13.1.2).
    const any = withHeader(call, 'if-none-match', '*');
    const third = await sendAndCheck(session, any, only(304));
    if (third && third.failures.length > 0) return asSequence(third.failures, 'conditional', [any]);
  }
  const otherCall = withHeader(call, 'if-none-match', declared === undefined ? '*' : '"verify-no-such-version"');
  const unmatched = await sendAndCheck(session, otherCall, only(first.response.status));
  return asSequence(unmatched?.failures ?? [], 'conditional', [otherCall]);
};

/** Checks that what this run has made can be deleted. */
export const deletesMade: Probe = async (session, call) =>
  asSequence(
    [
      ...((
        await sendAndCheck(session, call, (usual) => ({
          ...usual,
          statuses: usual.operation.responses.statuses().filter((status) => status >= 200 && status < 300),
          reason: 'a call of this run has made it',
        }))
      )?.failures ?? []),
    ],
    'status',
    [call],
  );

const jsonOf = ({ body }: HttpResponse): unknown => {
  const parsed = parseBody(body);
  return 'value' in parsed ? parsed.value : undefined;
};
const expectSuccess =
  (link: Link) =>
  (usual: Expectation): Expectation => ({
    ...usual,
    statuses: usual.operation.responses.statuses().filter(
      (status) =>
        (status >= 200 && status < 300) ||
        (usual.operation.costs && status === 503) ||
        // The state of what the link leads to may not permit the change.
        (usual.operation.writes && status === 409),
    ),
    pointer: link.pointer,
    reason: `the link '${link.name}' of a response leads to this call`,
    valid: true,
  });

/** The maximum number of pages that the probe reads. */
const maxPages = 4;

/**
 * Checks pagination: a page has at most `limit` items, `has_next_page` agrees with `next_cursor`, the next page is readable,
 * no item repeats, and the server rejects a cursor of another request.
 */
export const pages: Probe = async (session, call) => {
  const operation = session.contract.operations.find(
    ({ path, method }) => path === call.path && method === call.method,
  );
  const link = operation?.links.find(({ name }) => name === nextLink);
  if (!operation || !link || operation.items === undefined) return [];
  const [cursorName] = Object.keys(link.parameters).filter((name) =>
    String(link.parameters[name]).startsWith('$response'),
  ) as [string];
  const limit = Number(
    call.query.flatMap((part) => ('name' in part && part.name === 'limit' ? [part.value] : []))[0] ?? Number.NaN,
  );
  const seen = new Map<string, number>();
  let current = call;
  for (let page = 1; page <= maxPages; page++) {
    const exchange = await sendAndCheck(session, current, page === 1 ? undefined : expectSuccess(link));
    session.tally(operation, 'pages');
    if (!succeeded(exchange) || exchange.failures.length > 0)
      return page === 1 ? initialFailures(exchange) : asSequence(initialFailures(exchange), 'pages', [call, current]);
    const fail = (expected: string, actual: string, kind: string): Failure[] => [
      {
        check: 'pages',
        pointer: link.pointer,
        expected,
        actual,
        kind,
        calls: current === call ? [call] : [call, current],
      },
    ];
    const body = jsonOf(exchange.response) as Record<string, unknown> | undefined;
    const items = body?.[operation.items];
    if (!Array.isArray(items)) return [];
    if (items.length > limit) return fail(`at most ${limit} items`, `${items.length} items`, 'too many');
    for (const item of items) {
      const id = String((item as { id?: unknown } | null)?.id ?? JSON.stringify(item));
      const firstPage = seen.get(id);
      if (firstPage !== undefined)
        return fail('each item once', `item ${id} on page ${firstPage} and again on page ${page}`, 'repeated');
      seen.set(id, page);
    }
    const [next] = linkedCalls(session, link, current, body, 1);
    const { has_next_page: more } = body as { has_next_page?: unknown };
    if (typeof more === 'boolean' && more !== (next !== undefined)) {
      return fail(
        'has_next_page exactly where there is a next_cursor',
        `has_next_page ${more}, ${next ? 'with' : 'without'} a cursor`,
        'has_next_page',
      );
    }
    if (!next) return [];
    const cursor = next.query.find((part) => 'name' in part && part.name === cursorName) as { value: string };
    if (page === 1) {
      const cursorFailures = await checkForeignCursors(session, operation, link, call, cursorName, cursor.value);
      if (cursorFailures.length > 0) return cursorFailures;
    }
    // The next page has the same page size.
    current = Number.isNaN(limit) ? next : withParameter(next, 'limit', String(limit));
  }
  return [];
};

/** Checks that the server rejects a modified cursor and a cursor of another operation. */
async function checkForeignCursors(
  session: Session,
  operation: Operation,
  { pointer }: Link,
  call: Call,
  name: string,
  cursor: string,
): Promise<Failure[]> {
  const expectBadRequest = (usual: Expectation): Expectation => ({
    ...usual,
    statuses: [400],
    pointer,
    reason: 'the cursor belongs to another request',
    names: [name],
  });
  const changed = cursor.slice(0, -1) + (cursor.endsWith('A') ? 'B' : 'A');
  const foreign = session.contract.operations.find(
    (other) => other !== operation && other.parameters.has(name) && session.known.isCursor(other, name),
  );
  const invalidCalls = [
    withParameter(call, name, changed),
    ...(foreign ? [withParameter(baseCall(session, foreign), name, cursor)] : []),
  ];
  for (const [index, invalidCall] of invalidCalls.entries()) {
    const exchange = await sendAndCheck(session, invalidCall, expectBadRequest);
    // The other operation may respond with 404 first, because the entity of the call does not exist.
    if (index === 1 && exchange && 'response' in exchange && exchange.response.status === 404) continue;
    const failures = asSequence(exchange?.failures ?? [], 'pages', [call, invalidCall]);
    if (failures.length > 0) return failures;
  }
  return [];
}

/** Checks that every other link of the response leads to a successful call. */
export const links: Probe = async (session, call) => {
  const first = await sendAndCheck(session, call);
  if (!succeeded(first) || first.failures.length > 0) return initialFailures(first);
  const { operation } = first.expectation;
  const failures: Failure[] = [];
  for (const link of operation.links.filter(({ name }) => name !== nextLink)) {
    for (const next of linkedCalls(session, link, call, jsonOf(first.response), 2)) {
      const exchange = await sendAndCheck(session, next, expectSuccess(link));
      if (!exchange) continue;
      session.tally(operation, 'links');
      failures.push(...asSequence(exchange.failures, 'links', [call, next]));
    }
  }
  return failures;
};

export { jsonOf, succeeded };
