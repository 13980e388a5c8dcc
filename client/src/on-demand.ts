/** Parts of the client that load at their first use, so that apps that do not use them do not load them. */
import { connectionError } from './failure.ts';

/**
 * A function that loads a module once. It rejects with a ConnectionError when the load fails, as in a browser that is
 * offline; the next use then loads again.
 */
export function onDemand<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loaded: Promise<Module> | undefined;
  return () =>
    (loaded ??= load().catch((cause: unknown) => {
      loaded = undefined;
      throw connectionError({ operation: 'import', attempts: 1 }, cause, 'the import of a module');
    }));
}

/** The module for error responses, and for the headers of all responses. */
export const errorResponses = onDemand(() => import('./error-of.ts'));

/** What a lazy iterator opens: `next`, a method that ends it, and one with a result. */
type Opened<Names extends string> = Pick<AsyncIterator<unknown, void, undefined>, 'next'> &
  Readonly<Record<Names, () => unknown>>;

const done = { done: true, value: undefined } as const;
/** Only newer runtimes have the symbol. */
const { asyncDispose = 'return' } = Symbol as { readonly asyncDispose?: symbol };

/** An iterator that opens at the first use. `end` and `result` are the names of its other methods. */
export function lazyIterator<End extends string, Result extends string>(
  open: () => Promise<Opened<End | Result>>,
  end: End,
  result: Result,
): object {
  let opened: Promise<Opened<End | Result>> | undefined;
  let isEnded = false;
  const start = (): Promise<Opened<End | Result>> => (opened ??= open());
  const finish = (): void => {
    isEnded = true;
    opened?.then(
      (iterator) => iterator[end](),
      () => {},
    );
  };
  const finishAsync = async (): Promise<IteratorResult<unknown, void>> => {
    finish();
    return done;
  };
  const iterator = {
    next: async () => (isEnded && opened === undefined ? done : (await start()).next()),
    return: finishAsync,
    async throw(error: unknown) {
      finish();
      throw error;
    },
    [end]: finish,
    [result]: async () => (await start())[result](),
    [Symbol.asyncIterator]: () => iterator,
    [asyncDispose]: finishAsync,
  };
  return iterator;
}
