/** Reads contracts: YAML and JSON, in one file or several, with the place of each part. */
export { type Bundle, bundleOf } from './bundle.ts';
export { type Fault, faultReport } from './fault.ts';
export { loadedSpec, type LoadedSpec, loadSpec, UnreadableSpecError, withoutFaults } from './load.ts';
export { escapeKey, keysOf } from './pointer.ts';
export { isDataMember } from './references.ts';
export { collectFiles, filesOf, type ReadFile, type SpecFiles } from './spec-files.ts';
export { syntaxFaults } from './syntax.ts';
export { parseYaml, sharedValue, yamlValue } from './yaml.ts';
