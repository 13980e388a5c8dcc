/**
 * A platform on several servers, each of which shows the archive as of another commit. A call reads from one of them, and no later call
 * shows less: also not the next page, which may be read from another server by another instance.
 */
import type { Page, Position } from '../../contract/page.ts';
import type { SqlPlatform } from '../sql-platform.ts';

/** Reads from one of several servers. */
export interface ServerReads {
  /** Does a read from one server that shows a commit at least. Rejects as the read does. */
  within<Result>(read: () => Promise<Result>, shownBefore?: number): Promise<Result>;
  /** The last commit that reads have shown; undefined where there is only one server. */
  readonly shown: number | undefined;
}

/** What reads no tables, or must read what is there now. */
const direct: ReadonlySet<PropertyKey> = new Set<keyof SqlPlatform>(['revision', 'unlike']);

type Method = (...call: readonly unknown[]) => Promise<unknown>;

/** The platform whose calls each read from one server. The positions of its pages carry the commit that the page has shown. */
export function consistentPlatform(platform: SqlPlatform, reads: ServerReads): SqlPlatform {
  const methods = new Map<PropertyKey, Method>();
  const wrapped =
    (method: Method): Method =>
    async (...call) => {
      let shownBefore = 0;
      const given = call.map((each) => {
        if (!isRequest(each)) return each;
        const { after, shown } = unmarked(each.after);
        shownBefore = shown;
        return { ...each, after };
      });
      const result = await reads.within(() => method.apply(platform, given), shownBefore);
      const { shown } = reads;
      return shown !== undefined && isPage(result) ? { ...result, next: [...result.next, `${mark}${shown}`] } : result;
    };
  return new Proxy(platform, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      let method = methods.get(name);
      if (method === undefined) {
        method = direct.has(name) ? (value.bind(target) as Method) : wrapped(value as Method);
        methods.set(name, method);
      }
      return method;
    },
  });
}

/** Before the commit in a position. No other part begins with it. */
const mark = '@';

const isRequest = (value: unknown): value is { readonly after: Position } =>
  typeof value === 'object' && value !== null && 'after' in value && Array.isArray(value.after);

const isPage = (value: unknown): value is Page<unknown> & { readonly next: Position } =>
  typeof value === 'object' && value !== null && 'next' in value && Array.isArray(value.next);

/** A position without the commit, also where this instance adds none. */
function unmarked(after: Position): { readonly after: Position; readonly shown: number } {
  const last = after.at(-1);
  return typeof last === 'string' && last.startsWith(mark)
    ? { after: after.slice(0, -1), shown: Number(last.slice(mark.length)) }
    : { after, shown: 0 };
}
