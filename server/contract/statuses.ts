/** The statuses of responses, and those that a response of the contract stands for. */

/** The final statuses that are registered (RFC 9110 and the IANA registry). */
export const statuses = [
  ...([200, 201, 202, 203, 204, 205, 206, 207, 208, 226] as const),
  ...([300, 301, 302, 303, 304, 305, 307, 308] as const),
  ...([400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 411, 412, 413, 414, 415, 416, 417, 418] as const),
  ...([421, 422, 423, 424, 425, 426, 428, 429, 431, 451] as const),
  ...([500, 501, 502, 503, 504, 505, 506, 507, 508, 510, 511] as const),
] as const;
export type Status = (typeof statuses)[number];

type StartingWith<Digit extends string, Each = Status> = Each extends Status
  ? `${Each}` extends `${Digit}${string}`
    ? Each
    : never
  : never;

/** The statuses of a range such as `2XX`. */
type InRange<Range> = Range extends `${infer Digit}XX` ? StartingWith<Digit> : never;

/** The statuses that one response of a contract stands for, beside the others of the operation (`Keys`). */
export type StatusOf<Key, Keys> = Key extends number
  ? Key
  : Key extends 'default'
    ? Exclude<Status, Keys | InRange<Keys>>
    : Exclude<InRange<Key>, Keys>;

/** The responses that a status can have, the most exact first: `404`, `4XX`, `default`. */
export const responseKeys = (status: number): readonly string[] => [
  String(status),
  `${Math.floor(status / 100)}XX`,
  'default',
];
