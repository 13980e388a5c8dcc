/** The part of negotiator that this server uses. The published types lack the order of preference. */
declare module 'negotiator' {
  export default class Negotiator {
    constructor(request: { readonly headers: Readonly<Record<string, string | undefined>> });
    /**
     * The best of the available encodings; among equally good ones the first of `preferred`. Undefined if the caller
     * accepts none.
     */
    encoding<Encoding extends string>(
      available: readonly Encoding[],
      options?: { readonly preferred: readonly Encoding[] },
    ): Encoding | undefined;
    /** The media types and ranges that the caller accepts, the preferred ones first. */
    mediaTypes(): string[];
  }
}
