/** The local provider over whole archives: the conversation below a post, later posts, rumours and their corrections. */
import { afterAll, describe, expect, test } from '@jest/globals';
import { harbour } from '../../../scripts/evals/archives/harbour.ts';
import { recordsOf } from '../../../scripts/evals/archives/rows.ts';
import { town } from '../../../scripts/evals/archives/town.ts';
import { archiveReader } from '../../../server/assistant/archive-reader.ts';
import { localProvider } from '../../../server/assistant/providers/local.ts';
import { subjectOf } from '../../../server/assistant/subject.ts';
import { readSample } from '../../../server/demo/seed-sample.ts';
import type { ArchiveRecord } from '../../../server/domain/records.ts';
import type { Turn } from '../../../server/ports/assistant-provider.ts';
import { options } from '../../support/call-options.ts';
import { openArchiveOf, type ServiceArchive } from '../../support/stored-archive.ts';

const provider = localProvider();

const archives = new Map<readonly ArchiveRecord[], Promise<ServiceArchive>>();
function archiveOf(records: readonly ArchiveRecord[]): Promise<ServiceArchive> {
  const archive = archives.get(records) ?? openArchiveOf(records);
  archives.set(records, archive);
  return archive;
}
afterAll(async () => {
  for (const archive of archives.values()) await (await archive).close();
});

/** Asks questions about a tweet of an archive, as one conversation, and returns the last answer. */
async function answerTo(records: readonly ArchiveRecord[], tweet: string, ...prompts: readonly (string | null)[]) {
  const { platform } = await archiveOf(records);
  const subject = await subjectOf(platform, tweet, options);
  const archive = archiveReader(platform, options);
  const turns: Turn[] = [];
  for (const prompt of prompts) {
    const about = { subject, archive, turns: [...turns], prompt, model: '', suggest: null, extract: false };
    const reply = await provider.ask({ id: 'local-1' }, about, { signal: options.signal, questions: 1 });
    turns.push({ prompt, answer: reply.summary });
    if (turns.length === prompts.length) return reply;
  }
  throw new Error('no question');
}

const sample = await readSample();
const build = '1890000000000000001';

describe('a question that somebody asked already', () => {
  test.each([
    ['which part was the slowest?', /^@mira_codes answered: “The database fixtures\./],
    ['how many lines did they delete?', /^@mira_codes answered: “611\./],
    ['is it faster with a cold cache?', /^@mira_codes answered: “Cold is 2:40, warm is 1:55\.”/],
    ['what did the author reply?', /^@mira_codes answered: “[^]*@gus_shell asked: “/],
  ])('%s: the answer of the author, not the question', async (prompt, expected) => {
    expect((await answerTo(sample, build, prompt)).summary).toMatch(expected);
  });

  test('each quotation has its source', async () => {
    const { summary, citedTweets } = await answerTo(sample, build, 'which part was the slowest?');
    expect(summary).toMatch(/copied\.” \[1\]\n\n@tom_sails asked: “which part of it was the slowest\?” \[2\]$/);
    expect(citedTweets).toEqual(['2029066082711511314', '1890000000000000003']);
  });
});

test('“tl;dr pls” is answered in the language of the conversation', async () => {
  expect((await answerTo(sample, build, 'tl;dr pls')).summary).toContain(' wrote on ');
});

test('“who are they” after a count names those who did it, or says that the archive does not know them', async () => {
  const { summary } = await answerTo(town, '510001', 'how many retweeted it', 'who are they');
  expect(summary).toMatch(/^Reposted by, as far as the archive knows: .*@tessa_t/);
  expect((await answerTo(town, '510001', 'how many likes?', 'who are they')).summary).toMatch(
    /^The archive does not say who did that\./,
  );
});

