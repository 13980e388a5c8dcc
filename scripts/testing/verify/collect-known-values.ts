/** Collects existing values before the checks: it follows the links of the contract from its examples. */
import { baseCall, linkedCalls } from './base-call.ts';
import { parametersOf, type Call } from './call.ts';
import type { Operation } from './contract.ts';
import type { Failure } from './judge.ts';
import { bodySlot, fromAnswer, nextLink } from './known-values.ts';
import { ask, jsonOf, succeeded, type Bench } from './probes.ts';

/** The maximum number of calls per operation, and of items per response, to collect values from. */
const maxCalls = 4;
const maxItems = 6;

/** Sends calls until there are no new values. Returns the failures of the responses by operation. */
export async function harvest(bench: Bench): Promise<Map<Operation, Failure[]>> {
  const failures = new Map<Operation, Failure[]>();
  const callsByOperation = new Map<Operation, Set<string>>();
  const readers = bench.contract.operations.filter(({ writes }) => !writes);

  const learnFrom = (operation: Operation, call: Call, body: unknown): void => {
    for (const [name, [value]] of parametersOf(call)) {
      if (!bench.known.isCursor(operation, name) && bench.known.isReference(operation, name))
        bench.known.learn(operation, name, value!);
    }
    for (const link of operation.links.filter(({ name }) => name !== nextLink)) {
      const target = bench.contract.operations.find(({ id }) => id === link.target)!;
      const fromResponse = new Set(fromAnswer(link).map(([name]) => name));
      for (const next of linkedCalls(bench, link, call, body, maxItems)) {
        if (next.body !== undefined) bench.known.learn(target, bodySlot, next.body);
        for (const [name, [value]] of parametersOf(next))
          if (fromResponse.has(name)) bench.known.learn(target, name, value!);
      }
    }
  };

  for (let learning = true; learning;) {
    learning = false;
    for (const operation of readers) {
      const calls = callsByOperation.get(operation) ?? new Set();
      callsByOperation.set(operation, calls);
      if (calls.size >= (operation.costs ? 1 : maxCalls)) continue;
      const base = baseCall(bench, operation);
      const names = [...parametersOf(base).keys()];
      const others = names.flatMap((name) =>
        bench.known
          .of(operation, name)
          .slice(0, maxCalls)
          .map((value) => ({
            ...base,
            query: base.query.map((part) => ('name' in part && part.name === name ? { name, value } : part)),
          })),
      );
      const fresh = [base, ...others].find((call) => !calls.has(JSON.stringify(call)));
      if (fresh === undefined) continue;
      calls.add(JSON.stringify(fresh));
      learning = true;
      const exchange = await ask(bench, fresh);
      failures.set(operation, [...(failures.get(operation) ?? []), ...(exchange?.failures ?? [])]);
      if (succeeded(exchange)) learnFrom(operation, fresh, jsonOf(exchange.answer));
    }
  }
  return failures;
}
