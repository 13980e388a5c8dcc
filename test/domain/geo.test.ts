/** Areas on the earth against an oracle of its own: vectors in space, and boxes as many sampled points. */
import { describe, expect, test } from '@jest/globals';
import fc from '../support/property.ts';
import {
  areaContains,
  areaContainsBox,
  areaContainsPoint,
  boxOf,
  centreOf,
  distance,
  maxDistanceToBox,
  pointOf,
  type Box,
  type Point,
} from '../../server/domain/geo.ts';
import { rounds } from '../support/rounds.ts';

const earthRadius = 6_371_008.8;
type Vector = readonly [number, number, number];

/** The unit vector of a point. */
function vector({ longitude, latitude }: Point): Vector {
  const [east, north] = [(longitude * Math.PI) / 180, (latitude * Math.PI) / 180];
  return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)];
}

/** The angle between two vectors by the chord between them, and for far ones by the chord to the antipode, times the radius. */
function chordDistance(a: Point, b: Point): number {
  const [from, to] = [vector(a), vector(b)];
  const chord = Math.hypot(from[0] - to[0], from[1] - to[1], from[2] - to[2]);
  const other = Math.hypot(from[0] + to[0], from[1] + to[1], from[2] + to[2]);
  return earthRadius * (chord <= other ? 2 * Math.asin(chord / 2) : Math.PI - 2 * Math.asin(other / 2));
}

const width = ([west, , east]: Box): number => (west <= east ? east - west : east - west + 360);
const wrapped = (longitude: number): number => (longitude > 180 ? longitude - 360 : longitude);

/** Points of a box: a grid, its edges and corners included. */
function* pointsOf(box: Box, steps: number): Generator<Point, void> {
  for (let x = 0; x <= steps; x++) {
    for (let y = 0; y <= steps; y++) {
      yield {
        longitude: wrapped(box[0] + (width(box) * x) / steps),
        latitude: box[1] + ((box[3] - box[1]) * y) / steps,
      };
    }
  }
}

const whole = (most: number) => fc.integer({ min: -most, max: most });
const longitude = fc.oneof(
  fc.double({ min: -180, max: 180, noNaN: true }),
  whole(180),
  fc.constantFrom(-180, 180, 179.5, -179.5, 0),
);
const latitude = fc.oneof(fc.double({ min: -90, max: 90, noNaN: true }), whole(90), fc.constantFrom(-90, 90, 89.9, 0));
const point = fc.record({ longitude, latitude });
const box = fc
  .tuple(longitude, latitude, longitude, latitude)
  .map(([west, a, east, b]): Box => [west, Math.min(a, b), east, Math.max(a, b)]);

test('distances equal vector distances, also at poles and the antimeridian', () => {
  fc.assert(
    fc.property(point, point, (a, b) => {
      expect(Math.abs(distance(a, b) - chordDistance(a, b))).toBeLessThan(0.001);
    }),
    { numRuns: rounds(3000) },
  );
});

test.each<[string, Point, Point, number]>([
  ['Paris to London', { longitude: 2.3522, latitude: 48.8566 }, { longitude: -0.1276, latitude: 51.5072 }, 343_900],
  ['over the antimeridian', { longitude: 179.5, latitude: 0 }, { longitude: -179.5, latitude: 0 }, 111_195],
  ['over the pole', { longitude: 0, latitude: 89.5 }, { longitude: 180, latitude: 89.5 }, 111_195],
  ['at the pole', { longitude: 0, latitude: 90 }, { longitude: 77, latitude: 90 }, 0],
  ['to the antipode', { longitude: 10, latitude: 20 }, { longitude: -170, latitude: -20 }, 20_015_114],
])('%s', (_name, a, b, metres) => {
  expect(Math.abs(distance(a, b) - metres)).toBeLessThan(500);
});

/** Closer to an edge than this the two ways of counting may differ. */
const tolerance = 0.001;

test('a circle contains the points within its radius', () => {
  fc.assert(
    fc.property(point, point, fc.double({ min: 0, max: 21e6, noNaN: true }), (centre, other, metres) => {
      const exact = chordDistance(centre, other);
      fc.pre(Math.abs(exact - metres) > tolerance);
      expect(areaContainsPoint({ shape: 'circle', centre, metres }, other)).toBe(exact <= metres);
    }),
    { numRuns: rounds(3000) },
  );
});

