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
/** A difference that breaks a caller needs a new major version; any other one that of `bump`, by default a minor one. */
export type Rule = { readonly effect: Effect; readonly bump?: Bump } & Readonly<Record<Side, Assessment>>;

const keepOld = 'keep the old form, or make the change in the next major version.';
const deprecateFirst = 'deprecate it first, and remove it in the next major version.';
const waive = 'If you know that it does not, accept it with a waiver in spec/waivers.yaml.';

const breaking = (consequence: string, action = keepOld): Assessment => ({
  level: 'breaking',
  advice: `${consequence}: ${action}`,
});
/** What the comparison cannot judge counts as breaking. */
const unjudgeable = (reason: string): Assessment =>
  breaking('Cannot be judged, so it counts as breaking', `${reason}. ${waive}`);
const care = (advice: string): Assessment => ({ level: 'care', advice });
const safe = (reason: string): Assessment => ({ level: 'safe', advice: `Compatible: ${reason}` });

type Rest = Partial<Pick<Rule, 'effect' | 'bump'>>;
/** One verdict for what callers send, another one for what they receive: a parameter, a body or a header of a webhook is received. */
const sides = (request: Assessment, response: Assessment, rest: Rest = {}): Rule => ({
  ...{ effect: 'none', request, response, ...rest },
});
/** The same verdict for both sides. */
const both = (verdict: Assessment, rest?: Rest): Rule => sides(verdict, verdict, rest);

const requestsStayValid = safe('all previously valid requests stay valid.');
const responsesStayValid = safe('all responses match the old contract.');
const ignoredByReceivers = safe('receivers ignore what they do not know.');
const stillReceived = safe('it is now always there.');
const noLongerSure = breaking('Receivers who rely on it may find it missing');
const onlyStrictCallers = care(
  'Only callers who reject unknown properties are affected: mention it in the release notes.',
);

/** Fewer valid values than before; `sent` names the removed ones. */
const narrower = (sent: string): Rule =>
  sides(breaking(`Callers who send ${sent} now get an error`), responsesStayValid, { effect: 'narrower' });
/** More valid values than before; `received` names the new ones. */
const wider = (received: string): Rule =>
  sides(requestsStayValid, breaking(`Callers may receive ${received}, which the old contract excluded`), {
    effect: 'wider',
  });
/** Some values are removed and others added. */
const changed = (what: string): Rule =>
  sides(
    breaking(`Callers who still send ${what} of the old contract get an error`),
    breaking(`Callers who expect ${what} of the old contract receive something else`),
    { effect: 'both' },
  );
