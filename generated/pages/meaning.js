// server/contract/service-error.ts
var ServiceError = class extends Error {
  name = "ServiceError";
  status;
  /** Extra response headers, such as Allow or Retry-After (whole seconds, at least 1). */
  headers;
  constructor(status, message, headers = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
};
var badRequest = (message) => new ServiceError(400, message);

// server/text/username.ts
var label = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
var lastLabel = "[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
var handlePattern = String.raw`(?:${label}\.){1,126}${lastLabel}`;
var maxLength = 253;
var username = new RegExp(`^(?:[A-Za-z0-9_]{1,15}|${handlePattern})$`);
var isUsername = (text) => text.length <= maxLength && username.test(text);

// server/search/language/tokenizer.ts
var unspacedScripts = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
var letter = String.raw`[[\p{L}\p{M}\p{N}_]--[${unspacedScripts}]]`;
var sign = String.raw`[^\s\p{L}\p{M}\p{N}_\p{Extended_Pictographic}\p{Regional_Indicator}]`;
var singleToken = String.raw`[${unspacedScripts}]|\p{Regional_Indicator}{2}|\p{Extended_Pictographic}`;
var pieceLength = 4096;
var token = new RegExp(`${singleToken}|(?<run>${letter}{1,${pieceLength}})`, "gv");
var signs = new RegExp(`(?<run>${sign}{1,${pieceLength}})`, "gv");
var plainAscii = /^[\0-\x7f]*$/;
var asciiToken = /[\da-z_]+/g;
var asciiSigns = /[^\s\da-z_]+/g;
var ignoredRanges = [
  String.raw`\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\ufe20-\ufe2f`,
  String.raw`\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7`,
  String.raw`\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed`,
  String.raw`\u00ad\u2060\u200d\ufe0e\ufe0f\u{1f3fb}-\u{1f3ff}`
].join("");
var ignored = new RegExp(`[${ignoredRanges}]`, "gu");
var onlyIgnored = new RegExp(`^[${ignoredRanges}]+$`, "u");
var replaced = Object.fromEntries(
  [
    "đd ðd ɖd ɗd øo łl ħh ŧt ıi ŋn ĸq ƒf ɓb ƀb ƙk ɨi ɫl ɛe əa ɔo ßss æae œoe þth ȷj",
    "ٱا ٲا ٳا ىي یي ېي کك ةه ہه ەه ۃه ςσ",
    "٠0 ١1 ٢2 ٣3 ٤4 ٥5 ٦6 ٧7 ٨8 ٩9 ۰0 ۱1 ۲2 ۳3 ۴4 ۵5 ۶6 ۷7 ۸8 ۹9"
  ].flatMap((line) => line.split(" ")).map(([from = "", ...to]) => [from, to.join("")])
);
var replacedLetter = new RegExp(`[${Object.keys(replaced).join("")}]`, "gu");
var fold = (text) => plainAscii.test(text) ? text.toLowerCase() : foldAny(text);
var foldAny = (text) => text.normalize("NFKD").replace(ignored, "").toLowerCase().replace(replacedLetter, (letter2) => replaced[letter2] ?? letter2).normalize("NFC");
var tokensOf = (text) => allMatches(text, token, asciiToken);
var signRuns = (text) => allMatches(text, signs, asciiSigns);
function allMatches(unfolded, pattern, asciiPattern) {
  const isAscii = plainAscii.test(unfolded);
  const text = isAscii ? unfolded.toLowerCase() : foldAny(unfolded);
  if (text.length <= pieceLength) return text.match(isAscii ? asciiPattern : pattern) ?? [];
  const found = [];
  let end = -1;
  for (const { 0: match, index, groups } of text.matchAll(pattern)) {
    const isRun = groups?.run !== void 0;
    if (isRun && index === end) found.push(`${found.pop() ?? ""}${match}`);
    else found.push(match);
    end = isRun ? index + match.length : -1;
  }
  return found;
}

// server/search/language/terms.ts
var sourceTerm = (source) => `source:${fold(source).replace(/[\s-]/g, "_")}`;
function domainTerm(domain) {
  const name = domain.replace(/^www\./i, "");
  const isInternational = /[^\0-\x7f]/.test(name) && URL.canParse(`http://${name}`);
  return `card_domain:${isInternational ? new URL(`http://${name}`).hostname : fold(name)}`;
}
var linkTokens = (link) => tokensOf(withoutEscapes(link.replace(/^https?:\/\//i, "").replace(/[?#].*$/, "")));
var withoutEscapes = (link) => link.includes("%") ? link.replaceAll(/(?:%[\da-f]{2})+/gi, decoded) : link;
function decoded(escapes) {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return escapes;
  }
}
var sameLanguage = { nb: "no" };
var languages = /* @__PURE__ */ new Map();
var maxKnown = 1e3;
function languageOf(tag) {
  const known = languages.get(tag);
  if (known !== void 0) return known;
  const language = canonicalLanguage(tag);
  if (languages.size < maxKnown) languages.set(tag, language);
  return language;
}
function canonicalLanguage(tag) {
  try {
    const [primary = ""] = tag.trim().split(/[-_]/);
    const language = new Intl.Locale(primary).language ?? fold(primary);
    return sameLanguage[language] ?? language;
  } catch {
    return fold(tag);
  }
}
var languageTerm = (tag) => `lang:${languageOf(tag)}`;

// server/text/nearest-name.ts
var maxNameLength = 100;
function editDistance(a, b) {
  let before = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (same ? 0 : 1)
      );
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) cost = Math.min(cost, (before[column - 2] ?? 0) + 1);
      current.push(cost);
    }
    before = above;
    above = current;
  }
  return above[b.length] ?? 0;
}
function nearest(name, candidates) {
  if (name.length > maxNameLength) return void 0;
  let best;
  let bound = Math.floor(name.length / 3) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) >= bound) continue;
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance >= bound) continue;
    best = candidate;
    bound = distance;
  }
  return best;
}
function suggestion(name, candidates) {
  const best = nearest(name, candidates);
  if (best !== void 0) return `: did you mean '${best}'?`;
  if (candidates.length === 0) return ": there are none here";
  if (candidates.length === 1) return `: expected '${candidates[0]}'`;
  return `: expected one of ${candidates.map((candidate) => `'${candidate}'`).join(", ")}`;
}

