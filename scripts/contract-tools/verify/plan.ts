/** The test plan of an operation: the calls and their order. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { baseCall } from './base-call.ts';
import type { Call } from './call.ts';
import { parameterOf, type Operation } from './contract.ts';
import { declaredDefaults, sameItems } from './list-probes.ts';
import { conditional, links, singleCall, pages, sameHead, type Session, type Probe } from './probes.ts';
import { randomCalls } from './random-call.ts';
import { bodyCalls, distinct, keyCalls, methodCalls, pathCalls, queryCalls, validCalls } from './systematic.ts';

/** The seed of an operation, so that its calls do not depend on the selection of operations. */
export const seedOf = (seed: number, id: string): number =>
  createHash('sha256').update(`${seed} ${id}`).digest().readInt32BE();

/** A call with its probe. */
export interface TestCase {
  readonly probe: Probe;
  readonly call: Call;
}

/** All test cases of an operation. */
export function testCasesOf(session: Session, operation: Operation, seed: number, runs: number): TestCase[] {
  const base = baseCall(session, operation);
  const valid = distinct(validCalls(session, operation, seed));
  const single = distinct([
    ...valid,
    ...queryCalls(session, operation, seed),
    ...keyCalls(session, operation),
    ...methodCalls(session, operation),
    ...pathCalls(session, operation),
    ...bodyCalls(session, operation, seed),
    ...fc.sample(randomCalls(session, operation), { seed, numRuns: runs }),
  ]);
  const sequences: TestCase[] = [
    { probe: links, call: base },
    { probe: conditional, call: base },
  ];
  if (operation.method === 'GET' && !operation.costs) {
    // Few calls of a stream are made, so most of them are single ones.
    const [heads, conditions] = operation.streams ? [1, 0] : [6, 4];
    sequences.push(...valid.slice(0, heads).map((call) => ({ probe: sameHead, call })));
    sequences.push(...valid.map((call) => ({ probe: conditional, call })).slice(1, conditions));
    sequences.push({ probe: declaredDefaults, call: base });
  }
  if (operation.items !== undefined) {
    const [reference] = [...operation.parameters.keys()].filter(
      (name) => session.known.isReference(operation, name) || parameterOf(operation, name).hasSyntax,
    );
    const starts =
      reference === undefined
        ? [base]
        : [
            base,
            ...session.known
              .of(operation, reference)
              .slice(0, 3)
              .map((value) => replaceFirst(base, reference, value)),
          ];
    const limits = operation.parameters.has('limit') ? ['1', '2', '3'] : [];
    const sized = starts.flatMap((call) =>
      limits.map((value): Call => ({ ...call, query: [...call.query, { name: 'limit', value }] })),
    );
    sequences.push(...distinct([...starts, ...sized]).map((call) => ({ probe: pages, call })));
    if (!operation.costs) sequences.push(...starts.map((call) => ({ probe: sameItems, call })));
  }
  // Sequences run first, so that they can spend the budget of operations with a cost.
  return [...sequences, ...single.map((call) => ({ probe: singleCall, call }))];
}
const replaceFirst = (call: Call, name: string, value: string): Call => ({
  ...call,
  query: call.query.map((part) => ('name' in part && part.name === name ? { name, value } : part)),
});
