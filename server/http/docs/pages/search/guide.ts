/** The text of /docs/search that no table of the code contains. A test parses every query in it. */
import { newsDomains } from '../../../../search/language/news-domains.ts';
import { html, type Html } from '../html.ts';

/** A link that puts a query into the box. */
export const example = (query: string, kind = ''): Html =>
  html`<a class="example${kind === '' ? '' : ` ${kind}`}" href="#query=${encodeURIComponent(query)}"><code>${query}</code></a>`;

/** Queries and their meaning. */
export const rules: readonly (readonly [query: string, means: Html])[] = [
  ['coffee beans', html`Both words, anywhere and in any order. A space means AND.`],
  [
    'coffee OR tea',
    html`One of the words, or both. <code>OR</code> must be in upper case, with spaces around it. <code>or</code> and
    <code>AND</code> are ordinary words.`,
  ],
  ['new coffee OR tea', html`<strong>OR binds tighter than a space:</strong> new, and either coffee or tea.`],
  ['(new coffee) OR tea', html`Parentheses group: both new and coffee, or tea.`],
  ['coffee -decaf', html`Coffee without decaf. <code>-</code> negates the next element.`],
  ['coffee -(decaf OR "flat white") -filter:replies', html`You can negate words, phrases, tags, operators and groups.`],
  ['-filter:links -filter:replies', html`A query can consist of negations only.`],
  [
    '"next to"',
    html`A phrase: these words next to each other. Without a closing quote it extends to the end. <code>\\"</code> is a quote
    character.`,
  ],
  ['"the * file"', html`A separate <code>*</code> in a phrase matches exactly one word.`],
  ['state-of-the-art', html`Words joined by hyphens or other signs are a phrase.`],
  [
    '#coffee',
    html`The whole hashtag, not <code>#coffeetime</code>. Without <code>#</code> it is a word. Punctuation around it, as in
    <code>#東京、</code>, is not part of it.`,
  ],
  [
    '$BTC',
    html`The cashtag: up to six letters, and an optional suffix such as <code>.B</code>. <code>$100</code> is a number with a
    sign.`,
  ],
  [
    '@tom_sails',
    html`Tweets that mention the user by this username. For tweets of the user, use <code>from:</code>. The list
    <code>/social/user/mentions</code> also has the mentions by an earlier username.`,
  ],
  [
    '@alice.example.com',
    html`A handle of Bluesky is a username, also in <code>from:</code> and <code>to:</code>. Punctuation after it is not part
    of it.`,
  ],
  [
    'https://example.org/node-24',
    html`A link with these words next to each other, in the short or the expanded URL. The part after <code>?</code> or
    <code>#</code> is ignored.`,
  ],
  ['CAFÉ', html`The same as <code>cafe</code>: case, accents and width do not matter, in the query and in the text.`],
  [
    'Łódź OR Straße OR سَلَام',
    html`The same as <code>lodz</code>, <code>strasse</code> and <code>سلام</code>: a letter has one form, and the vowel points of Arabic and
    Hebrew do not matter.`,
  ],
  [
    '京都 OR 서울 OR กาแฟ',
    html`Chinese, Japanese, Korean, Thai, Lao, Khmer and Burmese words match inside longer runs of letters.`,
  ],
  ['☕', html`Each emoji is a word. Skin tones are ignored.`],
  [
    'coffee ?',
    html`A separate sign matches the same sign in the text, also in quotes: <code>"?"</code>. An arrow such as <code>-&gt;</code> is a sign; it
    negates nothing. To exclude a sign, put it in quotes: <code>-"&gt;"</code>.`,
  ],
];

export const dates: readonly (readonly [query: string, means: Html])[] = [
  [
    'since:2026-03-04',
    html`From that day on, 00:00:00 UTC. An invalid date is an error. One digit is enough: <code>2026-3-4</code>.`,
  ],
  ['until:2026-03-05', html`Before that day: <code>since:</code> is inclusive, <code>until:</code> exclusive.`],
  ['since:2026-03-04_05:06:07', html`A date and time, in UTC by default.`],
  ['since:2026-03-04_05:06:07_PST', html`A date and time in a time zone.`],
  [
    'until:2026-03-04T05:06:07+09:00',
    html`A date and time in RFC 3339, also with <code>Z</code>. In a URL, <code>+</code> is <code>%2B</code>.`,
  ],
  ['since_time:1772600767 until_time:1772700000', html`Unix seconds, also inclusive and exclusive.`],
  ['within_time:2d', html`The last two days before each request.`],
];

