/** The tools with which a model reads the archive: their schemas, their limits, and what they return. */
import type { ErrorObject, ValidateFunction } from 'ajv';
import { lazy } from '../../../collections/lazy.ts';
import type { Schemas } from '../../../contract/operations.ts';
import { requirementOf } from '../../../contract/requirement.ts';
import { schemaCompiler } from '../../../contract/schema-compiler.ts';
import { ServiceError } from '../../../contract/service-error.ts';
import type { ArchiveReader } from '../../../ports/assistant-provider.ts';
import { parse } from '../../../search/language/parse.ts';
import { foundPost, quotedData } from './conversation.ts';
import type { ResultMessage, ToolDefinition } from './form.ts';
import type { ToolCall } from './part.ts';
import type { KnownSources } from './known-sources.ts';

type Post = Schemas['Tweet'] | Schemas['TweetShort'];

/** Limits: posts of a result, its length and that of all results in UTF-16 units, and the time of a call. */
const maxPosts = 20;
const defaultPosts = 10;
const maxResultLength = 12_000;
const maxTotalLength = 60_000;
const defaultCallMs = 5_000;

interface SearchInput {
  readonly query: string;
  readonly limit?: number;
}
interface ThreadInput {
  readonly post_id: string;
}
interface AuthorInput {
  readonly username: string;
  readonly limit?: number;
}

const limit = {
  type: 'integer',
  minimum: 1,
  maximum: maxPosts,
  description: `The number of posts; ${defaultPosts} by default.`,
};
const object = (required: string, properties: Record<string, object>) => ({
  type: 'object',
  additionalProperties: false,
  required: [required],
  properties,
});

const schemas = {
  search_posts: object('query', {
    query: {
      type: 'string',
      minLength: 1,
      maxLength: 300,
      description:
        'Words of which a post has all; OR, "a phrase", -word, from:username, since:2026-01-31, min_faves:10.',
    },
    limit,
  }),
  read_thread: object('post_id', {
    post_id: { type: 'string', pattern: '^[0-9]{1,19}$', 'x-expected': 'the id of a post', description: 'Its id.' },
  }),
  posts_of_author: object('username', {
    username: { type: 'string', minLength: 1, maxLength: 253, description: 'The username without @.' },
    limit,
  }),
} as const;
type ToolName = keyof typeof schemas;

const descriptions: Readonly<Record<ToolName, string>> = {
  search_posts: 'The newest posts of the archive that match a query.',
  read_thread: 'A post with the posts that it answers, and the replies to it that got the most reactions.',
  posts_of_author: 'The newest posts of an author, replies included.',
};

export const toolDefinitions: readonly ToolDefinition[] = (Object.keys(schemas) as ToolName[]).map((name) => ({
  name,
  description: descriptions[name],
  schema: schemas[name],
}));

const compiled = lazy(() => {
  const ajv = schemaCompiler({ allErrors: true, strict: false, verbose: true });
  return {
    search_posts: ajv.compile<SearchInput>(schemas.search_posts),
    read_thread: ajv.compile<ThreadInput>(schemas.read_thread),
    posts_of_author: ajv.compile<AuthorInput>(schemas.posts_of_author),
  };
});

/** An error for the model, so that it can call the tool again. */
class ToolError extends Error {
  override readonly name = 'ToolError';
}

export interface ToolOptions {
  readonly archive: ArchiveReader;
  /** Where the posts become known: an answer can refer only to them. */
  readonly sources: KnownSources;
  /** The marker around the results. */
  readonly mark: string;
  /** Maximum number of calls. */
  readonly calls: number;
  /** Time limit of a call in milliseconds. */
  readonly callMs?: number;
}

/** The tools during one question. */
export class ArchiveTools {
  readonly #options: ToolOptions;
  readonly #read = new Set<string>();
  #remaining: number;
  #length = 0;

  constructor(options: ToolOptions) {
    this.#options = options;
    this.#remaining = options.calls;
  }

  /** The number of calls that the model can still make. */
  get remaining(): number {
    return this.#length >= maxTotalLength ? 0 : this.#remaining;
  }