// server/search/language/condition.ts
var everything = { is: "all", parts: [] };
var hasLocation = "has:geo";
var sensitive = "filter:sensitive";

// server/domain/geo.ts
function pointOf(longitude, latitude) {
  return Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90 ? { longitude, latitude } : void 0;
}
function boxOf([west, south, east, north]) {
  const isValid = pointOf(west, south) !== void 0 && pointOf(east, north) !== void 0 && south <= north;
  return isValid ? [west, south, east, north] : void 0;
}

// server/text/duration.ts
var unitsMs = {
  s: 1e3,
  m: 6e4,
  h: 36e5,
  d: 864e5,
  w: 6048e5
};
function durationMs(text, units, maxDigits = 6) {
  const [digits, unit] = [text.slice(0, -1), text.slice(-1)];
  const unitMs = units.includes(unit) ? unitsMs[unit] : void 0;
  const isCount = /^\d+$/.test(digits) && digits.length <= maxDigits;
  return unitMs === void 0 || !isCount ? void 0 : Number(digits) * unitMs;
}

// server/search/language/operators.ts
var term = (name) => ({ is: "term", term: name });
var not = (part) => ({ is: "not", part });
var atLeast = (count, least = 1) => ({ is: "count", count, min: least });
var username2 = "a username (1–15 letters, digits or _, or a handle such as alice.example.com) or a user id";
var withUser = (value, condition) => {
  const name = value.replace(/^@/, "").toLowerCase();
  return isUsername(name) || /^\d{1,19}$/.test(value) ? condition(name) : void 0;
};
var person = (role, value) => withUser(value, (name) => ({ is: "person", role, name }));
var repliesTo = (value) => withUser(value, (name) => ({ is: "any", parts: [term(`to:${name}`), { is: "person", role: "answered", name }] }));
var list = (value) => {
  if (/^\d{1,19}$/.test(value)) return term(`list:${BigInt(value)}`);
  const [, owner = "", slug = ""] = /^@?([^/]+)\/([A-Za-z0-9_-]{1,100})$/.exec(value) ?? [];
  return isUsername(owner) ? term(`list:${owner}/${slug}`.toLowerCase()) : void 0;
};
var withId = (value, condition) => /^\d{1,19}$/.test(value) ? condition(String(BigInt(value))) : void 0;
var wholeNumber = (value) => /^\d{1,15}$/.test(value) ? Number(value) : void 0;
var withCount = (value, count) => {
  const least = wholeNumber(value);
  return least === void 0 ? void 0 : atLeast(count, least);
};
var between = (since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY) => ({
  is: "created",
  since,
  until
});
var withTime = (time, condition) => time === void 0 ? void 0 : condition(time);
var lastId = 2n ** 64n - 1n;
var zones = {
  ...{ UTC: 0, GMT: 0, Z: 0, EST: -5, EDT: -4, CST: -6, CDT: -5, MST: -7, MDT: -6, PST: -8, PDT: -7 },
  ...{ AKST: -9, AKDT: -8, HST: -10, NST: -3.5, NDT: -2.5, ADT: -3, BRT: -3, ART: -3, CLT: -4, CLST: -3 },
  ...{ WET: 0, WEST: 1, CET: 1, CEST: 2, MEZ: 1, MESZ: 2, EET: 2, EEST: 3, MSK: 3, TRT: 3 },
  ...{ WAT: 1, CAT: 2, SAST: 2, EAT: 3, PKT: 5, NPT: 5.75, WIB: 7, WITA: 8, WIT: 9, ICT: 7, HKT: 8, PHT: 8, SGT: 8 },
  ...{ JST: 9, KST: 9, AWST: 8, ACST: 9.5, ACDT: 10.5, AEST: 10, AEDT: 11, NZST: 12, NZDT: 13 }
};
function offsetOf(zone) {
  const [, sign2, hours, minutes] = /^([-+])(\d{2}):?(\d{2})$/.exec(zone) ?? [];
  if (sign2 === void 0) {
    const named = ownValue(zones, zone.toUpperCase());
    return named === void 0 ? void 0 : named * 60;
  }
  const offset = Number(hours) * 60 + Number(minutes);
  return Number(hours) < 24 && Number(minutes) < 60 ? sign2 === "-" ? -offset : offset : void 0;
}
function parseTime(value) {
  const parts = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[_Tt](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?:_?([A-Za-z]{1,4}|[-+]\d{2}:?\d{2}))?)?$/.exec(
    value
  );
  if (parts === null) return void 0;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map((part) => Number(part ?? 0));
  const zone = offsetOf(parts[7] ?? "UTC");
  const time = Date.UTC(year, month - 1, day, hour, minute, second);
  const read2 = new Date(time);
  const exists = read2.getUTCMonth() === month - 1 && read2.getUTCDate() === day && hour < 24 && minute < 60 && second < 60;
  return exists && zone !== void 0 ? time - zone * 6e4 : void 0;
}
var parseDuration = (value) => durationMs(value, "smhd", 9);
var unitMetres = { km: 1e3, mi: 1609.344 };
function parseDistance(value) {
  const [, amount, unit] = /^(\d{1,6}(?:\.\d{1,9})?)(km|mi)$/i.exec(value) ?? [];
  return amount === void 0 ? void 0 : Number(amount) * unitMetres[unit.toLowerCase()];
}
var parseDegrees = (value) => /^[-+]?\d{1,3}(?:\.\d{1,20})?$/.test(value ?? "") ? Number(value) : Number.NaN;
var area = (shape) => ({ is: "area", area: shape });
function circle(longitude, latitude, reach) {
  const [centre, within] = [pointOf(parseDegrees(longitude), parseDegrees(latitude)), parseDistance(reach ?? "")];
  return centre === void 0 || within === void 0 ? void 0 : area({ shape: "circle", centre, metres: within });
}
var inBrackets = (value, count) => {
  const parts = /^\[\s*([^[\]]*?)\s*\]$/.exec(value)?.[1]?.split(/\s*,\s*|\s+/);
  return parts?.length === count ? parts : void 0;
};
function geocode(value) {
  const parts = value.split(",").map((part) => part.trim());
  return parts.length === 3 ? circle(parts[1], parts[0], parts[2]) : void 0;
}
function pointRadius(value) {
  const parts = inBrackets(value, 3);
  return parts && circle(parts[0], parts[1], parts[2]);
}
function boundingBox(value) {
  const [west, south, east, north] = (inBrackets(value, 4) ?? []).map(parseDegrees);
  const box = boxOf([west ?? Number.NaN, south ?? Number.NaN, east ?? Number.NaN, north ?? Number.NaN]);
  return box && area({ shape: "box", box });
}
function placeNamed(value) {
  const words = tokensOf(value);
  return words.length === 0 ? void 0 : `near:${words.join(" ")}`;
}
function near(value, within) {
  const name = placeNamed(value);
  if (name === void 0) return void 0;
  return within === void 0 ? term(name) : { is: "near", term: name, metres: within };
}
function inPlace(value) {
  const name = placeNamed(value);
  const byName2 = name === void 0 ? void 0 : term(name);
  if (!/^[A-Za-z0-9]{1,32}$/.test(value)) return byName2;
  return { is: "any", parts: [term(`place:${value}`), ...byName2 === void 0 ? [] : [byName2]] };
}
var filter = (means, condition) => ({ means, condition });
var namedFilter = (name, means) => [name, filter(means, term(`filter:${name}`))];
var filters = {
  ...Object.fromEntries([
    namedFilter("media", "has a photo, a video or an animation"),
    namedFilter("images", "has a photo"),
    ["twimg", filter("has a photo", term("filter:images"))],
    namedFilter("videos", "has a video, or a link to a video site such as YouTube"),
    namedFilter("native_video", "has a video of the platform"),
    ["consumer_video", filter("same as native_video: the data does not contain the type", term("filter:native_video"))],
    ["pro_video", filter("same as native_video: the data does not contain the type", term("filter:native_video"))],
    namedFilter("vine", "has a link to Vine"),
    namedFilter("periscope", "has a link to Periscope"),
    namedFilter("spaces", "has a link to an audio room"),
    namedFilter("links", "has a link or media"),
    namedFilter("news", "has a link to a news site, from a list of about 200"),
    namedFilter("mentions", "mentions a user"),
    namedFilter("hashtags", "has a hashtag"),
    namedFilter("replies", "is a reply, or starts with a mention"),
    namedFilter("self_threads", "is a reply to a tweet of the same author"),
    namedFilter("quote", "quotes a tweet"),
    namedFilter("retweets", "quotes a tweet, or starts with RT @"),
    namedFilter("nativeretweets", "is a native retweet")
  ]),
  has_engagement: filter("has a like, a retweet or a reply", {
    is: "any",
    parts: [atLeast("like_count"), atLeast("retweet_count"), atLeast("reply_count")]
  }),
  verified: filter("has a verified author", { is: "verified" }),
  blue_verified: filter("has an author with paid verification", { is: "blue_verified" }),
  safe: filter("is not marked as sensitive", not(term(sensitive)))
};
var aliases = {
  is: { retweet: "nativeretweets", reply: "replies", quote: "quote", verified: "verified" },
  has: {
    hashtags: "hashtags",
    mentions: "mentions",
    links: "links",
    media: "media",
    images: "images",
    videos: "native_video",
    video_link: "native_video",
    media_link: "media"
  }
};
var unsupported = {
  "near:me": "the location of the viewer",
  "filter:follows": "the accounts that the viewer follows",
  "filter:social": "the social graph of the viewer",
  "filter:trusted": "the social graph of the viewer",
  "context:": "the platform's own annotations",
  "entity:": "the platform's own annotations",
  "sample:": "a stream of all tweets",
  "is:nullcast": "whether a tweet is shown only as an advertisement"
};
var hasOnly = {
  cashtags: filter("has a cashtag", term("has:cashtags")),
  geo: filter("has coordinates or a place", term(hasLocation))
};
var languageTag = /^(?:[A-Za-z-]{2,12}|[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8}){1,4})$/;
var oneOf = (values) => `one of ${Object.keys(values).join(", ")}`;
var ownValue = (values, name) => Object.hasOwn(values, name) ? values[name] : void 0;
var readFilter = (value) => ownValue(filters, value.toLowerCase())?.condition;
var readAlias = (key, value) => readFilter(ownValue(aliases[key], value.toLowerCase()) ?? "");
var areRetweets = (value) => ["nativeretweets", "retweet"].includes(value.toLowerCase());
var always = () => true;
var date = "a date such as 2026-03-04, 2026-03-04_05:06:07_UTC or 2026-03-04T05:06:07+09:00 (an offset in place of an ambiguous zone such as IST)";
var operators = [
  {
    names: ["from"],
    means: "written by the user",
    example: "from:mira_codes",
    value: username2,
    read: (value) => person("author", value)
  },
  {
    names: ["to"],
    means: "replies to the user, or to a tweet that the user wrote",
    example: "to:mira_codes",
    value: username2,
    read: repliesTo
  },
  {
    names: ["list"],
    means: "written by a member of the list",
    example: "list:esa/astronauts",
    value: "the id of a list, or its owner and name, such as esa/astronauts",
    read: list
  },
  {
    names: ["since"],
    means: "created at or after this time",
    example: "since:2026-03-04",
    value: date,
    read: (value) => withTime(parseTime(value), (time) => between(time))
  },
  {
    names: ["until"],
    means: "created before this time",
    example: "until:2026-03-04_05:06:07_UTC",
    value: date,
    read: (value) => withTime(parseTime(value), (time) => between(void 0, time))
  },
  {
    names: ["since_time"],
    means: "created at or after this time",
    example: "since_time:1771000000",
    value: "Unix seconds",
    read: (value) => withTime(wholeNumber(value), (time) => between(time * 1e3))
  },
  {
    names: ["until_time"],
    means: "created before this time",
    example: "until_time:1771000000",
    value: "Unix seconds",
    read: (value) => withTime(wholeNumber(value), (time) => between(void 0, time * 1e3))
  },
  {
    names: ["within_time"],
    means: "created within this time before the request",
    example: "within_time:2d",
    value: "a duration such as 2d, 3h, 5m or 30s",
    read: (value) => withTime(parseDuration(value), (ms) => ({ is: "recent", ms }))
  },
  {
    names: ["since_id"],
    means: "an id greater than this id; ids increase with time within one platform only",
    example: "since_id:1890000000000000001",
    value: "an id",
    read: (value) => withId(value, (least) => ({ is: "ids", above: BigInt(least), upTo: lastId }))
  },
  {
    names: ["max_id"],
    means: "an id up to and including this id; ids increase with time within one platform only",
    example: "max_id:1890000000000000001",
    value: "an id",
    read: (value) => withId(value, (most) => ({ is: "ids", above: -1n, upTo: BigInt(most) }))
  },
  {
    names: ["min_faves", "min_likes"],
    means: "at least this number of likes",
    example: "min_faves:100",
    value: "a whole number",
    read: (value) => withCount(value, "like_count")
  },
  {
    names: ["min_retweets", "min_reposts"],
    means: "at least this number of retweets",
    example: "min_retweets:10",
    value: "a whole number",
    read: (value) => withCount(value, "retweet_count")
  },
  {
    names: ["min_replies"],
    means: "at least this number of replies",
    example: "min_replies:5",
    value: "a whole number",
    read: (value) => withCount(value, "reply_count")
  },
  {
    names: ["filter"],
    means: "matches the filter",
    example: "filter:media",
    value: oneOf(filters),
    read: readFilter,
    wantsRetweets: areRetweets
  },
  {
    names: ["exclude"],
    means: "does not match the filter",
    example: "exclude:replies",
    value: oneOf(filters),
    read: (value) => withCondition(readFilter(value), not)
  },
  {
    names: ["include"],
    means: "includes native retweets",
    example: "include:nativeretweets",
    value: "nativeretweets",
    read: (value) => value.toLowerCase() === "nativeretweets" ? everything : void 0,
    wantsRetweets: always
  },
  {
    names: ["is"],
    means: "matches the filter",
    example: "is:reply",
    value: oneOf(aliases.is),
    read: (value) => readAlias("is", value),
    wantsRetweets: areRetweets
  },
  {
    names: ["has"],
    means: "contains this element",
    example: "has:cashtags",
    value: `${oneOf(aliases.has)}, cashtags, geo`,
    read: (value) => ownValue(hasOnly, value.toLowerCase())?.condition ?? readAlias("has", value)
  },
  {
    names: ["conversation_id"],
    means: "part of this thread",
    example: "conversation_id:1890000000000000001",
    value: "an id",
    read: (value) => withId(value, (thread) => ({
      is: "any",
      parts: [term(`conversation_id:${thread}`), { is: "ids", above: BigInt(thread) - 1n, upTo: BigInt(thread) }]
    }))
  },
  {
    names: ["in_reply_to_tweet_id", "in_reply_to_status_id"],
    means: "replies to this tweet",
    example: "in_reply_to_tweet_id:1890000000000000001",
    value: "an id",
    read: (value) => withId(value, (tweet) => term(`in_reply_to_tweet_id:${tweet}`))
  },
  {
    names: ["quoted_tweet_id", "quotes_of_tweet_id", "quotes_of_status_id"],
    means: "quotes this tweet",
    example: "quoted_tweet_id:1890000000000000001",
    value: "an id",
    read: (value) => withId(value, (tweet) => term(`quoted_tweet_id:${tweet}`))
  },
  {
    names: ["quoted_user_id"],
    means: "quotes a tweet of the user",
    example: "quoted_user_id:4200000001",
    value: "an id",
    read: (value) => withId(value, (user) => term(`quoted_user_id:${user}`))
  },
  {
    names: ["retweets_of"],
    means: "native retweets of tweets of the user",
    example: "retweets_of:mira_codes",
    value: username2,
    read: (value) => person("retweeted", value),
    wantsRetweets: always
  },
  {
    names: ["retweets_of_tweet_id", "retweets_of_status_id"],
    means: "native retweets of this tweet",
    example: "retweets_of_tweet_id:1890000000000000001",
    value: "an id",
    read: (value) => withId(value, (tweet) => term(`retweets_of_tweet_id:${tweet}`)),
    wantsRetweets: always
  },
  {
    names: ["lang"],
    means: "in this language, or in this one among others; regions and old codes do not matter: en is en-US, id is in",
    example: "lang:ja",
    value: "a language tag such as en",
    read: (value) => languageTag.test(value) ? term(languageTerm(value)) : void 0
  },
  {
    names: ["source"],
    means: "posted with this app; write spaces as _",
    example: "source:Social_for_Web",
    value: "the name of an app",
    read: (value) => value === "" ? void 0 : term(sourceTerm(value))
  },
  {
    names: ["near"],
    means: "posted from a place with this name; with within: also near such a place",
    example: 'near:"Cape Town"',
    value: "the name of a place",
    read: near
  },
  {
    names: ["within"],
    means: "the distance from the places of near: in the same group",
    example: 'within:10km near:"Cape Town"',
    value: "a distance in km or mi such as 10km",
    read: (value) => withTime(parseDistance(value), () => everything)
  },
  {
    names: ["geocode"],
    means: "posted within the radius of the point",
    example: "geocode:-33.92,18.42,25km",
    value: "a latitude (-90 to 90), a longitude (-180 to 180) and a radius in km or mi, such as -33.92,18.42,25km",
    read: geocode
  },
  {
    names: ["point_radius"],
    means: "posted within the radius of the point",
    example: "point_radius:[18.42 -33.92 25km]",
    value: "a longitude (-180 to 180), a latitude (-90 to 90) and a radius in km or mi, such as [18.42 -33.92 25km]",
    read: pointRadius,
    bracketed: true
  },
  {
    names: ["bounding_box"],
    means: "posted within the box",
    example: "bounding_box:[18.3 -34.2 18.9 -33.5]",
    value: "the west, south, east and north of a box in degrees, such as [18.3 -34.2 18.9 -33.5]",
    read: boundingBox,
    bracketed: true
  },
  {
    names: ["place"],
    means: "posted from the place with this id or name",
    example: "place:96683cc9126741d1",
    value: "the id or the name of a place",
    read: inPlace
  },
  {
    names: ["place_country"],
    means: "posted from a place in this country",
    example: "place_country:ZA",
    value: "a country code of two letters (ISO 3166-1) such as ZA",
    read: (value) => /^[A-Za-z]{2}$/.test(value) ? term(`place_country:${value.toLowerCase()}`) : void 0
  },
  {
    names: ["url"],
    means: "has a link with these words; _ also stands for a hyphen",
    example: "url:example.org",
    value: "a part of a link",
    read: inLink
  },
  {
    names: ["card_domain"],
    means: "has a link preview of this domain",
    example: "card_domain:example.org",
    value: "a domain",
    read: (value) => value === "" ? void 0 : term(domainTerm(value))
  },
  {
    names: ["card_url"],
    means: "has a link preview with these words in its URL",
    example: "card_url:example.org",
    value: "a part of a link",
    read: inLink
  },
  {
    names: ["card_name"],
    means: "has a card of this type; poll is any poll",
    example: "card_name:poll2choice_text_only",
    value: "a card type such as poll2choice_text_only, poll or animated_gif",
    read: (value) => /^[\w:.-]{1,100}$/.test(value) ? term(`card_name:${fold(value)}`) : void 0
  }
];
var withCondition = (condition, wrap) => condition === void 0 ? void 0 : wrap(condition);
var maxUnderscores = 3;
function inLink(value) {
  const pieces = value.split("_");
  const count = pieces.length - 1;
  const choices = count > maxUnderscores ? [0, -1] : Array.from({ length: 2 ** count }, (_, choice) => choice);
  const links = choices.map(
    (choice) => pieces.reduce((link, piece, place) => `${link}${(choice >> place - 1 & 1) === 0 ? "_" : "-"}${piece}`)
  );
  const forms = new Map(links.map((link) => [linkTokens(link).join(" "), linkTokens(link)]));
  const parts = Array.from(
    forms.values().filter(({ length }) => length > 0),
    inSequence
  );
  return parts.length > 1 ? { is: "any", parts } : parts[0];
}
var inSequence = (tokens) => ({ is: "words", within: "link", tokens });
var byName = new Map(operators.flatMap((operator) => operator.names.map((name) => [name, operator])));
var findOperator = (name) => byName.get(name);
var unsupportedNames = Object.keys(unsupported).flatMap((name) => name.endsWith(":") ? name.slice(0, -1) : []);
var names = [...byName.keys(), ...unsupportedNames];
function misspellingFault(key, value) {
  const isNear = (name) => Math.abs(name.length - key.length) <= 1 && editDistance(key.toLowerCase(), name) === 1;
  const meant = names.find(isNear);
  if (meant === void 0 || value === "") return void 0;
  const advice = `To search for the words, put them in quotes: "${key}:${value}"`;
  return `unknown operator '${key}:': did you mean '${meant}:'? ${advice}`;
}
function readOperator(key, value) {
  const name = key.toLowerCase();
  const whole = `${name}:${value.toLowerCase()}`;
  const needs = ownValue(unsupported, `${name}:`) ?? ownValue(unsupported, whole.replace(/^exclude:/, "filter:"));
  if (needs !== void 0) {
    const what = ownValue(unsupported, `${name}:`) === void 0 ? whole : `${name}:`;
    return { fault: `'${what}' is not supported: it needs ${needs}`, inValue: false };
  }
  const operator = findOperator(name);
  if (operator === void 0) {
    const fault2 = misspellingFault(key, value);
    return fault2 === void 0 ? void 0 : { fault: fault2, inValue: false };
  }
  if (operator.read(value) !== void 0) return { name: operator.names[0] };
  const isFilter = operator.read === readFilter || name === "exclude";
  const fault = isFilter && value !== "" ? `unknown filter '${value}'${suggestion(value, Object.keys(filters))}` : `expected ${operator.value} after ${name}:`;
  return { fault, inValue: true };
}

