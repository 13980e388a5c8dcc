/**
 * The rules of the gate: what each kind of difference means for callers, seen from the two sides of the contract.
 * The request side is the data that callers send, the response side the data that they receive. A change is breaking when
 * a request may contain less than before, or a response may contain more than before or lacks data that it had.
 */
export type Side = 'request' | 'response';
export type Level = 'breaking' | 'care' | 'safe';
export type Bump = 'major' | 'minor' | 'patch';
/** The change of the set of valid values. `both`: some values are removed and others added; `unknown`: undecidable; `none`: the same set. */
export type Effect = 'narrower' | 'wider' | 'both' | 'unknown' | 'none';

export type Assessment = {
  readonly level: Level;
  /** The consequence for callers and the recommended action. */
  readonly advice: string;
};
export type Rule = { readonly effect: Effect; readonly bump?: Bump } & Readonly<Record<Side, Assessment>>;

const keepOld = 'keep the old form, or make the change in the next major version.';
const deprecateFirst = 'deprecate it first, and remove it in the next major version.';
const compatible = {
  request: { level: 'safe', advice: 'Compatible: all previously valid requests stay valid.' },
  response: { level: 'safe', advice: 'Compatible: all responses match the old contract.' },
} as const satisfies Record<Side, Assessment>;

const assess = (level: Level, advice: string): Assessment => ({ level, advice });
/** Fewer valid values than before; `sent` names the removed ones. */
const narrower = (sent: string, overrides: Partial<Rule> = {}): Rule => ({
  effect: 'narrower',
  request: assess('breaking', `Callers who send ${sent} now get an error: ${keepOld}`),
  response: compatible.response,
  ...overrides,
});
/** More valid values than before; `received` names the new ones. */
const wider = (received: string, overrides: Partial<Rule> = {}): Rule => ({
  effect: 'wider',
  request: compatible.request,
  response: assess('breaking', `Callers may receive ${received}, which the old contract excluded: ${keepOld}`),
  ...overrides,
});
/** Some values are removed and others added. */
const changed = (what: string): Rule => ({
  effect: 'both',
  request: assess('breaking', `Callers who still send ${what} of the old contract get an error: ${keepOld}`),
  response: assess('breaking', `Callers who expect ${what} of the old contract receive something else: ${keepOld}`),
});
const waive = 'If you know that it does not, accept it with a waiver in spec/waivers.yaml.';
/** The comparison cannot decide whether fewer or more values are valid: what is not judged counts as breaking. */
const undecided = (what: string): Rule => ({
  effect: 'unknown',
  request: assess(
    'breaking',
    `Cannot be judged, so it counts as breaking: ${what} may exclude requests that were valid. ${waive}`,
  ),
  response: assess(
    'breaking',
    `Cannot be judged, so it counts as breaking: ${what} may allow responses that were not possible. ${waive}`,
  ),
});
/** One verdict for what callers send, another one for what they receive: a parameter, a body or a header of a webhook is received. */
const eachSide = (request: Assessment, response: Assessment, rest: { effect?: Effect; bump?: Bump } = {}): Rule => ({
  effect: rest.effect ?? 'none',
  ...(rest.bump && { bump: rest.bump }),
  request,
  response,
});
const ignoredByReceivers = assess('safe', 'Compatible: receivers ignore what they do not know.');
const stillReceived = assess('safe', 'Compatible: it is now always there.');
const noLongerSure = assess('breaking', `Receivers who rely on it may find it missing: ${keepOld}`);
/** The same verdict for both sides. */
const sameForBoth = (level: Level, advice: string, rest: { effect?: Effect; bump?: Bump } = {}): Rule => ({
  effect: rest.effect ?? 'none',
  ...(rest.bump && { bump: rest.bump }),
  request: assess(level, advice),
  response: assess(level, advice),
});