describe('the reason', () => {
  test.each([
    ['510001', 'why is it closed?', /^@city_roads: “Mill Bridge is closed .* after inspectors found a crack/],
    ['520001', 'why is there no sign?', /^@city_roads answered: “The sign was ordered too late/],
    ['530001', 'why does the pool close?', /because the heating is replaced/],
  ])('%s, %s', async (tweet, prompt, expected) => {
    expect((await answerTo(town, tweet, prompt)).summary).toMatch(expected);
  });

  test('of a German and an Italian post is found in the language of the question, or the post is shown', async () => {
    expect((await answerTo(harbour, '620001', 'Warum fährt die Fähre nicht?')).summary).toContain(
      'weil der Hafen vereist',
    );
    expect((await answerTo(harbour, '610001', 'Why do they strike?')).summary).toMatch(
      /^I compare words, and the post is in another language \(Italian\)\.[^]*per la paga notturna/,
    );
  });
});

describe('a mood or a stance', () => {
  test('of replies in a language without a list of words is not told', async () => {
    const { summary } = await answerTo(harbour, '610001', 'are people angry?');
    expect(summary).toMatch(/^I cannot tell: only 0 of 10 replies have words or emoji that I know\./);
    const { summary: against } = await answerTo(harbour, '610001', 'who disagrees?');
    expect(against).toMatch(/^I have no word list for the language of other replies: 10\./);
    expect(against).not.toContain('0 of');
  });

  test('of a few replies is not told either', async () => {
    const people = [
      ['ann', 'Ann', '', 1],
      ['bob', 'Bob', '', 1],
    ] as const;
    const replies = ['Great!', 'Awful.', 'Wonderful!'].map(
      (text, n) => [`70${n}`, 'bob', '2026-01-01T00:00:00Z', `@ann ${text}`, { to: '700000' }] as const,
    );
    const few = recordsOf(people, [['700000', 'ann', '2026-01-01T00:00:00Z', 'We moved the office.'], ...replies]);
    expect((await answerTo(few, '700000', 'what is the mood?')).summary).toMatch(/^I cannot tell: only 3 of 3 replies/);
  });

  test('is shown by the replies that are counted, not by those with the most likes', async () => {
    const people = [
      ['ann', 'Ann', '', 1],
      ['bob', 'Bob', '', 1],
    ] as const;
    const texts = ['Awful idea.', 'Terrible, I hate it.', 'Horrible.', 'Bad.', 'Worst day ever.', 'Which floor is it?'];
    const replies = texts.map(
      (text, n) =>
        [`70${n}`, 'bob', '2026-01-01T00:00:00Z', `@ann ${text}`, { to: '700000', likes: n === 5 ? 90 : 1 }] as const,
    );
    const angry = recordsOf(people, [['700000', 'ann', '2026-01-01T00:00:00Z', 'We moved the office.'], ...replies]);
    const { summary } = await answerTo(angry, '700000', 'are people angry?');
    expect(summary).toMatch(/^Replies with such words: 5 of 6; positive: 0, negative: 5\./);
    expect(summary).toContain('“Terrible, I hate it.”');
    expect(summary).not.toContain('Which floor');
  });
});

describe('a rumour', () => {
  test('is shown with what refutes it', async () => {
    for (const prompt of [null, 'tl;dr', 'is this true?'])
      expect([prompt, (await answerTo(town, '510002', prompt)).citedTweets]).toEqual([
        prompt,
        expect.arrayContaining(['510003']),
      ]);
    const { citedTweets } = await answerTo(town, '510001', 'will it be torn down?');
    expect(citedTweets).toEqual(expect.arrayContaining(['510002', '510003']));
  });

  test('that the author corrected later has the correction', async () => {
    for (const prompt of [null, 'tl;dr', 'is this true?'])
      expect((await answerTo(town, '530001', prompt)).citedTweets).toContain('530005');
  });
});

describe('later posts of the author', () => {
  test.each([
    ['510001', 'is it open now?', '510022'],
    ['510001', 'what happened next?', '510022'],
    ['510001', 'any update?', '510022'],
    ['510001', 'has the author said anything since?', '510022'],
    ['520001', 'has it been fixed since?', '520010'],
  ])('of %s answer %s', async (tweet, prompt, expected) => {
    const { summary, citedTweets } = await answerTo(town, tweet, prompt);
    expect(citedTweets?.[0]).toBe(expected);
    expect(summary).toMatch(/^Later, on /);
  });
});

