/** Learns real values by following the links of the contract from the examples in it, before anything else is tried. */
import { baseCall, linkedCalls } from './base-call.ts';
import { parametersOf, type Call } from './call.ts';
import type { Operation } from './contract.ts';
import type { Failure } from './judge.ts';
import { bodySlot, fromAnswer, nextLink } from './known-values.ts';
import { ask, jsonOf, succeeded, type Bench } from './probes.ts';

/** So many calls of each operation are made to learn from, and so many items of an answer are learnt. */
const mostCalls = 4;
const mostItems = 6;

/** Makes calls until nothing new is learnt. Answers what was wrong with the answers, by operation. */
export async function harvest(bench: Bench): Promise<Map<Operation, Failure[]>> {
  const failures = new Map<Operation, Failure[]>();
  const made = new Map<Operation, Set<string>>();
  const readers = bench.contract.operations.filter(({ writes }) => !writes);

  const learnFrom = (operation: Operation, call: Call, body: unknown): void => {
    for (const [name, [value]] of parametersOf(call)) {
      if (!bench.known.isCursor(operation, name) && bench.known.isReference(operation, name))
        bench.known.learn(operation, name, value!);
    }
    for (const link of operation.links.filter(({ name }) => name !== nextLink)) {
      const target = bench.contract.operations.find(({ id }) => id === link.target)!;
      const taken = new Set(fromAnswer(link).map(([name]) => name));
      for (const next of linkedCalls(bench, link, call, body, mostItems)) {
        if (next.body !== undefined) bench.known.learn(target, bodySlot, next.body);
        for (const [name, [value]] of parametersOf(next)) if (taken.has(name)) bench.known.learn(target, name, value!);
      }
    }
  };

  for (let learning = true; learning;) {
    learning = false;
    for (const operation of readers) {
      const calls = made.get(operation) ?? new Set();
      made.set(operation, calls);
      if (calls.size >= (operation.costs ? 1 : mostCalls)) continue;
      const base = baseCall(bench, operation);
      const names = [...parametersOf(base).keys()];
      const others = names.flatMap((name) =>
        bench.known
          .of(operation, name)
          .slice(0, mostCalls)
          .map((value) => ({
            ...base,
            query: base.query.map((part) => ('name' in part && part.name === name ? { name, value } : part)),
          })),
      );
      const fresh = [base, ...others].find((call) => !calls.has(JSON.stringify(call)));
      if (fresh === undefined) continue;
      calls.add(JSON.stringify(fresh));
      learning = true;
      const asked = await ask(bench, fresh);
      failures.set(operation, [...(failures.get(operation) ?? []), ...(asked?.failures ?? [])]);
      if (succeeded(asked)) learnFrom(operation, fresh, jsonOf(asked.answer));
    }
  }
  return failures;
}
