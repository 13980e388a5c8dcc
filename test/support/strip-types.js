// Jest transform: erases the types as Node itself does when it runs a .ts file, so the tests run the very code that ships.
import { stripTypeScriptTypes } from 'node:module';

export default {
  process: (source) => ({ code: stripTypeScriptTypes(source) }),
};
