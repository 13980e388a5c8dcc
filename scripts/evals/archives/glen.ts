/**
 * A valley with three conversations that invite untrue answers: a boil notice with sarcasm, quoted claims, two people called Anna,
 * numbers with units, and replies in another language; a festival in German, asked about in English and Spanish; and a report that its
 * newspaper corrects.
 */
import { recordsOf, type Person, type Row } from './rows.ts';

const people: readonly Person[] = [
  ['glen_water', 'Glen Water', 'Water company of the Glen.', 8100],
  ['anna_berg', 'Anna Berg', 'Chemist.', 900],
  ['anna_dunn', 'Anna Dunn', 'Hairdresser on High Street.', 150],
  ['pat_quill', 'Pat Quill', 'Columnist.', 3100],
  ['daily_glen', 'The Daily Glen', 'News of the valley.', 15_500],
  ['tomas_r', 'Tomás', '', 88],
  ['lena_h', 'Lena', 'Lehrerin.', 140],
  ['mo_k', 'Mo', '', 20],
  ['fest_platz', 'Festplatz Nord', 'Feste, Märkte, Konzerte.', 2500],
  ['rosa_m', 'Rosa', 'Camarera.', 75],
];
const de = { lang: 'de' };
const es = { lang: 'es' };

const notice: readonly Row[] = [
  [
    '910001',
    'glen_water',
    '2026-03-02T08:00:00Z',
    'Please boil tap water in Upper Glen until further notice. A sample of Friday had too many bacteria. #glenwater',
    { likes: 410, reposts: 300 },
  ],
  [
    '910002',
    'anna_berg',
    '2026-03-02T08:20:00Z',
    '@glen_water The limit is 0 per 100 ml, your sample had 12. What about the school?',
    { to: '910001', likes: 75 },
  ],
  [
    '910003',
    'glen_water',
    '2026-03-02T08:45:00Z',
    '@anna_berg The school gets 1.5k bottles a day from us, free of charge.',
    { to: '910002', likes: 48 },
  ],
  [
    '910004',
    'anna_dunn',
    '2026-03-02T09:00:00Z',
    '@glen_water Oh great, exactly what a hairdresser needs. Well done, really.',
    { to: '910001', likes: 60 },
  ],
  [
    '910005',
    'pat_quill',
    '2026-03-02T09:30:00Z',
    '“The water is perfectly safe”, they told us on Thursday. I have the letter here.',
    { quotes: '910001', likes: 130 },
  ],
  [
    '910006',
    'mo_k',
    '2026-03-02T10:00:00Z',
    '@glen_water My neighbour says you knew it since January.',
    { to: '910001', likes: 22 },
  ],
  [
    '910007',
    'glen_water',
    '2026-03-02T10:20:00Z',
    '@mo_k That is wrong. The first bad sample is from 27 February, and we told everybody within three days.',
    { to: '910006', likes: 90 },
  ],
  [
    '910011',
    'anna_berg',
    '2026-03-02T10:40:00Z',
    '@mo_k No, the January samples are public and all were clean.',
    { to: '910006', likes: 31 },
  ],
  [
    '910008',
    'daily_glen',
    '2026-03-02T12:00:00Z',
    '3 % of the 2,400 households in Upper Glen have a filter of their own, says the council.',
    { quotes: '910001', likes: 55 },
  ],
  ['910009', 'tomas_r', '2026-03-02T13:00:00Z', '@glen_water ¿Y puedo ducharme?', { ...es, to: '910001', likes: 12 }],
  [
    '910010',
    'glen_water',
    '2026-03-02T13:15:00Z',
    '@tomas_r Sí, ducharse no es peligroso. Solo hay que hervir el agua que se bebe.',
    { ...es, to: '910009', likes: 19 },
  ],
  [
    '910013',
    'glen_water',
    '2026-03-05T18:00:00Z',
    'Boil notice, day 4: engineers empty the tank at Birk Hill tonight. Expect low pressure from 22:00. #glenwater',
    { likes: 77 },
  ],
  [
    '910012',
    'glen_water',
    '2026-03-09T09:00:00Z',
    'All clear: five samples in a row are clean, no need to boil water in Upper Glen any more. The cause was a cracked lid on the tank at Birk Hill. #glenwater',
    { likes: 620 },
  ],
  [
    '910014',
    'tomas_r',
    '2026-03-09T09:20:00Z',
    '@glen_water Gracias. ¿Nos descuentan algo en la factura?',
    { ...es, to: '910012', likes: 14 },
  ],
  [
    '910015',
    'glen_water',
    '2026-03-09T09:40:00Z',
    '@tomas_r Sí, ocho euros por hogar, sin pedir nada.',
    { ...es, to: '910014', likes: 25 },
  ],
];