test('a quoting post links only to what it links to itself', async () => {
  const people = [
    ['ann', 'Ann', '', 1],
    ['bob', 'Bob', '', 1],
  ] as const;
  const records = recordsOf(people, [
    ['800001', 'bob', '2026-01-01T00:00:00Z', 'Read https://example.org/notes'],
    ['800002', 'ann', '2026-01-02T00:00:00Z', 'This is worth your time.', { quotes: '800001' }],
  ]);
  const { summary, citations } = await answerTo(records, '800002', null);
  expect(summary).not.toContain('links to');
  expect(citations).toEqual([]);
});

test('a page is a source only of an answer that names it', async () => {
  expect((await answerTo(sample, build, 'how many likes?')).citations).toEqual([]);
  expect((await answerTo(sample, build, 'which link is in it?')).citations).toHaveLength(1);
});

test('the explanation says in this order what the post says, what happened since, and what people say', async () => {
  const { summary } = await answerTo(town, '510001', null);
  const places = ['wrote on 4 May', 'The profile says', 'Later, on 12 June', 'six weeks', 'Likes: 310'].map((part) =>
    summary.indexOf(part),
  );
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places).not.toContain(-1);
});

describe('a recall of bicycles', () => {
  const people = [
    ['ferro', 'Ferro Cycles', 'We build steel bicycles in Tilburg.', 900],
    ['kim', 'Kim', '', 30],
    ['rob', 'Rob', '', 40],
    ['ellis', 'Ellis', 'Mechanical engineer.', 200],
  ] as const;
  const records = recordsOf(people, [
    [
      '900001',
      'ferro',
      '2026-04-01T09:00:00Z',
      'We recall the Lift. The fork can break. Please stop riding it. Two riders fell.',
    ],
    ['900002', 'kim', '2026-04-01T10:00:00Z', '@ferro How long until I get a new one?', { to: '900001' }],
    ['900003', 'ferro', '2026-04-01T11:00:00Z', '@kim Forks ship from 20 April, at no cost to you.', { to: '900002' }],
    ['900004', 'rob', '2026-04-02T09:00:00Z', '@ferro I waited forty minutes on the phone today.', { to: '900001' }],
    ['900005', 'ferro', '2026-04-02T10:00:00Z', '@rob Sorry, two colleagues were ill.', { to: '900004' }],
    ['900006', 'ferro', '2026-04-22T08:00:00Z', 'The Lift: 1,700 of 2,300 forks of the recall are replaced.'],
    [
      '900007',
      'ellis',
      '2026-04-22T09:00:00Z',
      '@ferro The new fork is fine. I tested it to 400 kg.',
      { to: '900006' },
    ],
  ]);

  test.each([
    ['who tested the new fork?', '900007', 'replies to later posts are read'],
    ['why did Rob wait?', '900005', 'what the author replies to a complaint is shown'],
    ['did anyone get hurt?', '900001', 'the post answers a question of “anyone”'],
    ['what should I do?', '900001', 'advice is no prediction'],
    ['was kostet die neue Gabel?', '900003', 'what is free has a price'],
    ['how many forks are replaced so far?', '900006', 'the newest state comes first'],
  ])('%s: %s (%s)', async (prompt, source) => {
    expect((await answerTo(records, '900001', prompt)).citedTweets).toContain(source);
  });

  test('“did they answer him?” is about whom the last answer quotes', async () => {
    const { citedTweets } = await answerTo(records, '900001', 'what does Rob say?', 'did they answer him?');
    expect(citedTweets?.[0]).toBe('900005');
  });

  test('the profile of the author says where', async () => {
    expect((await answerTo(records, '900001', 'where are the bicycles built?')).summary).toContain('in Tilburg');
  });
});

