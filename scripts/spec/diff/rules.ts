/**
 * The rules of the gate: what each kind of difference means for callers, seen from the two sides of the contract.
 * The request side is the data that callers send, the response side the data that they receive. A change is breaking when
 * a request may contain less than before, or a response may contain more than before or lacks data that it had.
 */
export type Side = 'request' | 'response';
export type Level = 'breaking' | 'care' | 'safe';
export type Bump = 'major' | 'minor' | 'patch';
/** How the accepted values changed: `both` has lost some and won others, `unknown` cannot be decided, `none` is the same set. */
export type Effect = 'narrower' | 'wider' | 'both' | 'unknown' | 'none';

export type Judgement = {
  readonly level: Level;
  /** Who is hurt, and what to do about it. */
  readonly says: string;
};
export type Rule = { readonly effect: Effect; readonly bump?: Bump } & Readonly<Record<Side, Judgement>>;

const mend = 'keep the old form, or let it come with the next major version.';
const retire = 'deprecate it first, and remove it with the next major version.';
const unhurt = {
  request: { level: 'safe', says: 'Nobody is hurt: everything that was accepted still is.' },
  response: { level: 'safe', says: 'Nobody is hurt: answers stay within what callers already handle.' },
} as const satisfies Record<Side, Judgement>;

const judge = (level: Level, says: string): Judgement => ({ level, says });
/** Fewer values than before; `sent` names those that are lost. */
const narrower = (sent: string, overrides: Partial<Rule> = {}): Rule => ({
  effect: 'narrower',
  request: judge('breaking', `Callers who send ${sent} are refused from now on: ${mend}`),
  response: unhurt.response,
  ...overrides,
});
/** More values than before; `received` names the new ones. */
const wider = (received: string, overrides: Partial<Rule> = {}): Rule => ({
  effect: 'wider',
  request: unhurt.request,
  response: judge('breaking', `Callers may receive ${received}, which the old contract ruled out: ${mend}`),
  ...overrides,
});
/** Some values are lost and others won. */
const changed = (what: string): Rule => ({
  effect: 'both',
  request: judge('breaking', `Callers who still send ${what} of the old contract are refused: ${mend}`),
  response: judge('breaking', `Callers who expect ${what} of the old contract receive something else: ${mend}`),
});
/** The comparison cannot decide whether fewer or more values are valid. */
const undecided = (what: string): Rule => ({
  effect: 'unknown',
  request: judge(
    'care',
    `Whether ${what} refuses what callers send today is for you to judge: if so, it needs the next major version.`,
  ),
  response: judge(
    'care',
    `Whether ${what} lets through what callers do not expect is for you to judge: if so, it needs the next major version.`,
  ),
});
/** The same verdict for both sides. */
const plain = (level: Level, says: string, rest: { effect?: Effect; bump?: Bump } = {}): Rule => ({
  effect: rest.effect ?? 'none',
  ...(rest.bump && { bump: rest.bump }),
  request: judge(level, says),
  response: judge(level, says),
});

const limits = {
  minimum: 'a smaller number',
  maximum: 'a larger number',
  minLength: 'a shorter text',
  maxLength: 'a longer text',
  minItems: 'a shorter list',
  maxItems: 'a longer list',
  minProperties: 'an object with fewer members',
  maxProperties: 'an object with more members',
} as const;
export type Limit = keyof typeof limits;
type LimitRule = `${Limit}-tightened` | `${Limit}-loosened`;

const limitRules = Object.fromEntries(
  Object.entries(limits).flatMap(([limit, values]) => [
    [`${limit}-tightened`, narrower(`${values} than now allowed`)],
    [`${limit}-loosened`, wider(`${values} than before`)],
  ]),
) as Record<LimitRule, Rule>;

