/** What is done with a call to learn whether the server keeps the contract: one answer, or several that belong together. */
import { baseCall, linkedCalls, type Source } from './base-call.ts';
import { withHeader, withParameter, type Call } from './call.ts';
import type { Link, Operation } from './contract.ts';
import { nextLink } from './known-values.ts';
import { judge, parseBody, type Check, type Failure, type Judge } from './judge.ts';
import { expectationOf, type Expectation, type Oracle } from './oracle.ts';
import { headerOf, type Answer, type Sender } from './send.ts';
import { list } from './wording.ts';

export interface Bench extends Source, Judge, Oracle {
  readonly sender: Sender;
  /** Operations that the key may not call. */
  readonly forbidden: Set<Operation>;
  /** Calls that may still succeed where success costs something. */
  readonly budget: { left: number };
  /** Told of every check that was made. */
  readonly tally: (operation: Operation, check: Check) => void;
}

/** Sends what must be sent for one call; answers the failures, the gravest first. */
export type Probe = (bench: Bench, call: Call) => Promise<Failure[]>;

interface Asked {
  readonly answer: Answer;
  readonly expectation: Expectation;
  readonly failures: readonly Failure[];
}

/**
 * Makes one call and judges the answer, by what the contract expects unless told otherwise. Undefined where the call must not be
 * made: it could change something and may not, or it costs something and enough was spent, or
 * the key may not call the operation.
 */
export async function ask(
  bench: Bench,
  call: Call,
  told?: (usual: Expectation) => Expectation,
): Promise<Asked | { readonly failures: readonly Failure[] } | undefined> {
  const usual = await expectationOf(bench, call);
  const { operation } = usual;
  if ((usual.valid && operation.writes && !bench.write) || bench.forbidden.has(operation)) return undefined;
  const paid = usual.valid && operation.costs;
  if (paid && bench.budget.left === 0) return undefined;
  if (paid) bench.budget.left -= 1;
  const expectation = told?.(usual) ?? usual;
  const answer = await bench.sender.send(
    call,
    operation.timeoutSeconds === undefined ? undefined : operation.timeoutSeconds * 1000,
  );
  bench.tally(operation, 'answers');
  if ('broken' in answer) {
    const came = answer.broken;
    return {
      failures: [
        {
          check: 'answers',
          pointer: expectation.pointer,
          expected: `an answer with ${list(expectation.statuses)}`,
          came,
          kind: came,
          calls: [call],
        },
      ],
    };
  }
  if (paid && answer.status >= 300) bench.budget.left += 1;
  for (const check of [
    'status',
    'declared status',
    'media type',
    'schema',
    'headers',
    ...(answer.status >= 400 ? (['error'] as const) : []),
  ] as const) {
    bench.tally(operation, check);
  }
  return { answer, expectation, failures: await judge(bench, call, expectation, answer) };
}

const succeeded = (asked: Awaited<ReturnType<typeof ask>>): asked is Asked =>
  asked !== undefined && 'answer' in asked && asked.answer.status >= 200 && asked.answer.status < 300;

/** What to say of the first answer, where there is nothing more to try. */
const spoilt = (asked: Awaited<ReturnType<typeof ask>>): Failure[] => [...(asked?.failures ?? [])];

/** Failures of an answer that belongs to others: a wrong status is a fault of what they are together. */
const together = (failures: readonly Failure[], check: Check, calls: readonly Call[]): Failure[] =>
  failures.map((failure) => ({ ...failure, check: failure.check === 'status' ? check : failure.check, calls }));

/** The answer to the call is one that the contract allows. */
export const oneAnswer: Probe = async (bench, call) => [...((await ask(bench, call))?.failures ?? [])];

/** Headers that may differ between two answers to the same call. */
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

