/** What `json-position.test.ts` counts the work of. */
export { placeInText } from '../../../scripts/spec/yaml.ts';
