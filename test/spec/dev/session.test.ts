import { expect, test } from '@jest/globals';
import type { ChangeKind, Changes } from '../../../scripts/spec/dev/changes.ts';
import { Session, type Outcome, type SessionTools } from '../../../scripts/spec/dev/session.ts';

const changes = (...files: string[]): Changes => ({
  files: new Map(files.map((file): [string, ChangeKind] => [file, 'changed'])),
  savedAt: 0,
});

/** A session whose tools do nothing; every run of the generator writes `written`. */
function startSession(
  written: readonly string[],
  isOwnWrite: (file: string) => boolean,
  sources: readonly string[] = [],
) {
  const watched: string[] = [];
  const outcomes: Outcome[] = [];
  const checked: string[][] = [];
  const tools: SessionTools = {
    spec: {
      generate: () => Promise.resolve({ written, contract: { entry: '', texts: new Map() }, modules: [], sources }),
      isOwnWrite: (file) => Promise.resolve(isOwnWrite(file)),
      compare: () => Promise.resolve({ subjects: [], version: undefined }),
      isMadeBy: () => false,
      reload: () => Promise.resolve(),
      close: () => Promise.resolve(),
    },
    types: {
      check(files) {
        checked.push([...files.keys()]);
        return Promise.resolve({ product: [], rest: Promise.resolve([]) });
      },
      close() {},
    },
    service: undefined,
  };
  let finished = Promise.withResolvers<void>();
  const session = new Session(tools, {
    onReport: (outcome) => void outcomes.push(outcome),
    onSources: (files) => void watched.push(...files),
    onStart() {},
    onTypesChecked: () => finished.resolve(),
    onFailure: (error) => finished.reject(error),
  });
  return {
    outcomes,
    checked,
    watched,
    session,
    async round(added: Changes): Promise<void> {
      finished = Promise.withResolvers();
      session.add(added);
      await finished.promise;
      // The loop ends its round after this callback.
      await new Promise(setImmediate);
    },
  };
}

test('files that version control writes into generated/ are generated and checked again', async () => {
  const { round, outcomes, checked } = startSession([], () => false);
  await round(changes());
  await round(changes('generated/types.ts', 'server/a.ts'));
  expect(outcomes.map(({ contract }) => contract !== undefined)).toEqual([true, true]);
  expect(checked[1]).toEqual(['generated/types.ts', 'server/a.ts']);
});

test('what the loop itself wrote starts no round, and is left out of the next one', async () => {
  const { round, session, outcomes } = startSession(['generated/types.ts'], (file) => file === 'generated/types.ts');
  await round(changes());
  session.add(changes('generated/types.ts'));
  await round(changes('generated/types.ts', 'server/a.ts'));
  expect(outcomes.map(({ files }) => files)).toEqual([[], ['server/a.ts']]);
});

test('what the loop wrote starts no round, though another program writes the file again before the round ends', async () => {
  let isOwn = true;
  const { session, outcomes, round } = startSession(['generated/types.ts'], () => isOwn);
  const first = round(changes());
  session.add(changes('generated/types.ts'));
  await Promise.resolve();
  isOwn = false;
  await first;
  await round(changes('server/a.ts'));
  expect(outcomes.map(({ files }) => files)).toEqual([[], ['server/a.ts']]);
});

test('a change of a file that the spec refers to is generated, also outside of the watched folders', async () => {
  const { round, outcomes, watched } = startSession([], () => false, ['spec/openapi.yaml', '../shared/user.yaml']);
  await round(changes());
  expect(watched).toContain('../shared/user.yaml');
  await round(changes('../shared/user.yaml', 'server/a.ts'));
  await round(changes('spec/parts/tweet.yaml', 'server/a.ts'));
  await round(changes('spec/released/openapi.json', 'server/a.ts'));
  expect(outcomes.map(({ contract }) => contract !== undefined)).toEqual([true, true, true, false]);
});

test('a change of a page, or of code that pages contain, is generated; a page is also checked', async () => {
  const { round, outcomes, checked } = startSession([], () => false);
  await round(changes());
  await round(changes('pages/home/main.tsx'));
  await round(changes('pages/site.css', 'server/a.ts'));
  await round(changes('client/src/retry.ts'));
  await round(changes('server/a.ts'));
  expect(outcomes.map(({ contract }) => contract !== undefined)).toEqual([true, true, true, true, false]);
  expect(checked[1]).toEqual(['pages/home/main.tsx']);
});
