/** The files of a new project that are its own from the start: each stands where this project has a file of its domain. */

/** The first page of a new project. `title`: that of the contract. */
export const readme = (title: string): string => `# ${title.replaceAll(/\s+/g, ' ')}

A service behind the contract in [\`spec/openapi.yaml\`](spec/openapi.yaml). It needs Node 20 or newer, with npm; the packages contain the Node that runs the service.

\`\`\`sh
npm install
npm run generate     # after each change of the contract: types, operation table, validators, pages, and a typed client
npm run scaffold     # a typed handler in server/operations/ for each operation that has none
npm start            # http://127.0.0.1:3000, the API reference at /docs/; npm start -- --help lists the settings
\`\`\`

A handler that is not written yet answers 501 where the contract declares this status, and else 500.

| Command | What it does |
| --- | --- |
| \`npm run dev\` | watches the contract and the code: generates, checks types, restarts the service |
| \`npm run typecheck\` | checks the types of the handlers against the contract |
| \`npm run mock\` | serves the contract without handlers |
| \`npm run verify -- URL\` | checks a running service against the contract from outside; \`-- --help\` lists the options |
| \`npm run spec:diff\` | compares the contract with the released one in spec/released/, and fails for a breaking change without a new major version |
| \`npm run keys\` | makes, lists and revokes API keys |

| What | Where |
| --- | --- |
| Handlers, and what they share | \`server/operations/\`, \`server/operations/parts.ts\` |
| Settings from environment variables | \`server/config/config.ts\` |
| Security schemes other than API keys and bearer tokens | \`server/authenticators.ts\` |
| Pages and routes beside the contract | \`server/site.ts\` |
| The typed client: \`createClient\` | \`generated/index.ts\` |

Commit \`spec/\` and \`generated/\` together. All other files in \`server/\`, \`scripts/\`, \`client/\` and \`pages/\` are the frame.
`;

/** Their texts by path. */
export const ownFiles: Readonly<Record<string, string>> = {
  'server/main.ts': `/** The entry point of the service. */
import { existsSync } from 'node:fs';

if (!existsSync(new URL('../generated/openapi.json', import.meta.url))) {
  console.error('there is no generated/openapi.json: run \`npm run generate\` first');
  process.exit(1);
}
// Not at the top: these modules import generated ones.
const [{ readConfig, settings }, { runService }, { createHandlers }, { createSite }] = await Promise.all([
  import('./config/config.ts'),
  import('./frame/start.ts'),
  import('./operations/index.ts'),
  import('./site.ts'),
]);

await runService(process.argv.slice(2), { readConfig, settings, createHandlers, site: createSite() });
`,
  'server/config/config.ts': `/** The configuration: the environment variables of the frame. Add your own to \`variables\`. */
import { frameConfig, frameVariables, type FrameConfig } from './frame-config.ts';
import { readVariables, settingsOf } from './variables.ts';

const variables = { ...frameVariables };

export type Config = FrameConfig;
export const settings = settingsOf(variables);

/** Reads the configuration. Throws a ConfigError that names every invalid variable. */
export const readConfig = (env: Readonly<Record<string, string | undefined>>): Config =>
  frameConfig(readVariables(variables, env));
`,
  'server/operations/parts.ts': `/** What the handlers use: add stores and clients here, and make them in createHandlers. */
import type { FrameTools } from '../frame/frame.ts';

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
  'scripts/cli/open-command-store.ts': `/** Opens the documents for a command while no server of this data directory runs. */
import { openDocuments, type Documents } from '../../server/storage/lowdb/documents.ts';

export interface CommandSettings {
  readonly dataDir: string;
}

/** Throws StoreError. */
export const openCommandDocuments = ({ dataDir }: CommandSettings): Promise<Documents> => openDocuments(dataDir);
`,
  'scripts/testing/mock/stream.ts': `/** The event stream of the mock: this project has none. */
import type { OpenStream } from './app.ts';

export const openStream: OpenStream | undefined = undefined;
`,
};
