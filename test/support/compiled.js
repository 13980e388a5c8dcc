// Jest globalSetup: the many processes that tests start keep what Node has compiled, types erased, for one another. Each would spend up to a
// third of a second of its start on it anew.
import { fileURLToPath } from 'node:url';

export default function keepCompiled() {
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url));
}
