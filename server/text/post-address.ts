/** The address of a post on Bluesky, as people and programs write it. */

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
