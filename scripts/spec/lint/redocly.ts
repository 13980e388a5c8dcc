/** The faults that Redocly's rules find (spec/redocly.yaml says which), with what fixes them. */
import { relative, resolve } from 'node:path';
import type { NormalizedProblem } from '@redocly/openapi-core';
import { sharedValue, type Fault } from '../../contract-tools/files/index.ts';

/** What corrects a fault, by the rule that finds it. */
export const fixes: Readonly<Record<string, string>> = {
  struct: 'compare with a neighbour of the same kind.',
  'info-license': 'add `license` with a name and a URL to `info`.',
  'info-license-strict': 'add `url` or `identifier` to the license.',
  'no-ambiguous-paths': 'change one of the two paths so that no request matches both.',
  'no-duplicated-enum-values': 'delete the repeated value.',
  'no-duplicated-tag-names': 'delete one of the two tags, or rename it.',
  'no-empty-servers': 'add a server, for example `- url: /`.',
  'no-enum-type-mismatch': 'correct the value, or the type of the schema.',
  'no-example-value-and-externalValue': 'keep one of the two.',
  'no-identical-paths': 'put the operations under one of the two paths: they differ only in the names of parameters.',
  'no-illogical-composition-keywords': 'write the one schema in place of the list, or delete the repeated one.',
  'no-invalid-media-type-examples': 'correct the example; if the example is right, the schema is wrong.',
  'no-invalid-parameter-examples': 'correct the example; if the example is right, the schema is wrong.',
  'no-invalid-schema-examples': 'correct the example; if the example is right, the schema is wrong.',
  'no-mixed-number-range-constraints': 'keep one limit on each side: the inclusive or the exclusive one.',
  'no-path-trailing-slash': 'delete the slash at the end of the path.',
  'no-required-schema-properties-undefined': 'name it under properties too, or correct the name under required.',
  'no-schema-type-mismatch': 'correct the type, or delete the keyword that belongs to another type.',
  'no-server-example.com': 'write the address of the service, or `/`.',
  'no-server-trailing-slash': 'delete the slash at the end of the URL.',
  'no-server-variables-empty-enum':
    'list the values of the variable, or delete `enum`; the default must be one of them.',
  'no-undefined-server-variable': 'declare the variable under `variables`, or delete it from the URL.',
  'no-unresolved-refs': 'correct the name, or add the component.',
  'no-unsafe-markdown': 'delete the script or the unsafe link from the text.',
  'operation-2xx-response': 'describe the response of a successful call.',
  'operation-4xx-response': 'list the errors that callers may meet.',
  'operation-operationId': 'name the operation.',
  'operation-operationId-unique':
    'give one of the two operations another operationId: it names the handler and the function of the client.',
  'operation-operationId-url-safe': 'use letters, digits, `-` and `_` only.',
  'operation-parameters-unique': 'delete one of the two parameters, or rename it.',
  'operation-summary': 'say in a few words what the operation does.',
  'path-declaration-must-exist': 'name each parameter of the path in its braces.',
  'path-not-include-query': 'move the query into `parameters`.',
  'path-parameters-defined': 'declare each name in braces as a parameter with `in: path`, and no other.',
  'security-defined': 'name a scheme of components.securitySchemes in `security`.',
  'security-scopes-defined': 'take a scope that the scheme declares, or declare it there.',
  'spec-components-invalid-map-name': 'use letters, digits, `.`, `-` and `_` only.',
  'spec-ref-siblings': 'delete what stands beside the `$ref`: it has no effect there.',
  'tag-description': 'describe the tag in a sentence.',
};

/** The rules without which no command can work with a contract. */
const essential = { struct: 'error', 'no-unresolved-refs': 'error', 'operation-operationId-unique': 'error' } as const;

/** Lints files with the rules of `config`, and `config` itself; paths start at `folder`. Throws an Error when the lint itself fails. */
export async function redoclyFaults(folder: string, files: readonly string[], config: string): Promise<Fault[]> {
  // It takes a third of a second to load, and a cached result does not need it.
  const { BaseResolver, createConfig, getLineColLocation, lint, lintConfig, loadConfig } =
    await import('@redocly/openapi-core');
  /** Takes the values of texts that other steps have parsed. */
  class SharedResolver extends BaseResolver {
    override parseDocument(...[source, isRoot]: Parameters<InstanceType<typeof BaseResolver>['parseDocument']>) {
      const parsed = sharedValue(source.body);
      return parsed === undefined ? super.parseDocument(source, isRoot) : { source, parsed };
    }
  }
  const rules = await loadConfig({ configPath: resolve(folder, config) });
  const unknown: Fault[] = [];
  const problems = await Promise.all([
    lintConfig({ config: rules, severity: 'error' }),
    ...files.map((file) => {
      const lintWith = (used: typeof rules): ReturnType<typeof lint> =>
        lint({ ref: resolve(folder, file), config: used, externalRefResolver: new SharedResolver(used.resolve) });
      return lintWith(rules).catch(async (error: Error) => {
        // Some rules fail for members with names such as `hasOwnProperty`.
        if (error instanceof TypeError) return lintWith(await createConfig({ rules: essential }));
        // It knows the format by the version, which a file of another kind does not have.
        if (!/specification|version/i.test(error.message)) throw error;
        const message = 'This is no description in OpenAPI 3: `openapi` must be the text of a version.';
        unknown.push({ file, line: 1, column: 1, rule: 'struct', message, fix: 'begin with `openapi: 3.1.0`.' });
        return [];
      });
    }),
  ]);
  const found = problems.flat().map(({ ruleId, message, suggest, location: [place] }: NormalizedProblem): Fault => {
    const { source, start } = getLineColLocation(place!);
    const meant = suggest.length > 0 ? `did you mean ${suggest.join(' or ')}?` : fixes[ruleId];
    const file = relative(folder, source.absoluteRef);
    return { file, line: start.line, column: start.col, rule: ruleId, message, ...(meant && { fix: meant }) };
  });
  return [...unknown, ...found];
}