  /** Whether the archive still has every post that the tools returned. */
  async stillExist(): Promise<boolean> {
    const ids = [...this.#read];
    return ids.length === 0 || (await this.#options.archive.present(ids)).size === ids.length;
  }

  /** Runs calls one after another. A call that fails has an error as its result. Throws only for a bug. */
  async run(calls: readonly ToolCall[]): Promise<ResultMessage> {
    const results: { id: string; content: string }[] = [];
    for (const call of calls) {
      const content = await this.#result(call);
      this.#length += content.length;
      results.push({ id: call.id, content });
    }
    return { role: 'results', results };
  }

  async #result(call: ToolCall): Promise<string> {
    if (this.remaining === 0) return errorText('no call is left: answer now');
    this.#remaining--;
    try {
      return await this.#withTimeout(this.#call(call));
    } catch (error) {
      if (error instanceof ToolError) return errorText(error.message);
      if (error instanceof ServiceError) return errorText('the archive cannot answer now');
      throw error;
    }
  }

  async #call({ name, input }: ToolCall): Promise<string> {
    const { archive } = this.#options;
    const value = jsonOf(input);
    const validators = compiled();
    switch (name) {
      case 'search_posts': {
        const { query, limit: count = defaultPosts } = checked(validators.search_posts, value);
        checkQuery(query);
        return this.#quoted({ posts: await archive.search(query, count) });
      }
      case 'read_thread': {
        const { post_id: id } = checked(validators.read_thread, value);
        const posts = await archive.thread(id);
        const place = posts.findIndex((each) => each.id === id);
        return this.#quoted({
          answered_posts: posts.slice(0, Math.max(0, place)),
          posts: posts.slice(Math.max(0, place), place + 1),
          replies: posts.slice(place + 1, place + 1 + maxPosts),
        });
      }
      case 'posts_of_author': {
        const { username, limit: count = defaultPosts } = checked(validators.posts_of_author, value);
        return this.#quoted({ posts: await archive.author(username.replace(/^@/, ''), count) });
      }
      default:
        throw new ToolError(`no such tool; the tools are ${toolDefinitions.map((each) => each.name).join(', ')}`);
    }
  }

  /** The lists of posts as quoted data, without the last posts of a result that is too long. */
  async #quoted(lists: Readonly<Record<string, readonly Post[]>>): Promise<string> {
    const { archive, sources, mark } = this.#options;
    const backgrounds = await archive.backgrounds(Object.values(lists).flatMap((posts) => posts.map(({ id }) => id)));
    let room = maxResultLength;
    let omitted = 0;
    const data = Object.entries(lists).map(([name, posts]) => {
      const fitting = posts.flatMap((post) => {
        if (!backgrounds.has(post.id)) return [];
        const found = foundPost(backgrounds, post);
        room -= JSON.stringify(found).length;
        if (room < 0) return (++omitted, []);
        this.#read.add(post.id);
        sources.add([post]);
        return [found];
      });
      return [name, fitting] as const;
    });
    return quotedData(mark, { ...Object.fromEntries(data), ...(omitted === 0 ? {} : { omitted_posts: omitted }) });
  }

  async #withTimeout(result: Promise<string>): Promise<string> {
    const late = Promise.withResolvers<never>();
    const { callMs = defaultCallMs } = this.#options;
    const timer = setTimeout(() => late.reject(new ToolError('the archive took too long')), callMs);
    try {
      return await Promise.race([result, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }
}

const errorText = (message: string): string => JSON.stringify({ error: message });

function jsonOf(input: string): unknown {
  try {
    return JSON.parse(input === '' ? '{}' : input);
  } catch {
    throw new ToolError('the arguments are not valid JSON');
  }
}

function checked<T>(isValid: ValidateFunction<T>, value: unknown): T {
  if (isValid(value)) return value;
  throw new ToolError((isValid.errors ?? []).slice(0, 5).map(faultMessage).join('; '));
}

/** The fault of an argument. It names no value of the model. */
function faultMessage(error: ErrorObject): string {
  const { instancePath, keyword, params } = error;
  if (keyword === 'additionalProperties') return 'there is an argument that the tool does not have';
  if (keyword === 'required') return `'${String(params['missingProperty'])}' is missing`;
  return `${instancePath === '' ? 'the arguments' : `'${instancePath.slice(1)}'`} ${requirementOf(error)}`;
}

/** An invalid query is an error, because the reader of the archive finds nothing for it. */
function checkQuery(query: string): void {
  try {
    parse(query);
  } catch (error) {
    throw error instanceof ServiceError ? new ToolError(`'query' is invalid: ${error.message.slice(0, 300)}`) : error;
  }
}
