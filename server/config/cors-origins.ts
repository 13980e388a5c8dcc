/** The setting of cross-origin calls. */

/** All origins, none, or the listed ones. */
export type CorsOrigins = '*' | 'off' | readonly string[];