export const rules = {
  // Operations
  'operation-removed': plain('breaking', `Every caller of the operation gets 404 or 405: ${retire}`),
  'operation-added': plain('safe', 'Nobody is hurt: a new operation.', { bump: 'minor' }),
  'operation-id-changed': plain(
    'breaking',
    `Callers of the typed client find the function renamed, those over HTTP notice nothing: ${mend}`,
  ),
  'operation-id-added': plain('safe', 'Nobody is hurt: the typed client has a function for it now.', { bump: 'minor' }),
  deprecated: plain('care', 'Callers should move away: say in the description to what, and by when.', {
    bump: 'minor',
  }),
  'no-longer-deprecated': plain('safe', 'Nobody is hurt: callers may stay.', { bump: 'minor' }),
  'documentation-changed': plain('safe', 'Nobody is hurt: only the documentation differs.', { bump: 'patch' }),
  'tags-changed': plain('safe', 'Nobody is hurt: only the grouping in the documentation differs.', { bump: 'patch' }),
  'exactly-one-of-tightened': plain(
    'breaking',
    `Callers who send none of these parameters, another one, or several together get 400: ${mend}`,
    { effect: 'narrower' },
  ),
  'exactly-one-of-loosened': plain('safe', 'Nobody is hurt: every choice of parameters that was accepted still is.', {
    effect: 'wider',
    bump: 'minor',
  }),
  'dialect-changed': plain(
    'care',
    'Tools that read the document may read it differently: try the generators that callers use.',
    {
      bump: 'minor',
    },
  ),
  'extension-changed': plain('care', 'An extension that this gate does not know changed: judge by what reads it.', {
    effect: 'unknown',
    bump: 'minor',
  }),
  unjudged: plain('care', 'No rule knows this part of the contract: judge it by hand, and give it a rule.', {
    effect: 'unknown',
    bump: 'minor',
  }),

  // Parameters and request bodies
  'parameter-removed': plain('breaking', `Callers who send it get 400, as for any unknown parameter: ${retire}`),
  'parameter-ignored': plain('care', 'Callers who send the header or cookie are no longer heard: deprecate it first.'),
  'parameter-added-required': plain(
    'breaking',
    'Every caller of today gets 400, because none sends the parameter: make it optional, or add another operation.',
  ),
  'parameter-added-optional': plain('safe', 'Nobody is hurt: callers may leave the parameter out.', { bump: 'minor' }),
  'parameter-moved': plain(
    'breaking',
    'Callers send the parameter where it is no longer looked for: accept it in both places until the next major version.',
  ),
  'parameter-became-required': plain('breaking', `Callers who leave the parameter out get 400: ${mend}`, {
    effect: 'narrower',
  }),
  'parameter-became-optional': plain('safe', 'Nobody is hurt: whoever sends the parameter still may.', {
    effect: 'wider',
    bump: 'minor',
  }),
  'parameter-form-changed': plain(
    'breaking',
    `Callers write the parameter in the old form, which is now read differently or refused: ${mend}`,
    { effect: 'both' },
  ),
  'written-type-narrowed': narrower('another text than the type allows'),
  'written-type-widened': wider('any text'),
  'reserved-characters-refused': plain(
    'breaking',
    `Callers who send reserved characters unencoded (\`:\`, \`+\`, \`/\` …) get 400: ${mend}`,
    { effect: 'narrower' },
  ),
  'reserved-characters-allowed': plain('safe', 'Nobody is hurt: more ways to write the value are accepted.', {
    effect: 'wider',
    bump: 'minor',
  }),
  'empty-value-refused': plain('breaking', `Callers who send the parameter without a value get 400: ${mend}`, {
    effect: 'narrower',
  }),
  'empty-value-allowed': plain('safe', 'Nobody is hurt: an empty value is accepted too.', {
    effect: 'wider',
    bump: 'minor',
  }),
  'request-body-removed': plain('breaking', `What callers send in the body is no longer read or is refused: ${mend}`),
  'request-body-added-required': plain(
    'breaking',
    'Every caller of today is refused, because none sends a body: make it optional, or add another operation.',
  ),
  'request-body-added-optional': plain('safe', 'Nobody is hurt: callers may leave the body out.', { bump: 'minor' }),
  'request-body-became-required': plain('breaking', `Callers who send no body are refused: ${mend}`, {
    effect: 'narrower',
  }),
  'request-body-became-optional': plain('safe', 'Nobody is hurt: whoever sends a body still may.', {
    effect: 'wider',
    bump: 'minor',
  }),
  'media-type-removed': {
    effect: 'narrower',
    request: judge('breaking', `Callers who send this media type get 415: ${mend}`),
    response: judge('breaking', `Callers who read this media type no longer get it: ${mend}`),
  },
  'media-type-added': {
    effect: 'wider',
    request: judge('safe', 'Nobody is hurt: one more media type is accepted.'),
    response: judge('care', 'Callers that accept anything may receive it: keep the old media type the preferred one.'),
  },
  'encoding-changed': undecided('the new encoding of the parts'),

  // Responses
  'success-status-removed': plain('breaking', `Callers wait for this answer in vain: ${mend}`),
  'success-status-added': plain(
    'breaking',
    `Callers who know only the old success read a body that is not there or looks different: ${mend}`,
  ),
  'status-removed': plain(
    'care',
    'Callers who act on this status no longer see it: make sure that what stands in its place is handled.',
    { bump: 'minor' },
  ),
  'status-added': plain('care', 'Callers meet a status that they may not handle by name: describe when it comes.', {
    bump: 'minor',
  }),
  'links-changed': plain(
    'care',
    'Callers who follow the links of the description may be led elsewhere: check that the old ways still work.',
    { bump: 'minor' },
  ),
  'header-removed': plain('breaking', `Callers who read the header find it missing: ${mend}`),
  'header-added': plain('safe', 'Nobody is hurt: callers ignore headers that they do not know.', { bump: 'minor' }),
  'header-became-optional': plain('breaking', `Callers who rely on the header may find it missing: ${mend}`),
  'header-became-required': plain('safe', 'Nobody is hurt: the header is now always there.', { bump: 'minor' }),

  // Security and servers
  'security-removed': plain('breaking', `Callers who identify themselves this way get 401: ${mend}`, {
    effect: 'narrower',
  }),
  'security-added': plain('safe', 'Nobody is hurt: one more way to identify oneself.', {
    effect: 'wider',
    bump: 'minor',
  }),
  'security-required': plain('breaking', `Callers without a key, who were served before, get 401: ${mend}`, {
    effect: 'narrower',
  }),
  'security-dropped': plain(
    'safe',
    'Nobody is hurt: callers need not identify themselves any more. Make sure that this is meant.',
    { effect: 'wider', bump: 'minor' },
  ),
  'scope-added': plain('breaking', `Callers whose grant lacks the scope are refused: ${mend}`, { effect: 'narrower' }),
  'scope-introduced': plain(
    'care',
    'The old contract knew no scopes, so its keys were made for everything: see that they stay so. Only keys made for less are refused.',
    { bump: 'minor' },
  ),
  'scope-removed': plain('safe', 'Nobody is hurt: a smaller grant is enough.', { effect: 'wider', bump: 'minor' }),
  'security-scheme-changed': plain(
    'breaking',
    `Callers send their key in the old way and get 401: add a scheme beside the old one instead.`,
    { effect: 'both' },
  ),
  'security-scheme-hint-changed': plain(
    'care',
    'Callers may take their credentials from elsewhere or write them differently: check that the old ones still work.',
    { bump: 'minor' },
  ),
  'server-removed': plain(
    'breaking',
    'Callers who use this address no longer reach the service by contract: keep it until the next major version.',
  ),
  'server-added': plain('safe', 'Nobody is hurt: one more address.', { bump: 'minor' }),
  'server-changed': plain('care', 'The variables of the address changed: check that every old address still works.', {
    bump: 'minor',
  }),

  // Types and values
  'type-removed': narrower('a value of the removed type'),
  'type-added': wider('a value of another type'),
  'type-changed': changed('the type'),
  'null-refused': narrower('null'),
  'null-allowed': wider('null'),
  'schema-introduced': narrower('a value that the new schema refuses'),
  'schema-dropped': wider('a value of any kind'),
  'schema-forbidden': narrower('any value here'),
  'schema-allowed': wider('a value where none was'),
  'enum-value-removed': narrower('a removed value'),
  'enum-value-added': wider('a value that they do not know'),
  'enum-introduced': narrower('a value outside the new list'),
  'enum-dropped': wider('a value outside the old list'),
  'const-changed': changed('the constant'),
  'format-added': narrower('a value of another format'),
  'format-removed': wider('a value of another format'),
  'format-changed': changed('the format'),
  'format-narrowed': narrower('a value outside the narrower format'),
  'format-widened': wider('a value outside the old format'),
  'format-implied': plain('safe', 'Nobody is hurt: the bounds leave no value that only one of the formats allows.'),
  'pattern-added': narrower('a text that does not match the pattern'),
  'pattern-removed': wider('a text that does not match the old pattern'),
  'pattern-changed': undecided('the new pattern'),
  ...limitRules,
  'multipleOf-tightened': narrower('a number between the new steps'),
  'multipleOf-loosened': wider('a number between the old steps'),
  'multipleOf-changed': changed('the steps'),
  'content-encoding-changed': changed('the encoding of the text'),

  // Lists
  'unique-items-required': narrower('a list with repeated items'),
  'unique-items-dropped': wider('a list with repeated items'),
  'contains-added': narrower('a list without the demanded item'),
  'contains-removed': wider('a list without the item'),
  'contains-tightened': narrower('a list without an item of the narrower kind'),
  'contains-loosened': wider('a list without an item of the old kind'),
  'contains-changed': undecided('the new demand on the items'),

  // Objects
  'required-added': narrower('an object without the member'),
  'required-removed': wider('an object without the member'),
  'property-added': wider('a member that they do not know', {
    request: judge('safe', 'Nobody is hurt: callers may leave the member out.'),
    response: judge(
      'care',
      'Callers who refuse members that they do not know are hurt, all others are not: say so in the release notes.',
    ),
  }),
  'required-property-added': {
    effect: 'both',
    request: judge(
      'breaking',
      'Every caller of today is refused, because none sends the member: make it optional, or add another operation.',
    ),
    response: judge(
      'care',
      'Callers who refuse members that they do not know are hurt, all others are not: say so in the release notes.',
    ),
  },
  'property-declared': narrower('something else under this name', {
    request: judge('care', 'The object was open: callers who already send something else under this name are refused.'),
  }),
  'property-removed': {
    effect: 'narrower',
    request: judge('breaking', `Callers who send the member are refused: ${retire}`),
    response: judge('breaking', `Callers who read the member find it missing: ${retire}`),
  },
  'property-undeclared': {
    effect: 'wider',
    request: judge('care', 'What callers send in the member is accepted but no longer read: deprecate it first.'),
    response: judge('breaking', `Callers who read the member may find it missing: ${retire}`),
  },
  'additional-refused': narrower('members that the schema does not name'),
  'additional-allowed': wider('members that they do not know'),
  'additional-narrowed': narrower('additional members of any kind'),
  'additional-widened': wider('additional members of any kind'),
  'pattern-property-added': narrower('another value under a matching name'),
  'pattern-property-removed': wider('another value under a matching name'),
  'pattern-property-changed': undecided('the new set of name patterns'),
  'dependent-required-added': narrower('the member without its companions'),
  'dependent-required-removed': wider('the member without its companions'),
  'unevaluated-changed': undecided('the change inside a schema that refuses what its parts do not name'),
  'became-read-only': {
    effect: 'none',
    request: judge('breaking', `Callers who send the member are refused or ignored: ${mend}`),
    response: judge('safe', 'Nobody is hurt: the member is still answered.'),
  },
  'no-longer-read-only': plain('safe', 'Nobody is hurt: the member may be sent too.', { bump: 'minor' }),
  'became-write-only': {
    effect: 'none',
    request: judge('safe', 'Nobody is hurt: the member may still be sent.'),
    response: judge('breaking', `Callers who read the member find it missing: ${mend}`),
  },
  'no-longer-write-only': {
    effect: 'none',
    request: judge('safe', 'Nobody is hurt: the member may still be sent.'),
    response: judge(
      'care',
      'Callers who refuse members that they do not know are hurt, all others are not: say so in the release notes.',
    ),
  },
  'default-changed': {
    effect: 'none',
    request: judge(
      'care',
      'Callers who leave the value out get another behaviour than before: say so in the release notes.',
    ),
    response: judge('safe', 'Nobody is hurt: answers state their values.'),
  },

  // Composition
  'alternative-removed': narrower('a value of the removed alternative'),
  'alternative-added': wider('a value of the new alternative'),
  'alternatives-introduced': narrower('a value of none of the alternatives'),
  'alternatives-dropped': wider('a value of none of the old alternatives'),
  'alternatives-overlap': undecided(
    'a change among alternatives of which exactly one must match, although several can,',
  ),
  'all-of-added': narrower('a value that the added part refuses'),
  'all-of-removed': wider('a value that the removed part refused'),
  'not-added': narrower('an excluded value'),
  'not-removed': wider('a value that was excluded'),
  'not-tightened': narrower('a newly excluded value'),
  'not-loosened': wider('a value that was excluded'),
  'not-changed': undecided('the new exclusion'),
  'condition-added': narrower('a value that the condition refuses'),
  'condition-removed': wider('a value that the condition refused'),
  'condition-changed': undecided('the new condition'),
  'discriminator-changed': undecided('the new discriminator'),

  // Messages of /ws, and components
  'messages-removed': plain('breaking', `Nobody can speak on /ws as before: ${mend}`),
  'messages-added': plain('safe', 'Nobody is hurt: a new kind of conversation.', { bump: 'minor' }),
  'inner-part-changed': plain('safe', 'Nobody is hurt: only how the document is put together differs.', {
    bump: 'patch',
  }),
  'component-removed': plain(
    'care',
    'Who imports the generated type by this name no longer compiles; on the wire nothing differs.',
    { bump: 'minor' },
  ),
  'component-added': plain('safe', 'Nobody is hurt: one more named type.', { bump: 'minor' }),
} as const satisfies Record<string, Rule>;

export type RuleId = keyof typeof rules;

/** The part of the version a finding moves: breaking the major, what needs care or adds something the minor, else the patch. */
export function bumpOf(id: RuleId, level: Level): Bump {
  if (level === 'breaking') return 'major';
  const rule: Rule = rules[id];
  return rule.bump ?? 'minor';
}