// server/domain/query.ts
var isWithin = (query) => query.is === "operator" && query.name === "within";

// server/search/language/parse.ts
var maxNesting = 20;
var maxTerms = 100;
var blank = /\s/;
var wordEnd = /[\s()"“”]/;
var quote = /["“”]/;
var noTermMessage = "the query has no search term: add a word, a phrase or an operator";
var emptyGroupMessage = "these parentheses are empty: put a term between them";
var usernameExpected = "expected a username (1–15 letters, digits or _, or a handle such as alice.example.com)";
var behindTag = String.raw`\p{P}*$`;
var handleMention = new RegExp(`^[@＠](${handlePattern})${behindTag}`, "u");
var nameMention = new RegExp(String.raw`^[@＠](\w+)${behindTag}`, "u");
var tagCharacters = String.raw`\u200c\u200d\ua67e\u05be\u05f3\u05f4\uff5e\u301c\u309b\u309c\u30a0\u30fb\u3003\u0f0b\u0f0c\u00b7`;
var letters = String.raw`\p{L}\p{M}\p{N}_`;
var hashtag = new RegExp(
  String.raw`^[\p{Ps}\p{Pi}]*[#＃](?<name>[${letters}](?:[${letters}${tagCharacters}]*[${letters}])?)(?:${behindTag})`,
  "u"
);
var cashtag = new RegExp(String.raw`^\$([A-Za-z]{1,6}(?:[._][A-Za-z]{1,2})?)${behindTag}`, "u");
var dash = /^-+(?:[-<=>~|/\\*+]|→)[^\p{L}\p{N}\s"“”()]*(?=[\s()]|$)/u;
var maxDash = 32;
var danglingOr = "`OR` needs a term on both sides";
function parse(text) {
  return new Parser(text).parse();
}
var join = (is, parts, range) => parts.length === 1 ? parts[0] : { is, parts, ...range };
var Parser = class {
  #text;
  #at = 0;
  #terms = 0;
  constructor(text) {
    this.#text = text;
  }
  parse() {
    const query = this.#sequence(0);
    if (this.#at < this.#text.length) this.#fault("this ')' has no matching '('");
    const misplaced = misplacedWithin(query);
    if (misplaced !== void 0)
      this.#fault("`within:` needs a `near:` in the same group, and a group has one `within:`", misplaced.at);
    return query;
  }
  #fault(message, position = this.#at) {
    throw badRequest(`'query' cannot be read at ${position}: ${message}`);
  }
  #skipBlanks() {
    while (this.#at < this.#text.length && blank.test(this.#text[this.#at])) this.#at++;
  }
  /** Characters up to the next blank, quote or parenthesis. */
  #word() {
    const start = this.#at;
    while (this.#at < this.#text.length && !wordEnd.test(this.#text[this.#at])) this.#at++;
    return this.#text.slice(start, this.#at);
  }
  #atQuote() {
    return this.#at < this.#text.length && quote.test(this.#text[this.#at]);
  }
  /** The text between quotes; `\"` is a literal quote, and `\\` a literal backslash. */
  #quoted() {
    let inner = "";
    for (this.#at++; this.#at < this.#text.length && !this.#atQuote(); this.#at++) {
      if (this.#text[this.#at] === "\\" && /^["\\]$/.test(this.#text[this.#at + 1] ?? "")) this.#at++;
      inner += this.#text[this.#at];
    }
    this.#at++;
    return inner;
  }
  /** A value that starts with `[` extends to the `]` and can contain blanks. */
  #bracketed(prefix) {
    if (!prefix.startsWith("[") || prefix.includes("]")) return prefix;
    const start = this.#at - prefix.length;
    const end = this.#text.indexOf("]", this.#at);
    if (end < 0) return this.#fault("this '[' has no matching ']'", start);
    this.#at = end + 1;
    this.#word();
    return this.#text.slice(start, this.#at);
  }
  /**
   * The range from `start` to the current position. After an unclosed quote the position is beyond the end of the text.
   */
  #span(start) {
    return { at: start, end: Math.min(this.#at, this.#text.length) };
  }
  /** Items until the end or the closing parenthesis. */
  #sequence(depth) {
    const start = this.#at;
    const items = [];
    this.#skipBlanks();
    const first = this.#at;
    let range = this.#span(first);
    for (; this.#at < this.#text.length && this.#text[this.#at] !== ")"; this.#skipBlanks()) {
      const item = this.#alternatives(depth);
      if (item !== void 0) items.push(item);
      range = this.#span(first);
    }
    if (items.length === 0 && depth === 0) this.#fault(noTermMessage, start);
    if (items.length === 0) this.#fault(emptyGroupMessage, start - 1);
    return join("and", items, range);
  }
  #alternatives(depth) {
    const start = this.#at;
    const parts = [];
    for (; ; ) {
      const part = this.#unary(depth);
      if (part !== void 0) parts.push(part);
      const before = this.#at;
      this.#skipBlanks();
      if (!/^OR(?=[\s(]|$)/.test(this.#text.slice(this.#at, this.#at + 3))) {
        this.#at = before;
        break;
      }
      const or = this.#at;
      this.#at += 2;
      this.#skipBlanks();
      const isEnd = this.#at >= this.#text.length || this.#text[this.#at] === ")";
      if (parts.length === 0 || isEnd) this.#fault(danglingOr, or);
    }
    return parts.length === 0 ? void 0 : join("or", parts, this.#span(start));
  }
  #unary(depth) {
    const start = this.#at;
    const next = this.#text[start + 1];
    const isNegation = this.#text[start] === "-" && next !== void 0 && !/[\s)]/.test(next);
    if (!isNegation || dash.test(this.#text.slice(start, start + maxDash))) return this.#primary(depth);
    this.#at++;
    const part = this.#primary(depth);
    return part === void 0 ? void 0 : { is: "not", part, ...this.#span(start) };
  }
  #primary(depth) {
    if (++this.#terms > maxTerms) this.#fault(`the query has more than ${maxTerms} terms`);
    const start = this.#at;
    const emoticon = /^[:;=]-?[()](?=\s|$)/.exec(this.#text.slice(start, start + 4))?.[0];
    if (emoticon !== void 0) {
      this.#at += emoticon.length;
      return this.#phrase(emoticon, start, true);
    }
    if (this.#text[start] === "(") return this.#group(depth);
    if (this.#atQuote()) return this.#phrase(this.#quoted(), start);
    if (this.#text[start] === ")") return this.#fault("this ')' has no matching '('");
    return this.#term(this.#word(), start);
  }
  #group(depth) {
    const start = this.#at;
    if (depth === maxNesting) this.#fault(`parentheses are nested more than ${maxNesting} deep`);
    this.#at++;
    const inner = this.#sequence(depth + 1);
    if (this.#text[this.#at] !== ")") this.#fault("this '(' has no matching ')'", start);
    this.#at++;
    return inner;
  }
  /** A tag, an operator, a link or a word. */
  #term(source, start) {
    if (source === "OR") this.#fault(danglingOr, start);
    if (/^https?:\/\//i.test(source)) {
      const link = source.replace(/^https?:\/\//i, "");
      return linkTokens(link).length === 0 ? void 0 : { is: "link", text: link, ...this.#span(start) };
    }
    const key = /^([A-Za-z][A-Za-z0-9_]*):/.exec(source)?.[1];
    if (key !== void 0) return this.#operator(key, source.slice(key.length + 1), start);
    return this.#tag(source, start) ?? this.#phrase(source, start, true);
  }
  #operator(key, rest, start) {
    const inBrackets2 = findOperator(key.toLowerCase())?.bracketed === true;
    const value = rest === "" && this.#atQuote() ? this.#quoted() : inBrackets2 ? this.#bracketed(rest) : rest;
    const read2 = readOperator(key, value);
    if (read2 === void 0) return this.#phrase(`${key} ${value}`, start);
    if ("fault" in read2) return this.#fault(read2.fault, read2.inValue ? start + key.length + 1 : start);
    return { is: "operator", name: read2.name, value, ...this.#span(start) };
  }
  /** A mention, a hashtag or a cashtag; undefined for another word. */
  #tag(source, start) {
    if (/^\w/.test(source)) return void 0;
    const handle = handleMention.exec(source)?.[1] ?? nameMention.exec(source)?.[1];
    if (handle !== void 0 && isUsername(handle)) return { is: "tag", sign: "@", name: handle, ...this.#span(start) };
    if (/^[@＠][\p{L}\p{M}\p{N}_]+[.,:;!?]*$/u.test(source))
      this.#fault(`${usernameExpected} after ${source[0]}; to search for the words, put them in quotes`, start + 1);
    const name = hashtag.exec(source)?.groups?.name;
    if (name !== void 0 && !/^\d+$/.test(name)) return { is: "tag", sign: "#", name, ...this.#span(start) };
    const symbol = cashtag.exec(source)?.[1];
    return symbol === void 0 ? void 0 : { is: "tag", sign: "$", name: symbol, ...this.#span(start) };
  }
  /**
   * Words in sequence. In quotes, a separate `*` matches any one word. Punctuation without words is searched too; outside quotes, not that
   * of operators.
   */
  #phrase(words, start, bare = false) {
    const tokens = bare ? tokensOf(words) : words.split(/\s+/).flatMap((each) => each === "*" ? [each] : tokensOf(each));
    while (tokens[0] === "*") tokens.shift();
    while (tokens.at(-1) === "*") tokens.pop();
    if (tokens.length > 0) return { is: "words", tokens, ...this.#span(start) };
    const text = bare ? words : withoutWildcards(words);
    const isSearched = signRuns(text).length > 0 && (!bare || /[^-+*"]/.test(text));
    return isSearched ? { is: "signs", text, ...this.#span(start) } : void 0;
  }
};
var withoutWildcards = (words) => words.split(/\s+/).filter((each) => each !== "*").join(" ");
var partsOf = (query) => "parts" in query ? query.parts : query.is === "not" ? [query.part] : [];
var hasNear = (query) => query.is === "operator" && query.name === "near" || partsOf(query).some(hasNear);
function misplacedWithin(query) {
  if (isWithin(query)) return query;
  const [first, second] = query.is === "and" ? query.parts.filter(isWithin) : [];
  if (second !== void 0) return second;
  if (first !== void 0 && !hasNear(query)) return first;
  for (const part of partsOf(query)) {
    const misplaced = part === first ? void 0 : misplacedWithin(part);
    if (misplaced !== void 0) return misplaced;
  }
  return void 0;
}

// server/search/language/compile.ts
function wantsRetweets(query) {
  if (query.is === "and" || query.is === "or") return query.parts.some(wantsRetweets);
  return query.is === "operator" && findOperator(query.name)?.wantsRetweets?.(query.value) === true;
}

// pages/query/reading.ts
var rule = {
  kind: "rule",
  meaning: "no native retweets: to include them, add include:nativeretweets",
  parts: []
};
function readingOf(query) {
  const reading = describePart(query);
  if (wantsRetweets(query)) return reading;
  if (reading.kind === "and") return { ...reading, parts: [...reading.parts, rule] };
  return { kind: "and", meaning: groupMeanings.and, parts: [reading, rule] };
}
function describePart(query) {
  const { is: kind, at, end } = query;
  const parts = kind === "not" ? [query.part] : kind === "and" || kind === "or" ? query.parts : [];
  return { span: { at, end }, kind, meaning: meaningOfPart(query), parts: parts.map(describePart) };
}
var groupMeanings = { and: "all of these", or: "at least one of these", not: "not this" };
var tagNames = { "#": "the whole hashtag", $: "the cashtag", "@": "mentions the user" };
var inQuotes = (token2) => token2 === "*" ? "any one word" : `“${token2}”`;
var adjacent = (tokens) => `${tokens.map(inQuotes).join(", ")}: next to each other, in this order`;
function meaningOfPart(query) {
  switch (query.is) {
    case "and":
    case "or":
    case "not":
      return groupMeanings[query.is];
    case "words":
      return query.tokens.length === 1 ? `the word ${query.tokens.map(inQuotes).join()}` : adjacent(query.tokens);
    case "signs":
      return `the signs ${signRuns(query.text).map(inQuotes).join(" ")} in the text`;
    case "tag":
      return `${tagNames[query.sign]} ${query.sign}${query.name}`;
    case "link":
      return `a link with the words of ${query.text}, next to each other`;
    case "operator":
      return operatorMeans(query.name, query.value);
  }
}
function operatorMeans(name, value) {
  const { means, read: read2 } = findOperator(name);
  const kind = value.toLowerCase();
  const filter2 = filters[name === "filter" || name === "exclude" ? kind : aliases[name]?.[kind] ?? ""];
  if (filter2 !== void 0) return name === "exclude" ? `not: ${filter2.means}` : filter2.means;
  return conditionMeaning(read2(value)) ?? `${means}: ${value}`;
}
var countNames = {
  like_count: "likes",
  retweet_count: "retweets",
  reply_count: "replies",
  quote_count: "quotes",
  bookmark_count: "bookmarks",
  view_count: "views"
};
function conditionMeaning(condition) {
  if (condition.is === "count") return `${condition.min} or more ${countNames[condition.count]}`;
  if (condition.is === "recent") return `created after ${formatTime(Date.now() - condition.ms)}, as of now`;
  if (condition.is !== "created") return void 0;
  if (Number.isFinite(condition.since)) return `created at or after ${formatTime(condition.since)}`;
  return `created before ${formatTime(condition.until)}`;
}
var maxTime = 864e13;
function formatTime(time) {
  if (Math.abs(time) > maxTime) return time < 0 ? "the beginning of time" : "the end of time";
  return `${new Date(time).toISOString().replace("T", " ").replace(/(\.000)?Z$/, "")} UTC`;
}

// pages/query/tree.tsx
import { jsx, jsxs } from "./frame.js";
var operatorLabels = { and: "AND", or: "OR", not: "NOT", rule: "RULE" };
function Part({ reading, text, listener }) {
  const { span, kind, meaning, parts } = reading;
  const label2 = operatorLabels[kind] ?? text.slice(span?.at ?? 0, span?.end ?? 0);
  const show = () => listener.highlight(span);
  const hide = () => listener.highlight(void 0);
  return /* @__PURE__ */ jsxs("li", { children: [
    /* @__PURE__ */ jsxs("div", { class: "line", onPointerEnter: show, onPointerLeave: hide, onFocusIn: show, onFocusOut: hide, children: [
      span === void 0 ? /* @__PURE__ */ jsx("span", { class: `part ${kind}`, children: label2 }) : /* @__PURE__ */ jsx(
        "button",
        {
          type: "button",
          class: `part ${kind}`,
          title: "Select this part of the query",
          onClick: () => listener.select(span),
          children: label2
        }
      ),
      " ",
      /* @__PURE__ */ jsx("span", { class: "means", children: meaning })
    ] }),
    parts.length > 0 && /* @__PURE__ */ jsx("ul", { children: parts.map((each, index) => /* @__PURE__ */ jsx(Part, { reading: each, text, listener }, index)) })
  ] });
}
var QueryTree = (props) => /* @__PURE__ */ jsx("ul", { class: "tree", children: /* @__PURE__ */ jsx(Part, { ...props }) });

// pages/meaning/main.tsx
import { jsx as jsx2 } from "./frame.js";
function read(query) {
  try {
    return readingOf(parse(query));
  } catch (error) {
    if (error instanceof ServiceError) return error.message;
    throw error;
  }
}
function Meaning({ query, select }) {
  const reading = read(query);
  if (typeof reading === "string") return /* @__PURE__ */ jsx2("p", { class: "wrong", children: reading });
  return /* @__PURE__ */ jsx2(
    QueryTree,
    {
      reading,
      text: query,
      listener: { highlight: () => {
      }, select: ({ at, end }) => select(at, end) }
    }
  );
}
export {
  Meaning
};
