/** The guide for agents, which every service has whose contract does not use the path of its MCP server. */
import type { AgentSite } from '../../../mcp/agent-site.ts';
import { mcpPath } from '../../../mcp/path.ts';
import type { Guide, GuideServices } from '../../../site.ts';
import { createPage } from '../page.ts';

/** The guide, whose module is loaded at the first request; none where the contract has the path. */
export function agentsGuide(services: GuideServices, site: AgentSite | undefined): readonly Guide[] {
  if (Object.hasOwn(services.document.paths, mcpPath)) return [];
  return [
    {
      path: 'docs/agents.md',
      title: 'Agents',
      about: 'the operations as tools of an MCP server: configuration of agents, tools, resources and rules',
      ...createPage('agents', services.places, async () => (await import('./page.ts')).agentsPage(services, site)),
    },
  ];
}