test.each([
  ['en', 'why is it closed?', 'The bridge is closed after inspectors found a crack in a pier.'],
  ['de', 'Warum ist sie gesperrt?', 'Die Brücke ist gesperrt, nachdem Prüfer einen Riss im Pfeiler fanden.'],
  ['es', '¿Por qué está cerrado?', 'El puente está cerrado después de que los inspectores hallaran una grieta.'],
  ['fr', 'Pourquoi est-il fermé ?', 'Le pont est fermé après que les inspecteurs ont trouvé une fissure.'],
  ['pt', 'Por que está fechada?', 'A ponte está fechada depois que os inspetores acharam uma rachadura.'],
])(
  '%s: “%s” is answered with the post that gives the reason in other words than “because”',
  async (lang, prompt, text) => {
    const people = [['town', 'Town', '', 1]] as const;
    const records = recordsOf(people, [['950001', 'town', '2026-01-01T00:00:00Z', text, { lang }]]);
    const { summary, citedTweets } = await answerTo(records, '950001', prompt);
    expect([citedTweets, summary]).toEqual([['950001'], expect.stringContaining(text.slice(0, -1))]);
  },
);

test.each([
  ['it', 'Ha ragione, ha detto che ha chiuso la strada e nessuno ha risposto.'],
  ['nl', 'Die mensen die daar wonen zijn die ellende al gewend, zeg.'],
])('words of %s are not counted by their meaning in English', async (lang, text) => {
  const people = [
    ['ann', 'Ann', '', 1],
    ['bob', 'Bob', '', 1],
  ] as const;
  const replies = Array.from(
    { length: 8 },
    (_, n) => [`96000${n + 1}`, 'bob', '2026-01-02T00:00:00Z', `@ann ${text}`, { to: '960000', lang }] as const,
  );
  const records = recordsOf(people, [['960000', 'ann', '2026-01-01T00:00:00Z', 'We moved the office.'], ...replies]);
  expect((await answerTo(records, '960000', 'are people angry?')).summary).toMatch(
    /^I cannot tell: only 0 of 8 replies have words or emoji that I know\./,
  );
});

describe('a delayed ferry, a study and a tool', () => {
  const people = [
    ['ferry', 'Ferry', '', 1],
    ['mo', 'Mo', '', 1],
    ['lab', 'Lab', '', 1],
    ['tool', 'Tool', '', 1],
  ] as const;
  const at = (day: number): string => `2026-01-0${day}T00:00:00Z`;
  const records = recordsOf(people, [
    ['980001', 'ferry', at(1), 'The ferry to Skye is delayed. We are sorry. #skye'],
    ['980002', 'mo', at(1), '@ferry How long is the wait?', { to: '980001' }],
    ['980003', 'ferry', at(1), '@mo We expect to leave at 12:20, about three hours late.', { to: '980002' }],
    ['980005', 'mo', at(1), '@ferry Never again.', { to: '980001' }],
    ['980006', 'mo', at(1), '@ferry Do we get a meal?', { to: '980001' }],
    ['980007', 'mo', at(1), '@ferry The staff were kind.', { to: '980001' }],
    ['980004', 'ferry', at(2), 'The ferry is back in the harbour. #skye'],
    [
      '980010',
      'lab',
      at(1),
      'New paper: people who drink two cups of tea a day sleep better. The work was paid by 3 firms.',
    ],
    ['980011', 'mo', at(1), '@lab How many people were in the cohort?', { to: '980010' }],
    ['980012', 'lab', at(1), '@mo 900 adults, followed for six years.', { to: '980011' }],
    ['980020', 'tool', at(1), 'Our tool runs on every phone. Thank you, Mo.'],
  ]);
  const unsure = /^I am not sure that this answers it; it is the nearest that I found\./;

  test('“how late” asks for a number', async () => {
    expect((await answerTo(records, '980001', 'how late will it be?')).summary).toMatch(/^@ferry answered: “We expect/);
  });

  test('“run” after “how long” asks for a duration, and what happens so often a day has none', async () => {
    const { summary } = await answerTo(records, '980010', 'how long did the study run?');
    expect(summary).toMatch(/^@lab answered: “900 adults, followed for six years\.” \[1\]/);
    expect(summary).not.toContain('two cups');
  });

  test('a later post is not shown for a question about something that no post has', async () => {
    expect((await answerTo(records, '980001', 'was anyone hurt?')).summary).toMatch(
      /^I found nothing that answers this/,
    );
    expect((await answerTo(records, '980001', 'did they forget something?')).summary).toMatch(unsure);
  });

  test('a passage without the name in the question is the nearest one, and no more', async () => {
    const answers = ['does it run on Windows?', 'does it run on every phone?', 'does Mo run it on a phone?'].map(
      async (prompt) => (await answerTo(records, '980020', prompt)).summary,
    );
    const [unknown, plain, known] = await Promise.all(answers);
    expect(unknown).toMatch(unsure);
    for (const summary of [unknown, plain, known]) expect(summary).toContain('Our tool runs on every phone.');
    for (const summary of [plain, known]) expect(summary).not.toMatch(unsure);
  });
});

