/** The page /docs/agents: the MCP server of the service, and how agents connect to it. */
import { authenticators } from '../../../../authenticators.ts';
import { operationMetadata } from '../../../../contract/openapi.ts';
import { normaliseDocument } from '../../../../contract/plain-document.ts';
import { mcpPath } from '../../../mcp/path.ts';
import { createTools, type Tool } from '../../../mcp/tools.ts';
import type { AgentSite } from '../../../mcp/agent-site.ts';
import { contractSecurity, type ContractSecurity } from '../../../security.ts';
import type { GuideServices } from '../../../site.ts';
import { sampleOrigin } from '../api/samples.ts';
import { html, type Html } from '../html.ts';
import type { Page } from '../page.ts';
import { prose } from '../prose.ts';
import { sample } from '../sample.ts';
import { row, table } from '../table.ts';

/** The place of the key in the samples. */
const sampleKey = 'YOUR_KEY';

/** The header with the credential of a caller; none where the contract needs none. */
function headerOf({ any: { schemes } }: ContractSecurity): Record<string, string> {
  const inHeader = schemes.map(({ place }) => place).filter((place) => place.in === 'header');
  const place = inHeader.find(({ scheme }) => scheme === undefined) ?? inHeader[0];
  if (place === undefined) return {};
  const { name, scheme } = place;
  if (scheme === undefined) return { [name]: sampleKey };
  return { Authorization: `${scheme.charAt(0).toUpperCase()}${scheme.slice(1)} ${sampleKey}` };
}

const json = (value: object): string => JSON.stringify(value, undefined, 2);

/** The configuration of an agent that speaks HTTP. */
function httpConfiguration(name: string, security: ContractSecurity): string {
  const headers = headerOf(security);
  const url = sampleOrigin + mcpPath;
  const server = { type: 'http', url, ...(Object.keys(headers).length > 0 && { headers }) };
  return json({ mcpServers: { [name]: server } });
}

/** The configuration of an agent that starts its servers. */
const stdioConfiguration = (name: string, client: string): string =>
  json({
    mcpServers: {
      [name]: {
        command: 'npx',
        args: ['-y', client, 'mcp'],
        env: { SOCIAL_DATA_BASE_URL: sampleOrigin, SOCIAL_DATA_API_KEY: sampleKey },
      },
    },
  });

const first = (text: string): string => text.split('\n', 1)[0] ?? '';

function toolRow({ definition, scopes, id }: Tool): Html {
  const kind = definition.annotations.readOnlyHint ? 'reads' : 'changes data';
  return row(
    html`<a href="./api/${encodeURIComponent(id)}"><code>${definition.name}</code></a>`,
    first(definition.description),
    [kind, scopes.map((scope, place) => html`${place === 0 ? '; scope ' : ', '}<code>${scope}</code>`)],
  );
}

const resourceSection = ({ resources, templates }: AgentSite): Html => html`<section id="resources">
<h2>Resources</h2>
${table(
  ['URI', 'Content'],
  [
    html`${[
      ...resources.map(({ uri, description }) => row(html`<code>${uri}</code>`, description)),
      ...templates.map(({ prefix, argument, description }) =>
        row(html`<code>${prefix}{${argument}}</code>`, description),
      ),
    ]}`,
  ],
)}
</section>`;

const rules = `- **Keys.** Each request has the key of a caller, as any other request does. Without a valid key the answer is 401. A key sees only the tools that its scopes permit. A tool that changes data needs the scope \`write\` where the contract has it, beside that of its operation.
- **Costs.** A call consumes one request of the rate limit, as its operation does; so does each other message.
- **Errors.** What an operation rejects is an error of the tool (\`isError\`) with the status and the words of the operation, so that the model can correct its call.
- **Texts of strangers.** The text of a result has them between marks with a random number, and says that they are data and no instructions. This reduces prompt injection; it does not end it. Give an agent a key
  with the scope that it needs, and no other.
- **Protocol.** Streamable HTTP without sessions: each POST is whole and its answer is JSON, so that any instance answers it. Versions 2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26 and before. GET and
  DELETE are 405. A batch has at most 10 messages.
- **Browsers.** A request of a web page of another machine is 403 unless \`CORS_ORIGINS\` names the origin of the page; \`*\` does not.`;

/** Creates the page. The samples have the origin that `originOf` returns for a request. */
export function agentsPage({ document, places, originOf }: GuideServices, site: AgentSite | undefined): Page {
  const security = contractSecurity(normaliseDocument(document), authenticators);
  const name = security.any.realm;
  const tools = [...createTools(document, operationMetadata(document)).values()];
  return {
    name: 'agents',
    place: 'api',
    styles: ['agents'],
    title: 'Agents',
    lead: html`Agents use this service by the <a href="https://modelcontextprotocol.io">Model Context Protocol</a> at <code>${mcpPath}</code>.
Each operation of the contract is a tool.`,
    skip: { to: 'connect', words: 'Skip to the configuration' },
    main: html`<nav class="contents" aria-label="On this page"><a href="#connect">Connect</a> <a href="#tools">Tools</a> ${
      site === undefined ? '' : html`<a href="#resources">Resources</a> `
    }<a href="#rules">Rules</a></nav>
<section id="connect">
<h2>Connect</h2>
<p>This is the configuration of most agents and editors; some name the members otherwise.</p>
${sample(httpConfiguration(name, security), 'sample-http')}
${
  places.client.startsWith('@')
    ? html`<h3>For agents that start their servers</h3>
<p>The program of the client speaks over standard input and output, and sends each message to <code>${mcpPath}</code>.</p>
${sample(stdioConfiguration(name, places.client), 'sample-stdio')}`
    : ''
}
</section>

<section id="tools">
<h2>Tools</h2>
<p>Names, descriptions, schemas of arguments and results, and examples are those of <a href="./">the contract</a>.</p>
<div class="of-tools">${table(['Tool', 'Result', 'Kind'], [html`${tools.map(toolRow)}`])}</div>
</section>

${site === undefined ? '' : resourceSection(site)}

<section id="rules">
<h2>Rules</h2>
${prose(rules)}
</section>`,
    fill(page, request) {
      const { secure, host } = originOf(request);
      return host === undefined
        ? page
        : page.replaceAll(sampleOrigin, () => html`${secure ? 'https' : 'http'}://${host}`.html);
    },
  };
}