/** The comparison cannot decide whether fewer or more values are valid. */
const undecided = (what: string): Rule =>
  sides(
    unjudgeable(`${what} may exclude requests that were valid`),
    unjudgeable(`${what} may allow responses that were not possible`),
    { effect: 'unknown' },
  );

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
  'operation-removed': both(breaking('Every caller of the operation gets 404 or 405', deprecateFirst)),
  'operation-added': both(safe('a new operation.')),
  'operation-id-changed': both(
    breaking('The function of the typed client has a new name; HTTP requests do not change'),
  ),
  'operation-id-added': both(safe('the typed client gets a function for the operation.')),
  deprecated: both(care('Callers should migrate: name the replacement and the date in the description.')),
  'sunset-set': both(care('Callers must migrate by this day: say so in the description.')),
  'sunset-earlier': both(care('Callers have less time to migrate: announce the new day.')),
  'sunset-later': both(safe('callers have more time to migrate.')),
  'no-longer-deprecated': both(safe('callers need not migrate.')),
  'documentation-changed': both(safe('only the documentation changes.'), { bump: 'patch' }),
  'tags-changed': both(safe('only the grouping in the documentation changes.'), { bump: 'patch' }),
  'parameter-group-tightened': both(
    breaking('Callers who send a combination of these parameters that was valid get 400'),
    { effect: 'narrower' },
  ),
  'parameter-group-loosened': both(safe('all previously valid combinations of parameters stay valid.'), {
    effect: 'wider',
  }),
  'repeat-refused': both(breaking('Clients of the old contract repeat a failed call, which now may run twice')),
  'repeat-allowed': both(safe('clients may repeat more failed calls.')),
  'dialect-changed': both(
    care('Tools may interpret the document differently: test the code generators that callers use.'),
  ),
  'extension-changed': both(care('An extension without a rule changed: check the tools that read it.'), {
    effect: 'unknown',
  }),
  unjudged: both(unjudgeable('no rule covers this part, and its change may hurt callers'), { effect: 'unknown' }),
  'webhook-removed': both(breaking('Receivers no longer get this call of the service', deprecateFirst)),
  'webhook-added': both(safe('one more webhook, for those who ask for it.')),
  'callback-removed': both(breaking('Callers no longer get this call of the service', deprecateFirst)),
  'callback-added': both(
    care('The service calls its callers once more: say in the description what they must answer.'),
  ),

  // Parameters and request bodies
  'parameter-removed': sides(
    breaking('Callers who send it get 400, as for any unknown parameter', deprecateFirst),
    breaking('Receivers who read it find it missing', deprecateFirst),
  ),
  'parameter-ignored': sides(
    care('The service ignores the header or cookie from now on: deprecate it first.'),
    breaking('Receivers who read it find it missing', deprecateFirst),
  ),
  'parameter-added-required': sides(
    breaking(
      'All current callers get 400, because none sends the parameter',
      'make it optional, or add another operation.',
    ),
    ignoredByReceivers,
  ),
  'parameter-added-optional': both(safe('callers may omit the parameter.')),
  'parameter-moved': both(
    breaking(
      'The service no longer reads the parameter at its old location',
      'accept both locations until the next major version.',
    ),
  ),
  'parameter-became-required': sides(breaking('Callers who omit the parameter get 400'), stillReceived, {
    effect: 'narrower',
  }),
  'parameter-became-optional': sides(safe('callers may still send the parameter.'), noLongerSure, { effect: 'wider' }),
  'path-parameter-renamed': both(
    care('HTTP requests do not change; the argument of the typed client has another name.'),
  ),
  'parameter-form-changed': sides(
    breaking('Callers send the parameter in the old format, which is now interpreted differently or invalid'),
    breaking('Receivers expect the parameter in the old format'),
    { effect: 'both' },
  ),
  'parameter-form-unused': both(safe('a single value is written in the same way.'), { bump: 'patch' }),
  'written-type-narrowed': narrower('a string that the type does not allow'),
  'written-type-widened': wider('any string'),
  'reserved-characters-refused': sides(
    breaking('Callers who send reserved characters unencoded (`:`, `+`, `/` …) get 400'),
    responsesStayValid,
    { effect: 'narrower' },
  ),
  'reserved-characters-allowed': sides(
    safe('more encodings of the value are valid.'),
    breaking('Receivers may get reserved characters unencoded'),
    { effect: 'wider' },
  ),
  'empty-value-refused': sides(breaking('Callers who send the parameter without a value get 400'), responsesStayValid, {
    effect: 'narrower',
  }),
  'empty-value-allowed': sides(
    safe('an empty value is valid too.'),
    breaking('Receivers may get the parameter without a value'),
    { effect: 'wider' },
  ),
  'request-body-removed': sides(
    breaking('The service ignores or rejects the body'),
    breaking('Receivers who read the body find it missing'),
  ),
  'request-body-added-required': sides(
    breaking(
      'All current callers get an error, because none sends a body',
      'make it optional, or add another operation.',
    ),
    ignoredByReceivers,
  ),
  'request-body-added-optional': sides(safe('callers may omit the body.'), ignoredByReceivers),
  'request-body-became-required': sides(breaking('Callers who send no body get an error'), stillReceived, {
    effect: 'narrower',
  }),
  'request-body-became-optional': sides(safe('callers may still send a body.'), noLongerSure, { effect: 'wider' }),
  'media-type-removed': sides(
    breaking('Callers who send this media type get 415'),
    breaking('Callers who read this media type no longer get it'),
    { effect: 'narrower' },
  ),
  'media-type-added': sides(
    safe('one more media type is valid.'),
    care('Callers with `Accept: */*` may receive it: keep the old media type as the preferred one.'),
    { effect: 'wider' },
  ),
  'encoding-changed': changed('the encoding of the part'),
  'part-type-removed': narrower('a part of the removed content type'),
  'part-type-added': wider('a part of another content type'),

  // Responses
  'success-status-removed': sides(
    breaking('Receivers who answer with this status are no longer understood'),
    breaking('Callers no longer receive this response'),
  ),
  'success-status-added': sides(
    safe('receivers may answer with one more status.'),
    breaking('Callers who handle only the old status may find no body or another body'),
  ),
  'status-removed': sides(
    breaking('Receivers who answer with this status are no longer understood'),
    care('Callers who handle this status no longer receive it: check that they handle its replacement.'),
  ),
  'status-added': sides(
    safe('receivers may answer with one more status.'),
    care('Callers may receive a status that they do not handle: describe when it occurs.'),
  ),
  'links-changed': both(
    care('Callers who follow the links of the document may get other targets: check that the old links still work.'),
  ),
  'link-removed': both(care('Callers who follow this link of the document need another way.')),
  'link-added': both(safe('one more link.')),
  'header-removed': sides(
    care('The service ignores the header from now on: deprecate it first.'),
    breaking('Callers who read the header find it missing'),
  ),
  'header-added': sides(safe('callers may omit the header.'), safe('callers ignore unknown headers.')),
  'header-added-required': sides(
    breaking('All current callers get an error, because none sends the header', 'make it optional.'),
    safe('callers ignore unknown headers.'),
  ),
  'header-became-optional': sides(
    safe('callers may still send the header.'),
    breaking('Callers who rely on the header may find it missing'),
  ),
  'header-became-required': sides(
    breaking('Callers who omit the header get an error'),
    safe('the header is now always present.'),
  ),

  // Security and servers
  'security-removed': both(breaking('Callers who authenticate with this scheme get 401'), { effect: 'narrower' }),
  'security-added': both(safe('one more authentication scheme.'), { effect: 'wider' }),
  'security-required': both(breaking('Callers without a key now get 401'), { effect: 'narrower' }),
  'security-dropped': both(safe('callers need no authentication any more. Check that this is intended.'), {
    effect: 'wider',
  }),
  'scope-added': both(breaking('Callers whose key lacks the scope get 403'), { effect: 'narrower' }),
  'scope-introduced': both(
    care(
      'The old contract had no scopes, so its keys had full access: check that existing keys keep it. Keys without the scope get 403.',
    ),
  ),
  'scope-removed': both(safe('fewer scopes are required.'), { effect: 'wider' }),
  'security-scheme-changed': both(
    breaking('Callers who send their key with the old scheme get 401', 'add a new scheme and keep the old one.'),
    { effect: 'both' },
  ),
  'security-scheme-hint-changed': both(
    care('The documented format of the credentials changed: check that existing credentials still work.'),
  ),
  'flow-removed': both(breaking('Clients who get their tokens by this flow cannot any more')),
  'flow-added': both(safe('one more way to get a token.')),
  'flow-address-changed': both(breaking('Clients ask for tokens at the old address')),
  'flow-scope-removed': both(breaking('Clients who ask for the scope get an error')),
  'flow-scope-added': both(safe('one more scope.')),
  'server-removed': both(
    breaking('The contract no longer covers this address', 'keep it until the next major version.'),
  ),
  'server-added': both(safe('one more address.')),
  'server-changed': both(care('The variables of the address changed: check that every old address still works.')),
  'server-default-changed': both(
    care('Callers who leave the variable out reach another address: check that the old one still works.'),
  ),
  'server-value-removed': both(
    breaking('The contract no longer covers the address with this value', 'keep it until the next major version.'),
  ),
  'server-value-added': both(safe('one more value of the variable.')),

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
  'enum-value-added-as-announced': sides(
    requestsStayValid,
    care('The old contract announced new values (`x-extensible`): mention it in the release notes.'),
    { effect: 'wider' },
  ),
  'enum-introduced': narrower('a value outside the new list'),
  'enum-dropped': wider('a value outside the old list'),
  'const-changed': changed('the constant'),
  'format-added': narrower('a value of another format'),
  'format-removed': wider('a value of another format'),
  'format-changed': changed('the format'),
  'format-narrowed': narrower('a value outside the narrower format'),
  'format-widened': wider('a value outside the old format'),
  'format-implied': both(safe('the bounds exclude all values that only one of the formats allows.')),
  'pattern-added': narrower('a string that does not match the pattern'),
  'pattern-removed': wider('a string that does not match the old pattern'),
  'pattern-widened': wider('a string that does not match the old pattern'),
  'pattern-narrowed': narrower('a string that does not match the new pattern'),
  'pattern-rewritten': both(safe('both patterns match the same strings.')),
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
  'property-added': sides(safe('callers may omit the property.'), onlyStrictCallers, { effect: 'wider' }),
  'required-property-added': sides(
    breaking(
      'All current callers get an error, because none sends the property',
      'make it optional, or add another operation.',
    ),
    onlyStrictCallers,
    { effect: 'both' },
  ),
  'property-declared': sides(
    care('The object allowed additional properties: callers who send another value under this name get an error.'),
    responsesStayValid,
    { effect: 'narrower' },
  ),
  'property-removed': sides(
    breaking('Callers who send the property get an error', deprecateFirst),
    breaking('Callers who read the property find it missing', deprecateFirst),
    { effect: 'narrower' },
  ),
  'property-undeclared': sides(
    care('The service accepts the property but ignores it: deprecate it first.'),
    breaking('Callers who read the property may find it missing', deprecateFirst),
    { effect: 'wider' },
  ),
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
  'became-read-only': sides(
    breaking('The service rejects or ignores the property in requests'),
    safe('responses still contain the property.'),
  ),
  'no-longer-read-only': both(safe('requests may contain the property.')),
  'became-write-only': sides(
    safe('requests may still contain the property.'),
    breaking('Callers who read the property find it missing'),
  ),
  'no-longer-write-only': sides(safe('requests may still contain the property.'), onlyStrictCallers),
  'default-changed': sides(
    care('Requests without the value behave differently: mention it in the release notes.'),
    safe('responses contain their values explicitly.'),
  ),

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
  'discriminator-changed': both(breaking('Clients choose the alternative by the old member and its values')),
  'discriminator-value-added': both(care('Clients may meet a value of the discriminator that they do not know.')),
  'discriminator-added': both(care('Generated types may change: requests and responses do not.')),
  'definition-changed': both(safe('only the structure of the document changes.'), { bump: 'patch' }),

  // Messages of /ws, and components
  'messages-removed': both(breaking('Clients cannot use these messages on /ws any more')),
  'messages-added': both(safe('new messages on /ws.')),
  'message-removed': both(breaking('Clients cannot use this message on /ws any more')),
  'message-added': sides(
    safe('clients may send one more message.'),
    care('The protocol demands that clients ignore unknown messages: mention it in the release notes.'),
    { effect: 'wider' },
  ),
  'message-payload-changed': undecided('the new schema of the message'),
  'command-removed': sides(
    breaking('Clients who send the messages of this operation get an error'),
    breaking('Clients no longer receive the messages of this operation'),
  ),
  'command-added': sides(
    safe('clients may send one more message.'),
    care('The protocol demands that clients ignore unknown messages: mention it in the release notes.'),
  ),
  'command-turned': both(breaking('What clients sent, they now receive, or the reverse')),
  'reply-removed': both(breaking('Clients wait for a reply that does not come')),
  'reply-added': both(care('Clients receive a reply that they do not expect: say so in the release notes.')),
  'binding-key-removed': both(breaking('Clients who connect with this key are refused, or not understood')),
  'binding-key-added': both(safe('clients may connect without the key.')),
  'binding-key-required': both(breaking('Clients who connect without the key are refused')),
  'binding-key-optional': both(safe('clients may still connect with the key.')),
  'server-address-changed': both(breaking('Clients connect to the old address')),
  'channel-removed': both(breaking('A subscription to the channel gets an error', deprecateFirst)),
  'channel-added': both(safe('one more channel.')),
  'channel-parameter-removed': both(breaking('A subscription with the parameter gets an error', deprecateFirst)),
  'channel-parameter-added': both(safe('one more way to subscribe.')),
  'channel-parameter-required': both(breaking('A subscription without parameters gets an error')),
  'channel-kind-changed': both(
    breaking('Clients rely on the replay of a log channel, or on the current value of a state channel'),
  ),
  'channel-data-changed': both(breaking('The events of the channel have data of another schema')),
  'event-removed': both(breaking('Subscribers no longer receive this event')),
  'event-added': both(
    care('The protocol demands that clients ignore unknown events: mention it in the release notes.'),
  ),
  'code-added': both(care('Clients may receive a code that they do not handle: say what to do then.')),
  'code-removed': both(care('Clients no longer receive this code: check that they handle its replacement.')),
  'error-code-changed': both(care('Clients may compare the status: mention it in the release notes.')),
  'close-code-changed': both(breaking('Clients of the old contract reconnect at another time, or not at all')),
  'close-reason-changed': both(care('Clients may compare the reason: mention it in the release notes.')),
  'limit-lowered': both(breaking('Clients within the old limit exceed the new one')),
  'limit-raised': both(care('Check that clients do not depend on the old limit.')),
  'limit-added': both(care('Check that existing clients stay within the limit.')),
  'stream-address-changed': both(breaking('Clients connect to the old address')),
  'inner-part-changed': both(safe('only the structure of the document changes.'), { bump: 'patch' }),
  'component-removed': both(
    care('Code that imports the generated type by this name no longer compiles; requests and responses do not change.'),
  ),
  'component-added': both(safe('one more named type.')),
} as const satisfies Record<string, Rule>;

export type RuleId = keyof typeof rules;

/** The version part that a finding must increase: major for breaking changes, otherwise the part that the rule names, by default minor. */
export function bumpOf(id: RuleId, level: Level): Bump {
  if (level === 'breaking') return 'major';
  const rule: Rule = rules[id];
  return rule.bump ?? 'minor';
}
