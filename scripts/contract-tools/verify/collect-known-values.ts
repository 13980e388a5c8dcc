/** Collects existing values before the checks: it follows the links of the contract from its examples. */
import { baseCall, linkedCalls } from './base-call.ts';
import { parametersOf, type Call } from './call.ts';
import { operationOf, type Operation } from './contract.ts';
import type { Failure } from './check-response.ts';
import { bodySlot, responseExpressions, nextLink } from './known-values.ts';
import { attempted, attemptedLater, sendAndCheck, jsonOf, succeeded, type Session } from './probes.ts';

/** The maximum number of calls per operation, and of items per response, to collect values from. */
const maxCalls = 4;
const maxItems = 6;

/** Sends calls until there are no new values. Returns the failures of the responses by operation. */
export async function collectKnownValues(session: Session): Promise<Map<Operation, Failure[]>> {
  const failures = new Map<Operation, Failure[]>();
  const callsByOperation = new Map<Operation, Set<string>>();
  const readers = session.contract.operations.filter(({ writes }) => !writes);

  const learnFrom = (operation: Operation, call: Call, body: unknown): void => {
    for (const [name, [value]] of parametersOf(call)) {
      if (value !== undefined && !session.known.isCursor(operation, name) && session.known.isReference(operation, name))
        session.known.learn(operation, name, value);
    }
    for (const link of operation.links.filter(({ name }) => name !== nextLink)) {
      const target = operationOf(session.contract, link.target);
      const fromResponse = new Set(responseExpressions(link).map(([name]) => name));
      for (const next of linkedCalls(session, link, call, body, maxItems)) {
        if (next.body !== undefined) session.known.learn(target, bodySlot, next.body);
        for (const [name, [value]] of parametersOf(next))
          if (value !== undefined && fromResponse.has(name)) session.known.learn(target, name, value);
      }
    }
  };

  for (let learning = true; learning;) {
    learning = false;
    for (const operation of readers) {
      const calls = callsByOperation.get(operation) ?? new Set();
      callsByOperation.set(operation, calls);
      if (calls.size >= (operation.costs ? 1 : maxCalls)) continue;
      const base = attempted(session, operation, () => baseCall(session, operation));
      if (base === undefined) continue;
      const names = [...parametersOf(base).keys()];
      const others = names.flatMap((name) =>
        session.known
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
      const exchange = await attemptedLater(session, operation, () => sendAndCheck(session, fresh));
      failures.set(operation, [...(failures.get(operation) ?? []), ...(exchange?.failures ?? [])]);
      if (succeeded(exchange))
        attempted(session, operation, () => learnFrom(operation, fresh, jsonOf(exchange.response)));
    }
  }
  return failures;
}
