/** The guide /docs/operations as tests read it. */
import { readOperations } from '../../server/http/docs/pages/operations/page.ts';

/** The fenced block of the guide with this name. Throws where there is none. */
export async function guideSample(name: string): Promise<string> {
  const markdown = (await readOperations()).map((section) => section.markdown).join('\n');
  const [, text] = new RegExp(`^\`\`\`\\w+ ${name}\\n([^]*?)\\n\`\`\`$`, 'm').exec(markdown) ?? [];
  if (text === undefined) throw new Error(`/docs/operations has no sample '${name}'`);
  return text;
}
