/** The path of the MCP server. */
export const mcpPath = '/mcp';
