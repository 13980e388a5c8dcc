/** The actions on accounts of the assistant, by the rules of `npm run accounts`. */
import type { ListedAccount } from '../assistant/account-registry.ts';
import { requirePublicEndpoint } from '../assistant/accounts.ts';
import { localServers } from '../assistant/local-servers.ts';
import { notFound } from '../contract/service-error.ts';
import type { AccountCommands, Action } from './action.ts';
import { object, text } from './body.ts';

/** Throws 404 for an account that does not exist. */
async function requireAccount(accounts: AccountCommands, id: string): Promise<void> {
  const listed = await accounts['accounts/list'](null);
  if (!listed.some((account) => account.id === id)) throw notFound(`account ${id}`);
}

export const accountActions: readonly Action[] = [
  {
    method: 'get',
    path: '/accounts',
    summary: 'the accounts of the assistant with their state and used questions, without their keys',
    run: async ({ parts: { accounts } }) => ({ accounts: await accounts['accounts/list'](null) }),
  },
  {
    method: 'post',
    path: '/accounts',
    summary: 'adds an account at an endpoint, and finds out whether it can answer; no response has its key',
    // The command validates the members, with messages that contain no value.
    body: object({ base_url: {}, api_key: {}, model: {}, api: {}, name: {} }, ['base_url']),
    subject: (_call, result) => {
      const { id, base_url: url } = (result ?? {}) as Partial<ListedAccount>;
      return id === undefined ? '' : `${id} at ${url ?? ''}`;
    },
    run: ({ parts: { accounts, assistantHttp }, body }) => {
      requirePublicEndpoint(body, assistantHttp);
      return accounts['accounts/add'](body);
    },
  },
  {
    method: 'get',
    path: '/model-servers',
    summary: 'the model servers that answer at their usual ports of the machine of the service, with their models',
    run: async () => ({ servers: await localServers() }),
  },
  {
    method: 'post',
    path: '/model-servers',
    summary: 'adds an account at a model server of the machine of the service, and finds out whether it can answer',
    body: object({ base_url: text(200), model: text(200) }, ['base_url', 'model']),
    subject: (_call, result) => ((result ?? {}) as Partial<ListedAccount>).id ?? '',
    run: async ({ parts: { accounts }, body }) => {
      const { base_url: url, model } = body as { base_url: string; model: string };
      // Only what was found: so no caller reaches another address in the network of the server.
      const server = (await localServers()).find((each) => each.base_url === url && each.models.includes(model));
      if (server === undefined) throw notFound(`a model server at '${url}' with this model`);
      return accounts['accounts/add']({ base_url: url, model, api: 'chat', name: server.name });
    },
  },
  {
    method: 'post',
    path: '/accounts/{id}',
    summary: 'finds out whether an account can answer; costs it one question',
    subject: ({ id }) => id,
    run: async ({ parts: { accounts }, id }) => {
      await requireAccount(accounts, id);
      return accounts['accounts/probe'](id);
    },
  },
  {
    method: 'delete',
    path: '/accounts/{id}',
    summary: 'removes a stored account; its used questions still count when it is added again',
    subject: ({ id }) => id,
    run: async ({ parts: { accounts }, id }) => {
      await requireAccount(accounts, id);
      await accounts['accounts/remove'](id);
      return { id, removed: true };
    },
  },
];
