/** The addresses of posts on Bluesky and on X, as people and programs write them. */

export interface PostAddress {
  /** The DID or the handle of the account; a handle in lower case. */
  readonly repository: string;
  readonly rkey: string;
}

const forms = [
  /^at:\/\/([^/]+)\/app\.bsky\.feed\.post\/([^/]+)$/,
  /^https:\/\/bsky\.app\/profile\/([^/]+)\/post\/([^/]+)$/,
] as const;

/** Reads an at-uri or a web address of a post; undefined for any other text, such as a decimal id. */
export function readPostAddress(text: string): PostAddress | undefined {
  for (const form of forms) {
    const [, repository, rkey] = form.exec(text) ?? [];
    if (repository === undefined || rkey === undefined) continue;
    return { repository: repository.startsWith('did:') ? repository : repository.toLowerCase(), rkey };
  }
  return undefined;
}

/**
 * The address of a post on X, with a username, `i/web` or neither, and with anything behind the id, such as the parameters of a
 * shared link.
 */
const statusAddress =
  /^https?:\/\/(?:(?:www|mobile|m)\.)?(?:x|twitter)\.com\/(?:#!\/)?(?:[A-Za-z0-9_]{1,30}\/(?:web\/)?)?status(?:es)?\/([0-9]{1,19})(?:[/?#].*)?$/;

/** The id in the web address of a post on X; undefined for any other text. */
export const readStatusAddress = (text: string): string | undefined => statusAddress.exec(text)?.[1];
