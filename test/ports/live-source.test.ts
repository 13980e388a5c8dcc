import { describeLiveSource, type LivePlatform } from './live-source.ts';
import { SourceError } from '../../server/ports/live-source.ts';
import { ReferencePlatform, ReferenceSource } from './reference/live-source.ts';

const accounts = ['alice.example.com', 'bob.example.com'] as const;

async function inMemory(): Promise<LivePlatform> {
  const platform = new ReferencePlatform();
  for (const account of accounts) platform.addAccount(account);
  return {
    open: async (held, observer) => new ReferenceSource(platform, held, observer),
    accounts,
    unknownAccount: 'nobody.example.com',
    invalidTargets: ['', 'no spaces', 'search:'],
    publish: async (account, text) => platform.publish(accounts[account], text),
    remove: async (id, isReported) => (isReported ? platform.remove(id) : platform.removeSilently(id)),
    setLikes: async (id, likes) => platform.setLikes(id, likes),
    cut: async () => platform.cut(),
    sendRubbish: async () => platform.sendRubbish(),
    connections: () => platform.connections.length,
    limitNextRequest: async (retryAfterMs) => {
      const error = new SourceError('too many requests', { retryAfterMs });
      Object.defineProperty(platform.disturbances, 'failRequests', {
        configurable: true,
        get() {
          Object.defineProperty(platform.disturbances, 'failRequests', { value: undefined, writable: true });
          return error;
        },
      });
    },
    dispose: async () => {},
  };
}

describeLiveSource('the source in memory', inMemory);
