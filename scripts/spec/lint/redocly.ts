/** The faults that Redocly's rules find (spec/redocly.yaml says which), with what fixes them. */
import { relative, resolve } from 'node:path';
import type { NormalizedProblem } from '@redocly/openapi-core';
import { sharedValue } from '../yaml.ts';
import type { Fault } from './fault.ts';

const fixes: Readonly<Record<string, string>> = {
  'no-unresolved-refs': 'correct the name, or add the component.',
  'operation-operationId-unique':
    'give one of the two operations another operationId: it names the handler and the function of the client.',
  'no-invalid-media-type-examples': 'correct the example; if the example is right, the schema is wrong.',
  'no-invalid-parameter-examples': 'correct the example; if the example is right, the schema is wrong.',
  'no-invalid-schema-examples': 'correct the example; if the example is right, the schema is wrong.',
  'no-required-schema-properties-undefined': 'name it under properties too, or correct the name under required.',
  'operation-operationId': 'name the operation: its handler and the function of the client are called so.',
  'operation-summary': 'say in a few words what the operation does.',
  'operation-4xx-response': 'list the errors that callers may meet.',
  struct: 'compare with a neighbour of the same kind.',
};

/** Lints files with the rules of `config`, and `config` itself; paths start at `folder`. Throws an Error when the lint itself fails. */
export async function redoclyFaults(folder: string, files: readonly string[], config: string): Promise<Fault[]> {
  // It takes a third of a second to load, and a cached result does not need it.
  const { BaseResolver, getLineColLocation, lint, lintConfig, loadConfig } = await import('@redocly/openapi-core');
  /** Takes the values of texts that other steps have parsed. */
  class SharedResolver extends BaseResolver {
    override parseDocument(...[source, isRoot]: Parameters<InstanceType<typeof BaseResolver>['parseDocument']>) {
      const parsed = sharedValue(source.body);
      return parsed === undefined ? super.parseDocument(source, isRoot) : { source, parsed };
    }
  }
  const rules = await loadConfig({ configPath: resolve(folder, config) });
  const problems = await Promise.all([
    lintConfig({ config: rules, severity: 'error' }),
    ...files.map((file) => {
      const externalRefResolver = new SharedResolver(rules.resolve);
      return lint({ ref: resolve(folder, file), config: rules, externalRefResolver });
    }),
  ]);
  return problems.flat().map(({ ruleId, message, suggest, location: [place] }: NormalizedProblem): Fault => {
    const { source, start } = getLineColLocation(place!);
    const meant = suggest.length > 0 ? `did you mean ${suggest.join(' or ')}?` : fixes[ruleId];
    const file = relative(folder, source.absoluteRef);
    return { file, line: start.line, column: start.col, rule: ruleId, message, ...(meant && { fix: meant }) };
  });
}
