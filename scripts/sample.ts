/**
 * The bundled sample: an archive of invented people, in the native format. The same records every time, so that the file in
 * generated/ can be checked. Run by `npm run generate`.
 */
import type { ArchivedTweet, ArchivedUser, ArchiveRecord } from '../server/archive/records.ts';
import { apps, firstNames, interests, lastNames, places, quotes, replies, worldly, type Interest } from './sample/material.ts';
import { createRandom } from './sample/random.ts';

const end = Date.UTC(2026, 10, 15, 12);
const day = 24 * 60 * 60 * 1000;
const span = 150 * day;
const image = (name: string): string => `https://images.example/${name}`;
const iso = (time: number): string => new Date(time).toISOString();

/** The records of the sample, in the order in which they happened. */
export function sampleRecords(): ArchiveRecord[] {
  const random = createRandom(20261115);
  const records: ArchiveRecord[] = [];
  const tweets = new Map<string, ArchivedTweet>();
  const retweeted = new Map<string, Set<string>>();
  let serial = 0;

  /** Ids carry their time in the upper bits, as the platform's do. */
  const idAt = (time: number): string => String((BigInt(Math.floor(time)) - 1288834974657n) * 4194304n + BigInt(serial++ % 4096));

  /** Fills `{a|b}` and `{word}`. */
  const fill = (template: string, words: Interest['words'] = {}): string => {
    const filled = template.replace(/\{([^}]+)\}/g, (_, inner: string) => random.pick(words[inner] ?? inner.split('|')));
    return filled[0]!.toUpperCase() + filled.slice(1);
  };

  // People
  const mira: ArchivedUser = {
    id: '4200000001', username: 'mira_codes', name: 'Mira Holt', description: 'Builds small tools that last. Coffee, chess, long runs.', location: 'Hamburg',
    created_at: '2017-02-03T10:00:00.000Z', followers_count: 1840, following_count: 0, tweet_count: 5210, like_count: 9120, media_count: 310, verified: true,
    is_blue_verified: false, profile_image: image('mira.png'), profile_banner: image('mira-banner.jpg'), pinned_tweet_ids: ['1890000000000000001'],
  };
  const tom: ArchivedUser = {
    id: '4200000002', username: 'tom_sails', name: 'Tom Abara', description: 'Sails and servers.', location: 'Lagos', created_at: '2019-05-01T09:00:00.000Z',
    followers_count: 212, following_count: 0, tweet_count: 940, like_count: 2210, media_count: 61, verified: false, is_blue_verified: true,
    profile_image: image('tom.png'), profile_banner: '', pinned_tweet_ids: [],
  };
  const people: (ArchivedUser & { interests: Interest[]; lang: string })[] = [
    { ...mira, interests: [interests[1]!, interests[0]!, interests[5]!], lang: 'en' },
    { ...tom, interests: [interests[2]!, interests[1]!], lang: 'en' },
  ];
  for (let n = 0; n < 80; n++) {
    const first = firstNames[n % firstNames.length]!;
    const last = random.pick(lastNames);
    const own = random.some(interests, 1 + random.below(3));
    const tongue = random.chance(0.3) ? random.pick(worldly).lang : 'en';
    people.push({
      id: String(4200000003 + n), username: `${first}_${last}${n >= firstNames.length ? n : ''}`.toLowerCase().slice(0, 15), name: `${first} ${last}`,
      description: `${own.map(({ name }) => name).join(' · ')}. ${random.pick(['Opinions are mine.', 'Mostly listening.', 'Ask me about the weather.', 'Here for the pictures.'])}`,
      location: random.pick(places), created_at: iso(end - day * (300 + random.below(4000))), followers_count: random.heavy(120), following_count: 0,
      tweet_count: 100 + random.heavy(400), like_count: random.heavy(900), media_count: random.heavy(40), verified: random.chance(0.12), is_blue_verified: random.chance(0.25),
      profile_image: image(`people/${n}.png`), profile_banner: random.chance(0.7) ? image(`banners/${n}.jpg`) : '', pinned_tweet_ids: [], interests: own, lang: tongue,
    });
  }

  // Tweets
  interface Extra extends Partial<ArchivedTweet> { mentions?: readonly ArchivedUser[] }
  const post = (author: ArchivedUser, time: number, text: string, { mentions = [], ...extra }: Extra = {}): ArchivedTweet => {
    const id = extra.id ?? idAt(time);
    const likes = random.heavy(Math.max(2, author.followers_count! / 40));
    const tweet: ArchivedTweet = {
      id, text, created_at: iso(time), author_id: author.id,
      retweet_count: random.below(1 + Math.floor(likes / 6)), reply_count: 0, like_count: likes, quote_count: 0, bookmark_count: random.below(1 + Math.floor(likes / 8)),
      view_count: likes * (20 + random.below(60)) + random.below(200), lang: 'en', source: random.pick(apps), conversation_id: id, ...extra,
      entities: entitiesOf(text, mentions),
    };
    tweets.set(id, tweet);
    records.push({ kind: 'tweet', tweet });
    return tweet;
  };
  const reply = (author: ArchivedUser, to: ArchivedTweet, text: string, extra: Extra = {}): ArchivedTweet => {
    const parent = people.find(({ id }) => id === to.author_id)!;
    to.reply_count!++;
    const time = Math.min(end - 1, Date.parse(to.created_at) + 60_000 * (2 + random.heavy(25)));
    return post(author, time, parent.id === author.id ? text : `@${parent.username} ${text}`, {
      in_reply_to_id: to.id, in_reply_to_username: parent.username, conversation_id: to.conversation_id!, mentions: parent.id === author.id ? [] : [parent], ...extra,
    });
  };
  /** Pictures, films, cards and articles for some posts. */
  const adorn = (author: ArchivedUser, id: string, interest: Interest): Extra => {
    const kind = random.next();
    const page = `https://social.example/${author.username}/status/${id}`;
    if (kind < 0.16) return { media: Array.from({ length: 1 + random.below(3) }, (_, n) => ({ type: 'photo' as const, url: image(`${interest.tag}/${id}-${n}.jpg`), expanded_url: `${page}/photo/${n + 1}` })) };
    if (kind < 0.21) return { media: [{ type: 'video', url: image(`${interest.tag}/${id}.jpg`), expanded_url: `${page}/video/1`, video_url: `https://video.example/${id}.mp4` }] };
    if (kind < 0.24) return { media: [{ type: 'animated_gif', url: image(`${interest.tag}/${id}.jpg`), expanded_url: `${page}/photo/1`, video_url: `https://video.example/${id}-loop.mp4` }] };
    return {};
  };
  const card = (interest: Interest, n: number): NonNullable<ArchivedTweet['card']> => ({
    url: `https://${interest.tag}.example/notes/${n}`, title: `${interest.name}: note ${n}`, description: `What we learned this month about ${interest.tag}.`, image: image(`cards/${interest.tag}.png`), domain: `${interest.tag}.example`,
  });

  const opening = Date.parse('2026-03-04T05:06:07.000Z');
  const build = post(mira, opening, 'We moved the build to Node 24: nine minutes are two now. Notes: https://example.org/node-24 #nodejs', {
    id: '1890000000000000001', conversation_id: '1890000000000000001', like_count: 96, view_count: 7210, bookmark_count: 14,
    card: { url: 'https://example.org/node-24', title: 'What is new in Node 24', description: 'The changes in short.', image: image('node.png'), domain: 'example.org' },
  });
  for (const [n, person] of random.some(people.slice(2), 14).entries()) {
    const answer = reply(person, build, n === 0 ? 'which part of it was the slowest?' : random.pick(replies));
    if (n % 4 === 0) reply(mira, answer, random.pick(['The linter, of all things.', 'Good question, I will measure it.', 'Yes, and it was worth it.']));
  }
  reply(mira, build, 'One more thing: the tests run in the same process now, that was half of it.');

  const originals: ArchivedTweet[] = [build];
  for (let n = 0; n < 1750; n++) {
    const time = end - span + (span * n) / 1750 + random.below(60_000);
    const author = n % 23 === 0 ? people[0]! : n % 31 === 0 ? people[1]! : random.pick(people);
    const interest = random.pick(author.interests);
    const foreign = author.lang !== 'en' && random.chance(0.6) ? worldly.find(({ lang }) => lang === author.lang) : undefined;
    const id = idAt(time);
    let text = foreign === undefined ? fill(random.pick(interest.posts), interest.words) : random.pick(foreign.posts);
    const extra: Extra = { id, conversation_id: id, ...adorn(author, id, interest), ...(foreign === undefined ? {} : { lang: foreign.lang }) };
    if (foreign === undefined && random.chance(0.25)) text += ` #${interest.tag}`;
    const named = random.chance(0.12) ? random.pick([people[0]!, people[1]!, random.pick(people)]) : undefined;
    if (named !== undefined && named.id !== author.id) {
      text += ` cc @${named.username}`;
      extra.mentions = [named];
    }
    if (extra.media === undefined && random.chance(0.08)) {
      extra.card = card(interest, n);
      text += ` ${extra.card.url}`;
    }
    if (n % 70 === 5) {
      const points = random.some(interest.posts, 4).map((template) => fill(template, interest.words));
      extra.article = { title: `Notes on ${interest.tag}, part ${1 + Math.floor(n / 70)}`, text: `${points.join('\n\n')}\n\nMore next month.` };
    }
    if (random.chance(0.3)) extra.community_id = communityId(interest);
    if (random.chance(0.06)) extra.place = random.pick(places.filter((place) => place !== ''));
    if (random.chance(0.01)) extra.possibly_sensitive = true;
    const tweet = post(author, time, text, extra);
    if (random.chance(0.04)) {
      let last = tweet;
      for (let part = 0; part < 2 + random.below(3); part++) last = reply(author, last, `${part + 2}/ ${fill(random.pick(interest.posts), interest.words)}`, { ...(foreign === undefined ? {} : { lang: foreign.lang }) });
    }
    if (random.chance(0.22)) {
      let at = tweet;
      for (let depth = 0; depth < 1 + random.below(4); depth++) at = reply(random.pick(people), random.chance(0.6) ? at : tweet, random.pick(replies));
    }
    if (random.chance(0.05)) {
      const quoted = random.pick(originals.slice(-120));
      quoted.quote_count!++;
      post(random.pick(people), time + 3_600_000, random.pick(quotes), { quoted_tweet_id: quoted.id });
    }
    originals.push(tweet);
  }

  // Retweets, some as tweets of their own
  for (const original of [build, ...random.some(originals, 260)]) {
    const by = new Set<string>();
    retweeted.set(original.id, by);
    for (const person of random.some(people, original === build ? 26 : 1 + random.below(7))) {
      if (person.id === original.author_id) continue;
      by.add(person.id);
      const time = Math.min(end - 1, Date.parse(original.created_at) + 600_000 + random.below(2 * day));
      if (random.chance(0.35)) post(person, time, original.text, { retweeted_tweet_id: original.id, like_count: 0, retweet_count: 0, bookmark_count: 0, view_count: 0, lang: original.lang! });
      else records.push({ kind: 'retweet', tweet_id: original.id, user_id: person.id, created_at: iso(time) });
    }
  }
  for (const [id, by] of retweeted) tweets.get(id)!.retweet_count = Math.max(tweets.get(id)!.retweet_count!, by.size);

  // Who follows whom, and what they show of themselves
  for (const person of people) {
    const followed = random.some(people.filter(({ id }) => id !== person.id), person.id === mira.id ? 45 : 3 + random.below(30));
    person.following_count = followed.length;
    for (const other of followed) records.push({ kind: 'follow', follower_id: person.id, following_id: other.id, created_at: iso(end - random.below(700) * day) });
    const own = originals.filter((tweet) => tweet.author_id === person.id);
    for (const tweet of random.some(own, person.id === mira.id ? 24 : random.below(5))) {
      records.push({ kind: 'highlight', user_id: person.id, tweet_id: tweet.id, created_at: iso(Math.min(end - 1, Date.parse(tweet.created_at) + random.below(9) * day)) });
    }
    const pinned = own.at(-1);
    if (person.pinned_tweet_ids!.length === 0 && pinned !== undefined && random.chance(0.4)) person.pinned_tweet_ids = [pinned.id];
  }

  // Communities and spaces
  const policies = ['open', 'restricted', 'closed'] as const;
  for (const [n, interest] of interests.entries()) {
    const members = people.filter((person) => person.id === mira.id || person.interests.includes(interest) || random.chance(0.08));
    const roles = members.map((person, place) => (n === 0 && person.id === mira.id ? 'moderator' : place === 1 ? 'admin' : place % 9 === 4 ? 'moderator' : 'member') as 'moderator' | 'admin' | 'member');
    records.push({ kind: 'community', community: { id: communityId(interest), name: interest.name, description: `For everyone who cares about ${interest.tag}.`, member_count: members.length, moderator_count: roles.filter((role) => role !== 'member').length, join_policy: policies[n % 3]! } });
    for (const [place, person] of members.entries()) records.push({ kind: 'membership', community_id: communityId(interest), user_id: person.id, role: roles[place]!, created_at: iso(end - random.below(500) * day) });
  }
  for (let n = 0; n < 15; n++) {
    const state = n === 0 || n % 3 === 0 ? 'ended' : n % 3 === 1 ? 'live' : 'scheduled';
    const start = n === 0 ? Date.parse('2026-02-03T18:00:00.000Z') : state === 'scheduled' ? end + (1 + n) * day : end - (state === 'live' ? 1_800_000 : n * day);
    const host = n === 0 ? mira : random.pick(people);
    records.push({
      kind: 'space',
      space: {
        id: `1vSampleSpace${n + 1}`, title: n === 0 ? 'Office hours: small archives' : `${random.pick(interests).name}: open evening ${n}`, state, host_id: host.id,
        speaker_ids: n === 0 ? [tom.id] : random.some(people, 1 + random.below(4)).map(({ id }) => id), participant_count: state === 'scheduled' ? 0 : 10 + random.heavy(40), subscriber_count: random.heavy(30),
        lang: 'en', is_ticketed: n % 7 === 3, created_at: iso(start - 2 * day), scheduled_start: iso(start),
        started_at: state === 'scheduled' ? null : iso(start + 72_000), ended_at: state === 'ended' ? iso(start + 3_895_000) : null,
      },
    });
  }

  // What the account of this service likes
  for (const tweet of [build, ...random.some(originals.slice(1), 60)]) {
    tweet.like_count = Math.max(1, tweet.like_count!);
    records.push({ kind: 'like', tweet_id: tweet.id, created_at: iso(Math.min(end - 1, Date.parse(tweet.created_at) + 3_600_000)) });
  }

  const users = people.map(({ interests: _interests, lang: _lang, ...user }): ArchiveRecord => ({ kind: 'user', user }));
  return [...users, ...records];
}

const communityId = (interest: Interest): string => String(1_700_000_000_000_000_001n + BigInt(interests.indexOf(interest)));

/** What a text of the sample names; its texts are simple enough for plain patterns. */
function entitiesOf(text: string, mentions: readonly ArchivedUser[]): NonNullable<ArchivedTweet['entities']> {
  const found = (pattern: RegExp): string[] => [...text.matchAll(pattern)].map((match) => match[1]!);
  return {
    mentions: mentions.map(({ username, name, id }) => ({ username, name: name!, id })),
    hashtags: found(/#([\p{L}\p{M}\p{N}_]+)/gu),
    cashtags: found(/\$([A-Z]{1,6})\b/g),
    urls: found(/(https:\/\/\S+)/g).map((url) => ({ url, display_url: url.replace('https://', '') })),
  };
}