describe('a lost dog, a burst dam and a stolen boat', () => {
  const people = [
    ['holly', 'Holly', '', 1],
    ['dave', 'Dave', '', 1],
    ['river', 'River', '', 1],
    ['boat', 'Boat', '', 1],
  ] as const;
  const at = (day: number): string => `2026-02-${String(day).padStart(2, '0')}T00:00:00Z`;
  const records = recordsOf(people, [
    ['970001', 'holly', at(1), 'Anyone seen Bruno? Brown dog, slipped out at noon. A reward for whoever finds him!'],
    ['970002', 'dave', at(1), '@holly For that reward I would be the dog.', { to: '970001' }],
    ['970003', 'holly', at(2), 'Got him. Three doors down, in a tumble dryer.'],
    ['970004', 'holly', at(28), 'Anyone know a good plumber?'],
    ['970010', 'river', at(1), 'The dam has burst and the fire brigade is here.'],
    ['970011', 'dave', at(1), '@river Was it the fire brigade that opened it?', { to: '970010' }],
    ['970012', 'river', at(1), '@dave Nobody knows yet. Sandbags are on the way.', { to: '970011' }],
    ['970013', 'river', at(1), '@river Engineers are looking at the spillway.', { to: '970010' }],
    ['970014', 'river', at(9), 'The cause is out: a blocked spillway. Repairs take until autumn.'],
    ['970020', 'boat', at(1), 'Our boat was stolen last night.'],
  ]);
  const answer = async (tweet: string, prompt: string): Promise<string> =>
    (await answerTo(records, tweet, prompt)).summary;

  test('an outcome is in what the author wrote next, though no word shows it', async () => {
    expect(await answer('970001', 'did they find him?')).toContain('wrote: “Got him. Three doors down');
    expect(await answer('970001', 'is Bruno brown?')).toMatch(/^@holly: “/);
  });

  test('an update is not invented: what came next is marked as unsure', async () => {
    const summary = await answer('970001', 'any update?');
    expect(summary).toMatch(/^I found no later post of the author on this\.\n\nI am not sure that this answers it/);
    expect(summary).toContain('Got him.');
    expect(summary.indexOf('plumber')).toBeGreaterThan(summary.indexOf('Got him.'));
    expect(await answer('970020', 'any update?')).toBe('I found no later post of the author on this.');
  });

  test('a later post is on the same thing that the author mentions in a reply', async () => {
    expect(await answer('970010', 'any update?')).toContain('wrote: “The cause is out');
  });

  test('a reason that the author gives comes before a passage with a word of the question', async () => {
    expect(await answer('970010', 'what caused the fire?')).toMatch(/^I am not sure[^]*“The cause is out: a blocked/);
  });

  test('a season is a time', async () => {
    expect(await answer('970010', 'when are the repairs finished?')).toMatch(/^Later, on [^]*until autumn/);
  });
});