const limits = {
  minimum: 'a smaller number',
  maximum: 'a larger number',
  minLength: 'a shorter string',
  maxLength: 'a longer string',
  minItems: 'a shorter list',
  maxItems: 'a longer list',
  minProperties: 'an object with fewer properties',
  maxProperties: 'an object with more properties',
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
  'operation-removed': sameForBoth('breaking', `Every caller of the operation gets 404 or 405: ${deprecateFirst}`),
  'operation-added': sameForBoth('safe', 'Compatible: a new operation.', { bump: 'minor' }),
  'operation-id-changed': sameForBoth(
    'breaking',
    `The function of the typed client has a new name; HTTP requests do not change: ${keepOld}`,
  ),
  'operation-id-added': sameForBoth('safe', 'Compatible: the typed client gets a function for the operation.', {
    bump: 'minor',
  }),
  deprecated: sameForBoth('care', 'Callers should migrate: name the replacement and the date in the description.', {
    bump: 'minor',
  }),
  'sunset-set': sameForBoth('care', 'Callers must migrate by this day: say so in the description.', { bump: 'minor' }),
  'sunset-earlier': sameForBoth('care', 'Callers have less time to migrate: announce the new day.', { bump: 'minor' }),
  'sunset-later': sameForBoth('safe', 'Compatible: callers have more time to migrate.', { bump: 'minor' }),
  'no-longer-deprecated': sameForBoth('safe', 'Compatible: callers need not migrate.', { bump: 'minor' }),
  'documentation-changed': sameForBoth('safe', 'Compatible: only the documentation changes.', { bump: 'patch' }),
  'tags-changed': sameForBoth('safe', 'Compatible: only the grouping in the documentation changes.', { bump: 'patch' }),
  'parameter-group-tightened': sameForBoth(
    'breaking',
    `Callers who send a combination of these parameters that was valid get 400: ${keepOld}`,
    { effect: 'narrower' },
  ),
  'parameter-group-loosened': sameForBoth(
    'safe',
    'Compatible: all previously valid combinations of parameters stay valid.',
    { effect: 'wider', bump: 'minor' },
  ),
  'repeat-refused': sameForBoth(
    'breaking',
    `Clients of the old contract repeat a failed call, which now may run twice: ${keepOld}`,
  ),
  'repeat-allowed': sameForBoth('safe', 'Compatible: clients may repeat more failed calls.', { bump: 'minor' }),
  'dialect-changed': sameForBoth(
    'care',
    'Tools may interpret the document differently: test the code generators that callers use.',
    {
      bump: 'minor',
    },
  ),
  'extension-changed': sameForBoth('care', 'An extension without a rule changed: check the tools that read it.', {
    effect: 'unknown',
    bump: 'minor',
  }),
  unjudged: sameForBoth(
    'breaking',
    `Cannot be judged, so it counts as breaking: no rule covers this part, and its change may hurt callers. ${waive}`,
    { effect: 'unknown' },
  ),
  'webhook-removed': sameForBoth('breaking', `Receivers no longer get this call of the service: ${deprecateFirst}`),
  'webhook-added': sameForBoth('safe', 'Compatible: one more webhook, for those who ask for it.', { bump: 'minor' }),
  'callback-removed': sameForBoth('breaking', `Callers no longer get this call of the service: ${deprecateFirst}`),
  'callback-added': sameForBoth(
    'care',
    'The service calls its callers once more: say in the description what they must answer.',
    { bump: 'minor' },
  ),

  // Parameters and request bodies
  'parameter-removed': eachSide(
    assess('breaking', `Callers who send it get 400, as for any unknown parameter: ${deprecateFirst}`),
    assess('breaking', `Receivers who read it find it missing: ${deprecateFirst}`),
  ),
  'parameter-ignored': eachSide(
    assess('care', 'The service ignores the header or cookie from now on: deprecate it first.'),
    assess('breaking', `Receivers who read it find it missing: ${deprecateFirst}`),
  ),
  'parameter-added-required': eachSide(
    assess(
      'breaking',
      'All current callers get 400, because none sends the parameter: make it optional, or add another operation.',
    ),
    ignoredByReceivers,
  ),
  'parameter-added-optional': sameForBoth('safe', 'Compatible: callers may omit the parameter.', { bump: 'minor' }),
  'parameter-moved': sameForBoth(
    'breaking',
    'The service no longer reads the parameter at its old location: accept both locations until the next major version.',
  ),
  'parameter-became-required': eachSide(
    assess('breaking', `Callers who omit the parameter get 400: ${keepOld}`),
    stillReceived,
    { effect: 'narrower' },
  ),
  'parameter-became-optional': eachSide(
    assess('safe', 'Compatible: callers may still send the parameter.'),
    noLongerSure,
    { effect: 'wider', bump: 'minor' },
  ),
  'path-parameter-renamed': sameForBoth(
    'care',
    'HTTP requests do not change; the argument of the typed client has another name.',
    { bump: 'minor' },
  ),
  'parameter-form-changed': eachSide(
    assess(
      'breaking',
      `Callers send the parameter in the old format, which is now interpreted differently or invalid: ${keepOld}`,
    ),
    assess('breaking', `Receivers expect the parameter in the old format: ${keepOld}`),
    { effect: 'both' },
  ),
  'parameter-form-unused': sameForBoth('safe', 'Compatible: a single value is written in the same way.', {
    bump: 'patch',
  }),
  'written-type-narrowed': narrower('a string that the type does not allow'),
  'written-type-widened': wider('any string'),
  'reserved-characters-refused': eachSide(
    assess('breaking', `Callers who send reserved characters unencoded (\`:\`, \`+\`, \`/\` …) get 400: ${keepOld}`),
    compatible.response,
    { effect: 'narrower' },
  ),
  'reserved-characters-allowed': eachSide(
    assess('safe', 'Compatible: more encodings of the value are valid.'),
    assess('breaking', `Receivers may get reserved characters unencoded: ${keepOld}`),
    { effect: 'wider', bump: 'minor' },
  ),
  'empty-value-refused': eachSide(
    assess('breaking', `Callers who send the parameter without a value get 400: ${keepOld}`),
    compatible.response,
    { effect: 'narrower' },
  ),
  'empty-value-allowed': eachSide(
    assess('safe', 'Compatible: an empty value is valid too.'),
    assess('breaking', `Receivers may get the parameter without a value: ${keepOld}`),
    { effect: 'wider', bump: 'minor' },
  ),
  'request-body-removed': eachSide(
    assess('breaking', `The service ignores or rejects the body: ${keepOld}`),
    assess('breaking', `Receivers who read the body find it missing: ${keepOld}`),
  ),
  'request-body-added-required': eachSide(
    assess(
      'breaking',
      'All current callers get an error, because none sends a body: make it optional, or add another operation.',
    ),
    ignoredByReceivers,
  ),
  'request-body-added-optional': eachSide(
    assess('safe', 'Compatible: callers may omit the body.'),
    ignoredByReceivers,
    { bump: 'minor' },
  ),
  'request-body-became-required': eachSide(
    assess('breaking', `Callers who send no body get an error: ${keepOld}`),
    stillReceived,
    { effect: 'narrower' },
  ),
  'request-body-became-optional': eachSide(assess('safe', 'Compatible: callers may still send a body.'), noLongerSure, {
    effect: 'wider',
    bump: 'minor',
  }),
  'media-type-removed': {
    effect: 'narrower',
    request: assess('breaking', `Callers who send this media type get 415: ${keepOld}`),
    response: assess('breaking', `Callers who read this media type no longer get it: ${keepOld}`),
  },
  'media-type-added': {
    effect: 'wider',
    request: assess('safe', 'Compatible: one more media type is valid.'),
    response: assess(
      'care',
      'Callers with `Accept: */*` may receive it: keep the old media type as the preferred one.',
    ),
  },
  'encoding-changed': changed('the encoding of the part'),
  'part-type-removed': narrower('a part of the removed content type'),
  'part-type-added': wider('a part of another content type'),

  // Responses
  'success-status-removed': eachSide(
    assess('breaking', `Receivers who answer with this status are no longer understood: ${keepOld}`),
    assess('breaking', `Callers no longer receive this response: ${keepOld}`),
  ),
  'success-status-added': eachSide(
    assess('safe', 'Compatible: receivers may answer with one more status.'),
    assess('breaking', `Callers who handle only the old status may find no body or another body: ${keepOld}`),
  ),
  'status-removed': eachSide(
    assess('breaking', `Receivers who answer with this status are no longer understood: ${keepOld}`),
    assess('care', 'Callers who handle this status no longer receive it: check that they handle its replacement.'),
    { bump: 'minor' },
  ),
  'status-added': eachSide(
    assess('safe', 'Compatible: receivers may answer with one more status.'),
    assess('care', 'Callers may receive a status that they do not handle: describe when it occurs.'),
    { bump: 'minor' },
  ),
  'links-changed': sameForBoth(
    'care',
    'Callers who follow the links of the document may get other targets: check that the old links still work.',
    { bump: 'minor' },
  ),
  'link-removed': sameForBoth('care', 'Callers who follow this link of the document need another way.', {
    bump: 'minor',
  }),
  'link-added': sameForBoth('safe', 'Compatible: one more link.', { bump: 'minor' }),
  'header-removed': eachSide(
    assess('care', 'The service ignores the header from now on: deprecate it first.'),
    assess('breaking', `Callers who read the header find it missing: ${keepOld}`),
  ),
  'header-added': eachSide(
    assess('safe', 'Compatible: callers may omit the header.'),
    assess('safe', 'Compatible: callers ignore unknown headers.'),
    { bump: 'minor' },
  ),
  'header-added-required': eachSide(
    assess('breaking', 'All current callers get an error, because none sends the header: make it optional.'),
    assess('safe', 'Compatible: callers ignore unknown headers.'),
    { bump: 'minor' },
  ),
  'header-became-optional': eachSide(
    assess('safe', 'Compatible: callers may still send the header.'),
    assess('breaking', `Callers who rely on the header may find it missing: ${keepOld}`),
    { bump: 'minor' },
  ),
  'header-became-required': eachSide(
    assess('breaking', `Callers who omit the header get an error: ${keepOld}`),
    assess('safe', 'Compatible: the header is now always present.'),
    { bump: 'minor' },
  ),

  // Security and servers
  'security-removed': sameForBoth('breaking', `Callers who authenticate with this scheme get 401: ${keepOld}`, {
    effect: 'narrower',
  }),
  'security-added': sameForBoth('safe', 'Compatible: one more authentication scheme.', {
    effect: 'wider',
    bump: 'minor',
  }),
  'security-required': sameForBoth('breaking', `Callers without a key now get 401: ${keepOld}`, {
    effect: 'narrower',
  }),
  'security-dropped': sameForBoth(
    'safe',
    'Compatible: callers need no authentication any more. Check that this is intended.',
    { effect: 'wider', bump: 'minor' },
  ),
  'scope-added': sameForBoth('breaking', `Callers whose key lacks the scope get 403: ${keepOld}`, {
    effect: 'narrower',
  }),
  'scope-introduced': sameForBoth(
    'care',
    'The old contract had no scopes, so its keys had full access: check that existing keys keep it. Keys without the scope get 403.',
    { bump: 'minor' },
  ),
  'scope-removed': sameForBoth('safe', 'Compatible: fewer scopes are required.', { effect: 'wider', bump: 'minor' }),
  'security-scheme-changed': sameForBoth(
    'breaking',
    'Callers who send their key with the old scheme get 401: add a new scheme and keep the old one.',
    { effect: 'both' },
  ),
  'security-scheme-hint-changed': sameForBoth(
    'care',
    'The documented format of the credentials changed: check that existing credentials still work.',
    { bump: 'minor' },
  ),
  'flow-removed': sameForBoth('breaking', `Clients who get their tokens by this flow cannot any more: ${keepOld}`),
  'flow-added': sameForBoth('safe', 'Compatible: one more way to get a token.', { bump: 'minor' }),
  'flow-address-changed': sameForBoth('breaking', `Clients ask for tokens at the old address: ${keepOld}`),
  'flow-scope-removed': sameForBoth('breaking', `Clients who ask for the scope get an error: ${keepOld}`),
  'flow-scope-added': sameForBoth('safe', 'Compatible: one more scope.', { bump: 'minor' }),
  'server-removed': sameForBoth(
    'breaking',
    'The contract no longer covers this address: keep it until the next major version.',
  ),
  'server-added': sameForBoth('safe', 'Compatible: one more address.', { bump: 'minor' }),
  'server-changed': sameForBoth(
    'care',
    'The variables of the address changed: check that every old address still works.',
    { bump: 'minor' },
  ),
  'server-default-changed': sameForBoth(
    'care',
    'Callers who leave the variable out reach another address: check that the old one still works.',
    { bump: 'minor' },
  ),
  'server-value-removed': sameForBoth(
    'breaking',
    'The contract no longer covers the address with this value: keep it until the next major version.',
  ),
  'server-value-added': sameForBoth('safe', 'Compatible: one more value of the variable.', { bump: 'minor' }),

  // Types and values
  'type-removed': narrower('a value of the removed type'),
  'type-added': wider('a value of another type'),
  'type-changed': changed('the type'),
  'null-refused': narrower('null'),
  'null-allowed': wider('null'),
  'schema-introduced': narrower('a value that the new schema excludes'),
  'schema-dropped': wider('a value of any kind'),
  'schema-forbidden': narrower('any value here'),
  'schema-allowed': wider('a value where none was allowed'),
  'enum-value-removed': narrower('a removed value'),
  'enum-value-added': wider('an unknown value'),
  'enum-value-added-as-announced': {
    effect: 'wider',
    bump: 'minor',
    request: compatible.request,
    response: assess(
      'care',
      'The old contract announced new values (`x-extensible`): mention it in the release notes.',
    ),
  },
  'enum-introduced': narrower('a value outside the new list'),
  'enum-dropped': wider('a value outside the old list'),
  'const-changed': changed('the constant'),
  'format-added': narrower('a value of another format'),
  'format-removed': wider('a value of another format'),
  'format-changed': changed('the format'),
  'format-narrowed': narrower('a value outside the narrower format'),
  'format-widened': wider('a value outside the old format'),
  'format-implied': sameForBoth(
    'safe',
    'Compatible: the bounds exclude all values that only one of the formats allows.',
  ),
  'pattern-added': narrower('a string that does not match the pattern'),
  'pattern-removed': wider('a string that does not match the old pattern'),
  'pattern-widened': wider('a string that does not match the old pattern'),
  'pattern-narrowed': narrower('a string that does not match the new pattern'),
  'pattern-rewritten': sameForBoth('safe', 'Compatible: both patterns match the same strings.'),
  'pattern-changed': undecided('the new pattern'),
  ...limitRules,
  'multipleOf-tightened': narrower('a number that is no multiple of the new value'),
  'multipleOf-loosened': wider('a number that is no multiple of the old value'),
  'multipleOf-changed': changed('the multiple'),
  'content-encoding-changed': changed('the content encoding'),
  'max-bytes-lowered': narrower('more bytes than now allowed'),
  'max-bytes-raised': wider('more bytes than before'),

  // Lists
  'unique-items-required': narrower('a list with repeated items'),
  'unique-items-dropped': wider('a list with repeated items'),
  'contains-added': narrower('a list without the required item'),
  'contains-removed': wider('a list without the required item'),
  'contains-tightened': narrower('a list without an item that matches the narrower schema'),
  'contains-loosened': wider('a list without an item that matches the old schema'),
  'contains-changed': undecided('the new `contains` schema'),

  // Objects
  'required-added': narrower('an object without the property'),
  'required-removed': wider('an object without the property'),
  'property-added': wider('an unknown property', {
    request: assess('safe', 'Compatible: callers may omit the property.'),
    response: assess(
      'care',
      'Only callers who reject unknown properties are affected: mention it in the release notes.',
    ),
  }),
  'required-property-added': {
    effect: 'both',
    request: assess(
      'breaking',
      'All current callers get an error, because none sends the property: make it optional, or add another operation.',
    ),
    response: assess(
      'care',
      'Only callers who reject unknown properties are affected: mention it in the release notes.',
    ),
  },
  'property-declared': narrower('another value under this name', {
    request: assess(
      'care',
      'The object allowed additional properties: callers who send another value under this name get an error.',
    ),
  }),
  'property-removed': {
    effect: 'narrower',
    request: assess('breaking', `Callers who send the property get an error: ${deprecateFirst}`),
    response: assess('breaking', `Callers who read the property find it missing: ${deprecateFirst}`),
  },
  'property-undeclared': {
    effect: 'wider',
    request: assess('care', 'The service accepts the property but ignores it: deprecate it first.'),
    response: assess('breaking', `Callers who read the property may find it missing: ${deprecateFirst}`),
  },
  'additional-refused': narrower('properties that the schema does not name'),
  'additional-allowed': wider('unknown properties'),
  'additional-narrowed': narrower('additional properties of any kind'),
  'additional-widened': wider('additional properties of any kind'),
  'pattern-property-added': narrower('another value under a matching name'),
  'pattern-property-removed': wider('another value under a matching name'),
  'pattern-property-changed': undecided('the new set of name patterns'),
  'dependent-required-added': narrower('the property without its dependent properties'),
  'dependent-required-removed': wider('the property without its dependent properties'),
  'unevaluated-changed': undecided('the change inside a schema with unevaluatedProperties or unevaluatedItems'),
  'became-read-only': {
    effect: 'none',
    request: assess('breaking', `The service rejects or ignores the property in requests: ${keepOld}`),
    response: assess('safe', 'Compatible: responses still contain the property.'),
  },
  'no-longer-read-only': sameForBoth('safe', 'Compatible: requests may contain the property.', { bump: 'minor' }),
  'became-write-only': {
    effect: 'none',
    request: assess('safe', 'Compatible: requests may still contain the property.'),
    response: assess('breaking', `Callers who read the property find it missing: ${keepOld}`),
  },
  'no-longer-write-only': {
    effect: 'none',
    request: assess('safe', 'Compatible: requests may still contain the property.'),
    response: assess(
      'care',
      'Only callers who reject unknown properties are affected: mention it in the release notes.',
    ),
  },
  'default-changed': {
    effect: 'none',
    request: assess('care', 'Requests without the value behave differently: mention it in the release notes.'),
    response: assess('safe', 'Compatible: responses contain their values explicitly.'),
  },

  // Composition
  'alternative-removed': narrower('a value of the removed alternative'),
  'alternative-added': wider('a value of the new alternative'),
  'alternatives-introduced': narrower('a value that matches no alternative'),
  'alternatives-dropped': wider('a value that matches no old alternative'),
  'alternatives-overlap': undecided('the change of overlapping oneOf alternatives'),
  'all-of-added': narrower('a value that the added part excludes'),
  'all-of-removed': wider('a value that the removed part excluded'),
  'not-added': narrower('an excluded value'),
  'not-removed': wider('a value that was excluded'),
  'not-tightened': narrower('a newly excluded value'),
  'not-loosened': wider('a value that was excluded'),
  'not-changed': undecided('the new exclusion'),
  'condition-added': narrower('a value that the condition excludes'),
  'condition-removed': wider('a value that the condition excluded'),
  'condition-changed': undecided('the new condition'),
  'discriminator-changed': sameForBoth(
    'breaking',
    `Clients choose the alternative by the old member and its values: ${keepOld}`,
  ),
  'discriminator-value-added': sameForBoth(
    'care',
    'Clients may meet a value of the discriminator that they do not know.',
    {
      bump: 'minor',
    },
  ),
  'discriminator-added': sameForBoth('care', 'Generated types may change: requests and responses do not.', {
    bump: 'minor',
  }),
  'definition-changed': sameForBoth('safe', 'Compatible: only the structure of the document changes.', {
    bump: 'patch',
  }),

  // Messages of /ws, and components
  'messages-removed': sameForBoth('breaking', `Clients cannot use these messages on /ws any more: ${keepOld}`),
  'messages-added': sameForBoth('safe', 'Compatible: new messages on /ws.', { bump: 'minor' }),
  'message-removed': sameForBoth('breaking', `Clients cannot use this message on /ws any more: ${keepOld}`),
  'message-added': {
    effect: 'wider',
    bump: 'minor',
    request: assess('safe', 'Compatible: clients may send one more message.'),
    response: assess(
      'care',
      'The protocol demands that clients ignore unknown messages: mention it in the release notes.',
    ),
  },
  'message-payload-changed': undecided('the new schema of the message'),
  'command-removed': eachSide(
    assess('breaking', `Clients who send the messages of this operation get an error: ${keepOld}`),
    assess('breaking', `Clients no longer receive the messages of this operation: ${keepOld}`),
  ),
  'command-added': eachSide(
    assess('safe', 'Compatible: clients may send one more message.'),
    assess('care', 'The protocol demands that clients ignore unknown messages: mention it in the release notes.'),
    { bump: 'minor' },
  ),
  'command-turned': sameForBoth('breaking', `What clients sent, they now receive, or the reverse: ${keepOld}`),
  'reply-removed': sameForBoth('breaking', `Clients wait for a reply that does not come: ${keepOld}`),
  'reply-added': sameForBoth('care', 'Clients receive a reply that they do not expect: say so in the release notes.', {
    bump: 'minor',
  }),
  'binding-key-removed': sameForBoth(
    'breaking',
    `Clients who connect with this key are refused, or not understood: ${keepOld}`,
  ),
  'binding-key-added': sameForBoth('safe', 'Compatible: clients may connect without the key.', { bump: 'minor' }),
  'binding-key-required': sameForBoth('breaking', `Clients who connect without the key are refused: ${keepOld}`),
  'binding-key-optional': sameForBoth('safe', 'Compatible: clients may still connect with the key.', { bump: 'minor' }),
  'server-address-changed': sameForBoth('breaking', `Clients connect to the old address: ${keepOld}`),
  'channel-removed': sameForBoth('breaking', `A subscription to the channel gets an error: ${deprecateFirst}`),
  'channel-added': sameForBoth('safe', 'Compatible: one more channel.', { bump: 'minor' }),
  'channel-parameter-removed': sameForBoth(
    'breaking',
    `A subscription with the parameter gets an error: ${deprecateFirst}`,
  ),
  'channel-parameter-added': sameForBoth('safe', 'Compatible: one more way to subscribe.', { bump: 'minor' }),
  'channel-parameter-required': sameForBoth('breaking', `A subscription without parameters gets an error: ${keepOld}`),
  'channel-kind-changed': sameForBoth(
    'breaking',
    `Clients rely on the replay of a log channel, or on the current value of a state channel: ${keepOld}`,
  ),
  'channel-data-changed': sameForBoth('breaking', `The events of the channel have data of another schema: ${keepOld}`),
  'event-removed': sameForBoth('breaking', `Subscribers no longer receive this event: ${keepOld}`),
  'event-added': sameForBoth(
    'care',
    'The protocol demands that clients ignore unknown events: mention it in the release notes.',
    { bump: 'minor' },
  ),
  'code-added': sameForBoth('care', 'Clients may receive a code that they do not handle: say what to do then.', {
    bump: 'minor',
  }),
  'code-removed': sameForBoth('care', 'Clients no longer receive this code: check that they handle its replacement.', {
    bump: 'minor',
  }),
  'error-code-changed': sameForBoth('care', 'Clients may compare the status: mention it in the release notes.', {
    bump: 'minor',
  }),
  'close-code-changed': sameForBoth(
    'breaking',
    `Clients of the old contract reconnect at another time, or not at all: ${keepOld}`,
  ),
  'close-reason-changed': sameForBoth('care', 'Clients may compare the reason: mention it in the release notes.', {
    bump: 'minor',
  }),
  'limit-lowered': sameForBoth('breaking', `Clients within the old limit exceed the new one: ${keepOld}`),
  'limit-raised': sameForBoth('care', 'Check that clients do not depend on the old limit.', { bump: 'minor' }),
  'limit-added': sameForBoth('care', 'Check that existing clients stay within the limit.', { bump: 'minor' }),
  'stream-address-changed': sameForBoth('breaking', `Clients connect to the old address: ${keepOld}`),
  'inner-part-changed': sameForBoth('safe', 'Compatible: only the structure of the document changes.', {
    bump: 'patch',
  }),
  'component-removed': sameForBoth(
    'care',
    'Code that imports the generated type by this name no longer compiles; requests and responses do not change.',
    { bump: 'minor' },
  ),
  'component-added': sameForBoth('safe', 'Compatible: one more named type.', { bump: 'minor' }),
} as const satisfies Record<string, Rule>;

export type RuleId = keyof typeof rules;

/** The version part that a finding must increase: major for breaking changes, otherwise the part that the rule names, by default minor. */
export function bumpOf(id: RuleId, level: Level): Bump {
  if (level === 'breaking') return 'major';
  const rule: Rule = rules[id];
  return rule.bump ?? 'minor';
}
