/**
 * Memory of tables outside the JavaScript heap, filled with zeros. Shared memory, although no other thread gets it, because V8 does not
 * count it. V8 counts other memory outside the heap, and collects the whole heap for each 64 MB that are new: the tables of a large
 * archive only grow, so that most of these collections would free nothing.
 */
export const tableMemory = (bytes: number): SharedArrayBuffer => new SharedArrayBuffer(bytes);
