/** The package has no types of its own; each list is named by its ISO 639-3 code. */
declare module 'stopword' {
  const lists: Readonly<Record<string, readonly string[]>>;
  export default lists;
}
