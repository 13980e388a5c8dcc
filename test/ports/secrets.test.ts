import { expect, test } from '@jest/globals';
import type { Store } from '../../server/ports/storage.ts';
import { openSecrets } from '../../server/storage/document-secrets.ts';
import { sqliteStorage } from './sqlite.ts';
import { ReferenceSecrets, SharedSecrets } from './reference/secrets.ts';
import { emptyDisk, memoryStore } from './reference/store.ts';
import { describeSecrets, describeSharedSecrets, type SecretStorage } from './secrets.ts';

async function onLowdb(): Promise<SecretStorage> {
  const storage = await sqliteStorage();
  let store: Store;
  return {
    ...storage,
    async open() {
      store = await storage.open();
      return openSecrets(store);
    },
    close: () => store.close(),
  };
}

async function shared(): Promise<SecretStorage> {
  const secrets = new SharedSecrets();
  return {
    open: async () => new ReferenceSecrets(secrets),
    close: async () => {},
    failWrites: () => void (secrets.isFailing = true),
    repairWrites: () => void (secrets.isFailing = false),
    dispose: async () => {},
  };
}

describeSecrets('secrets in a document', onLowdb);
describeSecrets('secrets in memory', shared);
describeSharedSecrets('secrets in memory', shared);

test('a secret of an earlier version stays valid; a damaged one is replaced', async () => {
  const stored = Buffer.alloc(32, 5).toString('base64');
  const disk = emptyDisk();
  disk.documents.set('secrets', JSON.stringify({ cursor: stored, conversation: '', short: 'AAAA', number: 5 }));
  const secrets = await openSecrets(memoryStore(disk));
  expect(await secrets.secret('cursor')).toEqual(Buffer.alloc(32, 5));
  for (const name of ['conversation', 'short', 'number']) {
    const secret = await secrets.secret(name);
    expect(secret).toHaveLength(32);
    expect(JSON.parse(disk.documents.get('secrets') ?? '')).toMatchObject({ [name]: secret.toString('base64') });
  }
});
