/** The files of a new project that are its own from the start: each stands where this project has a file of its domain. */

/** Their texts by path. */
export const ownFiles: Readonly<Record<string, string>> = {
  'server/main.ts': `/** The entry point of the service. */
import { readConfig, settings } from './config/config.ts';
import { runService } from './frame-start.ts';
import { createHandlers } from './operations/index.ts';

await runService(process.argv.slice(2), { readConfig, settings, createHandlers });
`,
  'server/config/config.ts': `/** The configuration: the environment variables of the frame. Add your own to \`variables\` and \`descriptions\`. */
import { frameConfig, frameDescriptions, frameVariables, type FrameConfig } from './frame-config.ts';
import { readVariables, settingsOf } from './variables.ts';

const variables = { ...frameVariables };
const descriptions: Readonly<Record<keyof typeof variables, string>> = { ...frameDescriptions };

export type Config = FrameConfig;
export const settings = settingsOf(variables, descriptions);

/** Reads the configuration. Throws a ConfigError that names every invalid variable. */
export const readConfig = (env: Readonly<Record<string, string | undefined>>): Config =>
  frameConfig(readVariables(variables, env));
`,
  'server/operations/parts.ts': `/** What the handlers use: add stores and clients here, and make them in createHandlers. */
import type { FrameTools } from '../frame.ts';

export type Parts = FrameTools;
`,
  'server/operations/index.ts': `/** The handlers of all operations. A missing or unknown operation is a compile error; \`npm run scaffold\` adds new ones. */
import type { Handlers } from '../contract/operations.ts';
import type { Parts } from './parts.ts';

export const createHandlers = (parts: Parts): Handlers => ({});
`,
  'server/site.ts': `/** The pages and routes beside the contract: the API reference. Add your own as \`Site\` in server/http/site.ts describes. */
import { plainSite, type Site } from './http/site.ts';

export const createSite = (_parts: object = {}): Site => plainSite;
`,
  'server/authenticators.ts': `/**
 * The authenticators in addition to that of the API keys, which takes \`apiKey\` in a header or in the query, and the HTTP
 * scheme \`bearer\`. An authenticator here comes first. \`npm run generate\` and the start refuse a contract with a security
 * scheme that none of them accepts.
 */
import type { Authenticator } from './ports/authenticator.ts';

export const authenticators: readonly Authenticator[] = [];
`,
  'server/storage/open-command-store.ts': `/** Opens the store for a command while no server of this data directory runs. */
import type { Store } from '../ports/storage.ts';
import { openLowdbStore } from './lowdb/lowdb-store.ts';

export interface CommandSettings {
  readonly dataDir: string;
}

/** Throws StoreError. */
export const openCommandStore = ({ dataDir }: CommandSettings): Promise<Store> => openLowdbStore(dataDir);
`,
  'scripts/testing/mock/stream.ts': `/** The event stream of the mock: this project has none. */
import type { OpenStream } from './app.ts';

export const openStream: OpenStream | undefined = undefined;
`,
  'pages/kit/index.ts': `/** What the pages share. It also runs the frame of every page. */
import './shell.ts';

export * from './frame.ts';
`,
};