const festival: readonly Row[] = [
  [
    '920001',
    'fest_platz',
    '2026-06-10T10:00:00Z',
    'Das Sommerfest findet am 4. Juli statt. Der Eintritt kostet 6 Euro, Kinder unter zwölf zahlen nichts. #sommerfest',
    { ...de, likes: 85 },
  ],
  [
    '920002',
    'lena_h',
    '2026-06-10T10:20:00Z',
    '@fest_platz Darf man eigene Getränke mitbringen?',
    { ...de, to: '920001', likes: 9 },
  ],
  [
    '920003',
    'fest_platz',
    '2026-06-10T10:40:00Z',
    '@lena_h Wasser ja, Alkohol nein. Glasflaschen bleiben draußen.',
    { ...de, to: '920002', likes: 11 },
  ],
  ['920004', 'mo_k', '2026-06-10T11:00:00Z', '@fest_platz Who plays in the evening?', { to: '920001', likes: 6 }],
  [
    '920005',
    'fest_platz',
    '2026-06-10T11:30:00Z',
    '@mo_k The Copper Lions at eight, a choir from Ghent before them.',
    { to: '920004', likes: 14 },
  ],
  [
    '920006',
    'rosa_m',
    '2026-06-10T12:00:00Z',
    '@fest_platz Otra vez sin baños suficientes, seguro.',
    { ...es, to: '920001', likes: 17 },
  ],
  [
    '920007',
    'lena_h',
    '2026-06-10T12:30:00Z',
    '@rosa_m Stimmt nicht, letztes Jahr waren es dreißig.',
    { ...de, to: '920006', likes: 8 },
  ],
  [
    '920008',
    'fest_platz',
    '2026-07-03T15:00:00Z',
    'Wegen der Hitze beginnt das Sommerfest morgen erst um 17 Uhr. #sommerfest',
    { ...de, likes: 120 },
  ],
  [
    '920009',
    'fest_platz',
    '2026-07-05T09:00:00Z',
    'Danke an 5.300 Gäste! Gefunden wurden elf Regenschirme und ein Gebiss. #sommerfest',
    { ...de, likes: 210 },
  ],
];

const report: readonly Row[] = [
  [
    '930001',
    'daily_glen',
    '2026-04-01T09:00:00Z',
    'Mayor Ida Lund resigns, three people in the town hall tell us.',
    { likes: 220, reposts: 95 },
  ],
  [
    '930002',
    'pat_quill',
    '2026-04-01T09:20:00Z',
    "@daily_glen The mayor's brother Jon Lund says she only takes a week off.",
    { to: '930001', likes: 61 },
  ],
  ['930003', 'anna_dunn', '2026-04-01T09:30:00Z', '@daily_glen Is this an April fool?', { to: '930001', likes: 44 }],
  [
    '930004',
    'daily_glen',
    '2026-04-01T10:00:00Z',
    "@anna_dunn No, but we still wait for the mayor's statement.",
    { to: '930003', likes: 20 },
  ],
  ['930006', 'mo_k', '2026-04-01T11:00:00Z', '@daily_glen Good riddance!', { to: '930001', likes: 13 }],
  [
    '930005',
    'daily_glen',
    '2026-04-02T08:00:00Z',
    'Update to our report on Mayor Lund: she does not resign. She leaves the party and stays in office until 2029.',
    { likes: 500 },
  ],
  [
    '930007',
    'lena_h',
    '2026-04-02T08:30:00Z',
    '@daily_glen Habt ihr vorher nicht im Rathaus nachgefragt?',
    { ...de, to: '930005', likes: 18 },
  ],
  [
    '930008',
    'daily_glen',
    '2026-04-02T09:00:00Z',
    '@lena_h Doch, zweimal. Das Büro hat erst am Abend geantwortet.',
    { ...de, to: '930007', likes: 16 },
  ],
];

export const glen = recordsOf(people, [...notice, ...festival, ...report], [['910001', 'daily_glen']]);