/** HEAD is answered as GET is, without the body. */
export const sameHead: Probe = async (bench, call) => {
  const got = await ask(bench, call);
  if (!succeeded(got) || got.failures.length > 0) return spoilt(got);
  const { operation } = got.expectation;
  const head = await bench.sender.send({ ...call, method: 'HEAD' });
  bench.tally(operation, 'HEAD');
  const failure = (expected: string, came: string, kind = came): Failure[] => [
    { check: 'HEAD', pointer: operation.pointer, expected, came, kind, calls: [call, { ...call, method: 'HEAD' }] },
  ];
  if ('broken' in head) return failure('an answer', head.broken);
  if (head.status !== got.answer.status)
    return failure(`${got.answer.status}, as GET is answered`, String(head.status));
  if (head.body.length > 0) return failure('no body', `a body of ${head.body.length} bytes`, 'a body');
  for (const name of new Set([...got.answer.headers.keys(), ...head.headers.keys()])) {
    const [ofGet, ofHead] = [got.answer.headers.get(name)?.join(', '), head.headers.get(name)?.join(', ')];
    const differs = varying.has(name) ? (ofGet === undefined) !== (ofHead === undefined) : ofGet !== ofHead;
    if (!differs || name === 'connection' || name === 'keep-alive' || name === 'transfer-encoding') continue;
    // What changed between the two calls is no fault of HEAD.
    const again = await bench.sender.send(call);
    if (!('broken' in again) && again.headers.get(name)?.join(', ') !== ofGet) continue;
    return failure(`${name}: ${ofGet ?? '(absent)'}, as with GET`, `${name}: ${ofHead ?? '(absent)'}`, name);
  }
  return [];
};

/** An ETag sent back is answered with 304 without a body, where the contract has that; elsewhere never. */
export const conditional: Probe = async (bench, call) => {
  const got = await ask(bench, call);
  if (!succeeded(got) || got.failures.length > 0) return spoilt(got);
  const { operation } = got.expectation;
  const declared = operation.responses.get(304);
  bench.tally(operation, 'conditional');
  const only =
    (status: number) =>
    (usual: Expectation): Expectation => ({
      ...usual,
      statuses: [status],
      pointer: declared?.pointer ?? `${operation.pointer}/responses`,
      because:
        status === 304
          ? 'If-None-Match names the ETag of this very answer'
          : 'If-None-Match names no version of this answer',
    });
  const etag = headerOf(got.answer, 'etag');
  if (declared !== undefined && etag !== undefined) {
    const match = withHeader(call, 'if-none-match', etag);
    const second = await ask(bench, match, only(304));
    if (second && second.failures.length > 0) {
      // The answer itself may have changed meanwhile.
      const third = await ask(bench, call);
      const same =
        succeeded(third) && (headerOf(third.answer, 'etag') === etag || third.answer.body.equals(got.answer.body));
      if (same) return together(second.failures, 'conditional', [call, match]);
    }
  }
  const other = withHeader(call, 'if-none-match', declared === undefined ? '*' : '"verify-no-such-version"');
  const plain = await ask(bench, other, only(got.answer.status));
  return together(plain?.failures ?? [], 'conditional', [other]);
};

const jsonOf = ({ body }: Answer): unknown => {
  const parsed = parseBody(body);
  return 'value' in parsed ? parsed.value : undefined;
};
const expectSuccess =
  (link: Link) =>
  (usual: Expectation): Expectation => ({
    ...usual,
    statuses: [...usual.operation.responses.keys()].filter(
      (status) => (status >= 200 && status < 300) || (usual.operation.costs && status === 503),
    ),
    pointer: link.pointer,
    because: `the link '${link.name}' of an answer leads here`,
    valid: true,
  });

/** So many pages are walked. */
const mostPages = 4;

/**
 * A page holds no more than was asked for, says alike in both members whether there is another, and leads there; nothing comes
 * twice on the way, and the cursor is refused where it does not belong.
 */
