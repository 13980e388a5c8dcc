/** Types of the package, which has none. The lists are named by their ISO 639-3 codes. */
declare module 'stopword' {
  const lists: Readonly<Record<string, readonly string[]>>;
  export default lists;
}