describe('a leak, a rebate and a museum', () => {
  const people = [
    ['mina', 'Mina', '', 1],
    ['otto', 'Otto', '', 1],
    ['works', 'Water Works', '', 1],
    ['ruth', 'Ruth', '', 1],
    ['vera', 'Vera', '', 1],
  ] as const;
  const at = (day: number): string => `2026-03-${String(day).padStart(2, '0')}T00:00:00Z`;
  const records = recordsOf(people, [
    ['980001', 'mina', at(1), 'The whole street is without water since six.'],
    [
      '980002',
      'otto',
      at(1),
      '@mina They were told about the pump in January and it is off ever since',
      { to: '980001' },
    ],
    ['980003', 'works', at(1), '@otto The spare part is on its way from Norway.', { to: '980002' }],
    ['980004', 'mina', at(2), 'Still dry. The neighbours share three buckets.', { likes: 3 }],
    ['980005', 'mina', at(3), 'Two vans and a digger have come.', { likes: 5 }],
    ['980006', 'mina', at(4), 'It runs again, brown at first.', { likes: 90 }],
    ['980007', 'mina', at(5), 'Does anyone want rhubarb?'],
    ['980010', 'ruth', at(1), 'The council votes on the heater rebate: 400 euros for each flat.'],
    ['980011', 'otto', at(1), '@ruth Each heater burns 1,100 litres, they say', { to: '980010' }],
    ['980012', 'vera', at(1), '@otto The number is from the maker.', { to: '980011' }],
    ['980013', 'vera', at(1), '@ruth A thermostat alone was £39.50a piece for us.', { to: '980010' }],
    ['980014', 'ruth', at(9), 'The heater rebate is 750 from today, the council agreed.'],
    ['980020', 'vera', at(1), 'The museum closes at four from May on.'],
    ['980021', 'otto', at(1), '@vera My class has never seen it after lunch.', { to: '980020', likes: 4 }],
    ['980022', 'otto', at(1), '@vera Vera, is the roof terrace shut as well?', { to: '980020' }],
    ['980023', 'vera', at(1), '@otto No. The terrace stays open, and its stairs too.', { to: '980022' }],
    ['980024', 'ruth', at(1), '@vera Somebody told me the guides are paid by the council.', { to: '980020' }],
    ['980027', 'otto', at(1), '@vera Are you covered for hail?', { to: '980020' }],
    ['980028', 'vera', at(1), '@otto Third party only, like half of the town.', { to: '980027' }],
    ['980029', 'otto', at(1), '@vera Había 300 personas dentro y no se oía nada', { to: '980020', lang: 'es' }],
    ['980030', 'ruth', at(1), '@vera Die Feuerwehr kam mit zwei Wagen und einer Leiter', { to: '980020', lang: 'de' }],
    ['980025', 'vera', at(9), 'The museum has a new door. #museum'],
    ['980026', 'vera', at(10), 'The museum has sold its old benches. #museum'],
  ]);
  const answer = async (tweet: string, prompt: string): Promise<string> =>
    (await answerTo(records, tweet, prompt)).summary;

  test('an outcome is looked for in the three next posts with the most engagement', async () => {
    const summary = await answer('980001', 'did the plumber manage?');
    for (const text of ['“Still dry.', '“Two vans', '“It runs again, brown at first.”'])
      expect(summary).toContain(text);
    expect(summary).not.toContain('rhubarb');
  });

  test('an answer has no more posts than can be read at a glance', async () => {
    const replies = Array.from({ length: 9 }, (_, n): [string, string, string, string, object] => [
      `98110${n}`,
      n % 2 === 0 ? 'otto' : 'vera',
      at(2),
      n % 2 === 0 ? `@ruth Is the tower number ${n} shut too?` : `@otto Tower ${n - 1} stays open all year.`,
      { to: n % 2 === 0 ? '981001' : `98110${n - 1}` },
    ]);
    const towers = recordsOf(people, [['981001', 'ruth', at(1), 'The old tower is shut.'], ...replies]);
    const { summary } = await answerTo(towers, '981001', 'what is with the tower then');
    expect(summary.match(/\[\d+\]/g)?.length).toBeLessThanOrEqual(8);
  });

  test('of what the author wrote next, one post without a word of the question is shown', async () => {
    const summary = await answer('980001', 'where is the pump kept?');
    const unrelated = ['Still dry', 'Two vans', 'It runs again', 'rhubarb'].filter((text) => summary.includes(text));
    expect(unrelated).toHaveLength(1);
  });

  test('“they” alone asks for no replies, but for what a fact question names', async () => {
    expect(await answer('980020', 'are they paid?')).toMatch(/^@ruth: “Somebody told me the guides are paid/);
  });

  test('“what did Vera say about it?” is about her posts, though somebody addresses her by the name', async () => {
    expect(await answer('980020', 'what did vera say about the terrace?')).toMatch(
      /^@vera answered: “No\. The terrace stays open/,
    );
  });

  test('the truth of something has what is said about a part of it', async () => {
    expect(await answer('980020', 'is it true that the guides resign?')).toContain('“Somebody told me the guides');
  });

  test.each([
    ['is it insured?', 'Third party only, like half of the town.'],
    ['¿cuánta gente había dentro?', 'Había 300 personas dentro'],
    ['wer hat geholfen?', 'Die Feuerwehr kam mit zwei Wagen'],
  ])('%s is answered in other words', async (prompt, expected) => {
    expect(await answer('980020', prompt)).toContain(expected);
  });

  test('“still” in a question that an older post answers leads to that post', async () => {
    expect(await answer('980020', 'is the roof terrace still open?')).toMatch(/^@vera answered: “No\. The terrace/);
  });

  test('a question for the latest news is answered by the next posts after those about the same thing', async () => {
    expect(await answer('980010', 'what happened next?')).toMatch(/^Later, on [^]*: “The heater rebate is 750/);
  });

  test('the reply to a complaint is shown with it', async () => {
    expect(await answer('980001', 'how come the pump did not run?')).toMatch(/“They were told[^]*“The spare part is/);
  });

  test('a question about the present is answered by the newest post that has its words', async () => {
    expect(await answer('980010', 'how high is the heater rebate now?')).toMatch(/^Later, on [^]*rebate is 750/);
    expect(await answer('980010', 'how high is the heater rebate?')).toMatch(/^@ruth: “[^]*400 euros/);
  });

  test('a number is found in each way of writing it, with what somebody replied', async () => {
    for (const number of ['1100', '1,100', '1.100'])
      expect(await answer('980010', `is the ${number} thing true?`)).toMatch(/“Each heater burns[^]*from the maker\.”/);
  });

  test('a question for a price is answered by a price, though no other word fits', async () => {
    const summary = await answer('980010', 'what does a dial cost?');
    expect(summary).toContain('£39.50a');
  });

  test('a question what people think of something that nobody names has what they say', async () => {
    expect(await answer('980020', 'do people agree its down to budget cuts')).toMatch(
      /^I am not sure that this answers it[^]*“My class has never seen it after lunch\.”/,
    );
  });
});