export const pages: Probe = async (bench, call) => {
  const operation = bench.contract.operations.find(({ path, method }) => path === call.path && method === call.method);
  const link = operation?.links.find(({ name }) => name === nextLink);
  if (!operation || !link || operation.items === undefined) return [];
  const [cursorName] = Object.keys(link.parameters).filter((name) =>
    String(link.parameters[name]).startsWith('$response'),
  ) as [string];
  const limit = Number(
    call.query.flatMap((part) => ('name' in part && part.name === 'limit' ? [part.value] : []))[0] ?? Number.NaN,
  );
  const seen = new Map<string, number>();
  let at = call;
  for (let page = 1; page <= mostPages; page++) {
    const asked = await ask(bench, at, page === 1 ? undefined : expectSuccess(link));
    bench.tally(operation, 'pages');
    if (!succeeded(asked) || asked.failures.length > 0)
      return page === 1 ? spoilt(asked) : together(spoilt(asked), 'pages', [call, at]);
    const fail = (expected: string, came: string, kind: string): Failure[] => [
      { check: 'pages', pointer: link.pointer, expected, came, kind, calls: at === call ? [call] : [call, at] },
    ];
    const body = jsonOf(asked.answer) as Record<string, unknown> | undefined;
    const items = body?.[operation.items];
    if (!Array.isArray(items)) return [];
    if (items.length > limit) return fail(`at most ${limit} items`, `${items.length} items`, 'too many');
    for (const item of items) {
      const id = String((item as { id?: unknown } | null)?.id ?? JSON.stringify(item));
      const before = seen.get(id);
      if (before !== undefined)
        return fail('each item once', `item ${id} on page ${before} and again on page ${page}`, 'repeated');
      seen.set(id, page);
    }
    const [next] = linkedCalls(bench, link, at, body, 1);
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
      const misplaced = await misplace(bench, operation, link, call, cursorName, cursor.value);
      if (misplaced.length > 0) return misplaced;
    }
    // The size of a page goes on as it was.
    at = Number.isNaN(limit) ? next : withParameter(next, 'limit', String(limit));
  }
  return [];
};

/** A cursor is refused when it is changed, and by any other operation. */
async function misplace(
  bench: Bench,
  operation: Operation,
  { pointer }: Link,
  call: Call,
  name: string,
  cursor: string,
): Promise<Failure[]> {
  const refused = (usual: Expectation): Expectation => ({
    ...usual,
    statuses: [400],
    pointer,
    because: 'the cursor does not belong here',
    names: [name],
  });
  const changed = cursor.slice(0, -1) + (cursor.endsWith('A') ? 'B' : 'A');
  const foreign = bench.contract.operations.find(
    (other) => other !== operation && other.parameters.has(name) && bench.known.isCursor(other, name),
  );
  const strangers = [
    withParameter(call, name, changed),
    ...(foreign ? [withParameter(baseCall(bench, foreign), name, cursor)] : []),
  ];
  for (const [index, stranger] of strangers.entries()) {
    const asked = await ask(bench, stranger, refused);
    // Where the other operation finds nothing of the call, it may say so first.
    if (index === 1 && asked && 'answer' in asked && asked.answer.status === 404) continue;
    const failures = together(asked?.failures ?? [], 'pages', [call, stranger]);
    if (failures.length > 0) return failures;
  }
  return [];
}

/** Every other link of the answer leads to an answer. */
export const links: Probe = async (bench, call) => {
  const got = await ask(bench, call);
  if (!succeeded(got) || got.failures.length > 0) return spoilt(got);
  const { operation } = got.expectation;
  const failures: Failure[] = [];
  for (const link of operation.links.filter(({ name }) => name !== nextLink)) {
    for (const next of linkedCalls(bench, link, call, jsonOf(got.answer), 2)) {
      const asked = await ask(bench, next, expectSuccess(link));
      if (!asked) continue;
      bench.tally(operation, 'links');
      failures.push(...together(asked.failures, 'links', [call, next]));
    }
  }
  return failures;
};

export { jsonOf, succeeded };
