// Loaded into a server before its program: it follows the platform of `bluesky-source.ts` instead of Bluesky.
import { registerHooks } from 'node:module';

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    if (!resolved.url.endsWith('/server/follow/bluesky/source.ts')) return resolved;
    return { ...resolved, url: new URL('bluesky-source.ts', import.meta.url).href };
  },
});
