/** The part of negotiator that is used; the published types leave out the order of preference. */
declare module 'negotiator' {
  export default class Negotiator {
    constructor(request: { readonly headers: Readonly<Record<string, string | undefined>> });
    /** The best of the available encodings, of equally good ones the first that is preferred; undefined where none is accepted. */
    encoding<Encoding extends string>(
      available: readonly Encoding[],
      options?: { readonly preferred: readonly Encoding[] },
    ): Encoding | undefined;
  }
}