/** Decisions where platforms and tools differ or specify nothing, with the reasons. */
export const decisions: readonly (readonly [topic: string, here: Html, why: Html])[] = [
  [
    'AND and OR',
    html`OR binds tighter, also in queries with names of the v2 API.`,
    html`The search box of the platform uses this precedence; its v2 API uses the opposite one. One language needs one precedence.
    Parentheses work the same in both.`,
  ],
  [
    'Unknown operators',
    html`${example('note:well')} is searched as the words “note well”. A name that is one edit away from an operator
    (${example('fron:mira', 'refused')}) is an error that suggests the operator. In quotes it is searched as words
    (${example('"fron:mira"')}). A known operator with an invalid value is an error that names the expected value.`,
    html`Texts contain colons: “update: done” must not be an error. A misspelled value must not silently give wrong results.`,
  ],
  [
    'Unsupported operators',
    html`An error that names the operator.`,
    html`A silently ignored operator gives wrong results that look right.`,
  ],
  [
    'Signs',
    html`A run of signs matches the same run (${example(':)')}), and each sign matches separately: <code>?</code> finds “what?!”,
    <code>?!</code> finds only “?!”. Signs next to a word are ignored: ${example('what?')} is “what”.`,
    html`Emoticons stay whole, one question mark finds every question, and the index needs no entry for each pair of signs.`,
  ],
  [
    'Korean',
    html`Indexed by syllable, as Chinese, Japanese and Thai are indexed by character. A word is a phrase of syllables.`,
    html`Korean adds endings to words: 서울 must match 서울에서. Dictionaries change with their version; syllables do not, so search stays
    exact.`,
  ],
  [
    'Accents and letters',
    html`Accents, the points of Arabic and Hebrew, and the tatweel are ignored in the query and in the text. One letter are: đ d, ð d, ø o, ł l, ħ h,
    ŧ t, ı i; ß ss, æ ae, œ oe, þ th; the forms of alef, heh and yeh, with those of Persian and Urdu; both forms of sigma; Arabic digits and 0 to 9.`,
    html`The platform documents only that a query with accents finds both. Authors and searchers often omit them.`,
  ],
  [
    'Languages',
    html`${example('lang:id')} also finds <code>in</code>, <code>lang:he</code> <code>iw</code>, <code>lang:no</code> <code>nb</code>, and <code>lang:en</code>
    <code>en-US</code>: the language of a BCP 47 tag counts, not its region or script. A tweet in several languages is found by each.`,
    html`Sources use old and new codes for one language, with and without a region.`,
  ],
  [
    'Links',
    html`${example('url:new_york')} finds the words “new_york” and “new-york” in a link. Percent-encoding and its characters are the same, and so are
    both forms of an international domain name. The part after <code>?</code> or <code>#</code> of the value is ignored.`,
    html`The platform documents <code>_</code> for a hyphen; in most links it stands for itself.`,
  ],
  [
    'Spelling, plurals',
    html`Exact: no spelling correction and no plural forms. <code>+word</code> is the same as <code>word</code>.`,
    html`Users count the results of an archive, so results must match the query exactly.`,
  ],
  [
    'Negation in OR',
    html`${example('coffee OR -tea')} has its logical meaning.`,
    html`The tools of the platform disagree: some reject it, some treat OR as a word.`,
  ],
  ['Negation alone', html`Accepted.`, html`An archive has a known number of tweets, and results come in pages.`],
  [
    'Searched fields',
    html`The text, the author's name and username, links, and the title and text of an article. A query never matches the quoted
    tweet of a quote.`,
    html`The search box of the platform uses the same fields. Articles have no operator, so they count as text.`,
  ],
  [
    'within_time',
    html`The time range ends at the time of each request, also for later pages.`,
    html`“The last two days” depends on the current time. For a fixed range use
    ${example('since:2026-03-04 until:2026-03-06')}.`,
  ],
  [
    'Order of ids',
    html`${example('since_id:1890000000000000001')} and <code>max_id:</code> compare ids as numbers. The ids of one platform
    increase with time; those of X and of Bluesky are not comparable. Results are in the order of time.`,
    html`For a range of time over both platforms, use <code>since:</code> and <code>until:</code>.`,
  ],
  [
    'Place names',
    html`${example('near:"Cape Town"')} finds tweets posted from a place with these words next to each other in its name or full
    name. ${example('near:"Cape Town" within:10km')} also finds tweets posted up to 10 km from the centre of such a
    place; a tweet with exact coordinates must be in this range. <code>within:</code> applies to each <code>near:</code>
    of its group.`,
    html`The service has no gazetteer: it knows only the places of the archive.`,
  ],
  [
    'Coordinates',
    html`${example('geocode:-33.92,18.42,25km')}, <code>point_radius:</code> and <code>bounding_box:</code> match the exact
    coordinates of a tweet. A tweet with only a place matches if the whole box of the place is in the area. The location in the
    profile of the author is ignored.`,
    html`The v2 API of the platform documents this. Distances are great-circle distances on a sphere of 6,371.0088 km. A box with
    west greater than east crosses the antimeridian.`,
  ],
  [
    'Lists',
    html`${example('list:715919216927322112')} or ${example('list:esa/astronauts')}: tweets of the members of a list. A list that
    the archive does not contain finds nothing.`,
    html`Lists and their members are records of the native import format. The name of the owner is the current username.`,
  ],
  [
    'Cards and polls',
    html`${example('card_name:poll')} matches any poll, ${example('card_name:poll3choice_text_only')} a poll with three options.
    Other card types match if the source names them.`,
    html`The v2 API returns the options of a poll but not its card name. The name follows from the number of options and the media.`,
  ],
  [
    'Time zones',
    html`The names above. <code>CST</code>, <code>MST</code> and the other names of RFC 5322 are North American. Any other zone is an error: write the
    offset, such as <code>_+05:30</code>.`,
    html`Some abbreviations are ambiguous (<code>IST</code> has three meanings), and a guess would silently be hours wrong.`,
  ],
  [
    'Replies',
    html`A tweet with reply fields. Without these fields, a tweet that starts with a mention. ${example('to:mira_codes')} finds
    replies that name the user, and replies to tweets of the user in the archive.`,
    html`Older exports have no reply fields: only the text shows that a tweet is a reply. Newer exports can have only the id of the
    tweet.`,
  ],
  [
    'Video types',
    html`<code>consumer_video</code> and <code>pro_video</code> are <code>native_video</code>. Animations are media, not videos.`,
    html`The data of a tweet does not contain the type of a video.`,
  ],
  [
    'News',
    html`A list of ${newsDomains.size} domains and their subdomains.`,
    html`Newspapers, agencies, broadcasters and magazines that many tweets link to. The list of the platform has thousands of domains
    and is not documented.`,
  ],
  [
    'Unknown counts',
    html`Count as 0: <code>min_faves:1</code> does not find them.`,
    html`Old exports omit counts. Every result of a lower bound must satisfy it.`,
  ],
];
