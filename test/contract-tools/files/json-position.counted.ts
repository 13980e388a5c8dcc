/** What `json-position.test.ts` counts the work of. */
export { placeInText } from '../../../scripts/contract-tools/files/yaml.ts';
