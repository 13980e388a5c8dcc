/** Opens the follow commands: in the running server, or on the storage where no server runs on the data directory. */
import { connectControl, type Control } from '../../server/admin/control-client.ts';
import type { Config } from '../../server/config/config.ts';
import type { OpenFollow } from '../../server/follow/follow-routes.ts';

const inServer = (control: Control): OpenFollow => ({
  call: (route, value) => control.call(route, value) as never,
  backfill: async (targets, limit) => (await control.stream('follow/backfill', { targets, limit })).chunks,
  isRunning: async () => true,
  close: async () => control.close(),
});

/**
 * `creates`: whether to make a data directory where there is none.
 * Rejects with StoreError, and with the errors of the control socket.
 */
export async function openFollow(config: Config, creates: boolean): Promise<OpenFollow> {
  const control = await connectControl(config.dataDir);
  if (control !== undefined) return inServer(control);
  // Beside a server, loading these modules would only take time from requests.
  const { openStoredFollow } = await import('./open-stored-follow.ts');
  return openStoredFollow(config, creates);
}