test('no further line of the explanation repeats the post', async () => {
  const { summary } = await answerTo(town, '510001', null);
  const [lead = '', ...lines] = summary.split('\n').filter((line) => line !== '');
  const said = [...(/: “(.*)” \[1\]$/.exec(lead)?.[1] ?? '').split(' … ')];
  expect(said[0]?.length).toBeGreaterThan(10);
  for (const line of lines) for (const part of said) expect(line).not.toContain(part);
});

test('the proposals for a post without a coin repeat no word of it', async () => {
  const people = [['town', 'Town', '', 1]] as const;
  const records = recordsOf(people, [
    ['970001', 'town', '2026-01-01T00:00:00Z', 'Old Mill Bridge and the old mill are closed. The Mill reopens in May.'],
  ]);
  const { platform } = await archiveOf(records);
  const subject = await subjectOf(platform, '970001', options);
  const archive = archiveReader(platform, options);
  const about = { subject, archive, turns: [], prompt: null, model: '', suggest: 'ticker', extract: false };
  const { tickers } = await provider.ask({ id: 'local-1' }, about, { signal: options.signal, questions: 1 });
  for (const word of ['OLD', 'MILL', 'BRIDGE', 'MAY', 'CLOSED']) expect(tickers).not.toContain(`$${word}`);
});
