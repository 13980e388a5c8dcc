/**
 * Functions for values whose shape is not known, for the tools that work on any contract (`scripts/contract-tools`): these know nothing of
 * the server but this folder.
 */
export { duplicateName } from '../text/duplicate-json-names.ts';
export { messageOf } from '../text/error-text.ts';
export { nearest, suggestion } from '../text/nearest-name.ts';
export { isObject } from '../text/object.ts';
