import { connectControl } from '../../server/admin/control-client.ts';
import { startControl } from '../../server/admin/control-server.ts';
import { keyCommands } from '../../server/keys/key-commands.ts';
import { DocumentKeys, type KeyFile } from '../../server/keys/keys.ts';
import type { KeyEntry, Keys } from '../../server/ports/keys.ts';
import { openDocuments } from '../../server/storage/lowdb/documents.ts';
import { temporaryFolder } from '../support/folder.ts';
import { describeKeys, type OpenedKeys } from './keys.ts';
import { SharedKeys, SharedKeyTable } from './reference/shared-keys.ts';

/** The embedded adapter. Another process reaches its keys over the control socket, as `npm run keys` does. */
async function openEmbedded(): Promise<OpenedKeys> {
  const folder = await temporaryFolder();
  let store = await openDocuments(folder.path);
  const open = async (): Promise<Keys> => new DocumentKeys(await store.document<KeyFile>('keys', { keys: [] }));
  const keys = await open();
  const control = await startControl(folder.path, keyCommands(keys));
  const client = await connectControl(folder.path);
  if (client === undefined) throw new Error('the control socket does not answer');
  return {
    keys,
    elsewhere: {
      create: async ({ name }) => (await client.call('keys/create', { name })) as { id: string; key: string },
      revoke: async (id) => (await client.call('keys/revoke', id)) as boolean,
      list: async () => (await client.call('keys/list', null)) as KeyEntry[],
    },
    async reopen() {
      await store.close();
      store = await openDocuments(folder.path);
      return open();
    },
    async close() {
      client.close();
      await control.close();
      await store.close();
      await folder.dispose();
    },
  };
}

async function openReference(): Promise<OpenedKeys> {
  const table = new SharedKeyTable();
  const all: SharedKeys[] = [];
  const open = (): SharedKeys => {
    const keys = new SharedKeys(table);
    all.push(keys);
    return keys;
  };
  const keys = open();
  return {
    keys,
    elsewhere: open(),
    reopen: async () => open(),
    cutOff: () => keys.cutOff(),
    close: async () => all.forEach((each) => each.close()),
  };
}

describeKeys('keys in a document', openEmbedded);
describeKeys('the reference adapter with a shared table', openReference);