test('the maximum distance to a box is exact', () => {
  const steps = 60;
  fc.assert(
    fc.property(box, point, (each, from) => {
      const farthest = Math.max(...Array.from(pointsOf(each, steps), (other) => chordDistance(from, other)));
      // Between two points of the grid lies less than half a cell more.
      const cell = (earthRadius * Math.hypot(width(each), each[3] - each[1]) * Math.PI) / 180 / steps;
      const delivered = maxDistanceToBox(each, from);
      expect(delivered).toBeGreaterThan(farthest - tolerance);
      expect(delivered).toBeLessThan(farthest + cell + tolerance);
      for (const metres of [farthest - 2 * tolerance, farthest + cell + 2 * tolerance]) {
        expect([metres, areaContainsBox({ shape: 'circle', centre: from, metres }, each)]).toEqual([
          metres,
          metres > farthest,
        ]);
      }
    }),
    { numRuns: rounds(150) },
  );
});

/** Whether a point lies in a box, counted in whole degrees eastward from its west. */
const inBox = ([west, south, east, north]: Box, { longitude: x, latitude: y }: Point): boolean => {
  if (y < south || y > north) return false;
  if (Math.abs(y) === 90 || east - west === 360) return true;
  const eastward = (to: number): number => (((to - west) % 360) + 360) % 360;
  // To 360 degrees, not 0, where the box has any width at all and ends where it began.
  return eastward(x) <= eastward(east) || eastward(x) === 0;
};

describe('boxes of whole degrees', () => {
  const wholePoint = fc.record({ longitude: whole(180), latitude: whole(90) });
  const wholeBox = fc
    .tuple(whole(180), whole(90), whole(180), whole(90))
    .map(([west, a, east, b]): Box => [west, Math.min(a, b), east, Math.max(a, b)]);

  test('contain the points within them', () => {
    fc.assert(
      fc.property(wholeBox, wholePoint, (each, other) => {
        expect(areaContainsPoint({ shape: 'box', box: each }, other)).toBe(inBox(each, other));
      }),
      { numRuns: rounds(5000) },
    );
  });

  test('contain another box if they contain all of its points', () => {
    const grown = wholeBox.chain((outer) =>
      fc
        .oneof(
          wholeBox,
          fc.tuple(fc.nat(8), fc.nat(8), fc.nat(8), fc.nat(8)).map(([a, b, c, d]): Box => {
            const along = (share: number): number => wrapped(outer[0] + Math.round((width(outer) * share) / 8));
            const up = (share: number): number => outer[1] + Math.round(((outer[3] - outer[1]) * share) / 8);
            return [along(Math.min(a, b)), up(Math.min(c, d)), along(Math.max(a, b)), up(Math.max(c, d))];
          }),
        )
        .map((inner) => [outer, inner] as const),
    );
    let held = 0;
    fc.assert(
      fc.property(grown, ([outer, inner]) => {
        // Each whole and half degree: what goes around the other way leaves the box on one of them.
        const longitudes = Array.from({ length: 2 * width(inner) + 1 }, (_, half) => wrapped(inner[0] + half / 2));
        const expected = [inner[1], inner[3]].every((y) =>
          longitudes.every((x) => inBox(outer, { longitude: x, latitude: y })),
        );
        const middle = (inner[1] + inner[3]) / 2;
        const all = expected && longitudes.every((x) => inBox(outer, { longitude: x, latitude: middle }));
        held += all ? 1 : 0;
        expect([outer, inner, areaContainsBox({ shape: 'box', box: outer }, inner)]).toEqual([outer, inner, all]);
      }),
      { numRuns: rounds(2000) },
    );
    expect(held).toBeGreaterThan(rounds(200));
  });
});

test('numbers out of range are not a point or box', () => {
  expect([
    pointOf(180.1, 0),
    pointOf(0, -90.1),
    pointOf(Number.NaN, 0),
    boxOf([0, 2, 1, 1]),
    boxOf([-181, 0, 0, 0]),
  ]).toEqual([undefined, undefined, undefined, undefined, undefined]);
  expect(boxOf([170, 0, -170, 1])).toEqual([170, 0, -170, 1]);
});

test('the centre of a box that crosses the antimeridian is in the box', () => {
  expect([centreOf([170, 0, -170, 10]), centreOf([160, 0, -178, 0]), centreOf([-20, -4, 10, 0])]).toEqual([
    { longitude: 180, latitude: 5 },
    { longitude: 171, latitude: 0 },
    { longitude: -5, latitude: -2 },
  ]);
});

test('the exact point takes precedence over the place', () => {
  const area = { shape: 'box' as const, box: [0, 0, 10, 10] as const };
  const [inside, outside]: [Box, Box] = [
    [1, 1, 2, 2],
    [20, 1, 21, 2],
  ];
  expect([
    areaContains(area, { point: { longitude: 30, latitude: 1 }, box: inside }),
    areaContains(area, { point: { longitude: 1, latitude: 1 }, box: outside }),
  ]).toEqual([false, true]);
  expect([
    areaContains(area, { point: undefined, box: inside }),
    areaContains(area, { point: undefined, box: [9, 1, 11, 2] }),
    areaContains(area, { point: undefined, box: undefined }),
  ]).toEqual([true, false, false]);
});
