/**
 * Points, boxes and areas on a spherical earth. Longitudes and latitudes are in degrees, distances in metres. A box
 * whose west is greater than its east crosses the antimeridian. At a pole all longitudes are the same point.
 */

export interface Point {
  /** From -180 to 180. */
  readonly longitude: number;
  /** From -90 to 90. */
  readonly latitude: number;
}

/** West, south, east, north. */
export type Box = readonly [west: number, south: number, east: number, north: number];

export type Area =
  | { readonly shape: 'circle'; readonly centre: Point; readonly metres: number }
  | { readonly shape: 'box'; readonly box: Box };

/** The location of a tweet: exact coordinates, the box of its place, both or neither. */
export interface Location {
  readonly point: Point | undefined;
  readonly box: Box | undefined;
}

/** The mean radius of the earth in metres (IUGG). */
export const earthRadius = 6_371_008.8;
const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** The point, or undefined if a number is out of range. */
export function pointOf(longitude: number, latitude: number): Point | undefined {
  return Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90 ? { longitude, latitude } : undefined;
}

/** The box, or undefined if a number is out of range or the south is greater than the north. */
export function boxOf([west, south, east, north]: Box): Box | undefined {
  const isValid = pointOf(west, south) !== undefined && pointOf(east, north) !== undefined && south <= north;
  return isValid ? [west, south, east, north] : undefined;
}

/**
 * The great-circle distance in metres by Vincenty's formula for a sphere, which is accurate for near and for antipodal
 * points.
 */
export function distance(a: Point, b: Point): number {
  const [from, to, longitudeDelta] = [radians(a.latitude), radians(b.latitude), radians(b.longitude - a.longitude)];
  const eastward = Math.cos(to) * Math.sin(longitudeDelta);
  const northward = Math.cos(from) * Math.sin(to) - Math.sin(from) * Math.cos(to) * Math.cos(longitudeDelta);
  const along = Math.sin(from) * Math.sin(to) + Math.cos(from) * Math.cos(to) * Math.cos(longitudeDelta);
  return earthRadius * Math.atan2(Math.hypot(eastward, northward), along);
}

/** The middle of a box by longitude and latitude. */
export function centreOf([west, south, east, north]: Box): Point {
  const middle = (west + (west <= east ? east : east + 360)) / 2;
  return { longitude: middle > 180 ? middle - 360 : middle, latitude: (south + north) / 2 };
}

const coversAllLongitudes = ([west, , east]: Box): boolean => east - west === 360;

function hasLongitude([west, , east]: Box, longitude: number): boolean {
  const has = (degrees: number): boolean =>
    west <= east ? degrees >= west && degrees <= east : degrees >= west || degrees <= east;
  // 180 and -180 are the same meridian.
  return has(longitude) || (Math.abs(longitude) === 180 && has(-longitude));
}

function boxContainsPoint(box: Box, { longitude, latitude }: Point): boolean {
  const [, south, , north] = box;
  return latitude >= south && latitude <= north && (Math.abs(latitude) === 90 || hasLongitude(box, longitude));
}

/** Whether the inner box lies completely in the outer box. */
function boxContainsBox(outer: Box, inner: Box): boolean {
  const [west, south, east, north] = inner;
  if (south < outer[1] || north > outer[3]) return false;
  if (coversAllLongitudes(outer) || (south === north && Math.abs(south) === 90)) return true;
  if (coversAllLongitudes(inner) || !hasLongitude(outer, west) || !hasLongitude(outer, east)) return false;
  // Both sides of the inner box lie in the outer box, but the inner box could extend around the earth between them.
  const eastward = (longitude: number): number => (longitude - outer[0] + 360) % 360;
  return eastward(west) <= eastward(east);
}

/** The distance from a point to the nearest point of the meridian between two latitudes. */
function distanceToMeridian(from: Point, longitude: number, south: number, north: number): number {
  const [latitude, longitudeDelta] = [radians(from.latitude), radians(from.longitude - longitude)];
  const [across, along] = [
    Math.cos(latitude) * Math.sin(longitudeDelta),
    Math.cos(latitude) * Math.cos(longitudeDelta),
  ];
  const foot = Math.atan2(Math.sin(latitude), along);
  if (foot >= radians(south) && foot <= radians(north)) {
    return earthRadius * Math.atan2(Math.abs(across), Math.hypot(Math.sin(latitude), along));
  }
  return Math.min(distance(from, { longitude, latitude: south }), distance(from, { longitude, latitude: north }));
}

/** The distance from a point to the nearest point of a box; 0 inside the box. */
function distanceToBox(from: Point, box: Box): number {
  const [west, south, east, north] = box;
  if (hasLongitude(box, from.longitude)) {
    return earthRadius * radians(Math.max(0, from.latitude - north, south - from.latitude));
  }
  return Math.min(distanceToMeridian(from, west, south, north), distanceToMeridian(from, east, south, north));
}

/** The distance from a point to the farthest point of a box. That point is the nearest one to the antipode. */
export function maxDistanceToBox(box: Box, { longitude, latitude }: Point): number {
  const antipode = { longitude: longitude > 0 ? longitude - 180 : longitude + 180, latitude: -latitude };
  return Math.PI * earthRadius - distanceToBox(antipode, box);
}

export const areaContainsPoint = (area: Area, point: Point): boolean =>
  area.shape === 'box' ? boxContainsPoint(area.box, point) : distance(area.centre, point) <= area.metres;

/** Whether a box lies completely in an area. */
export const areaContainsBox = (area: Area, box: Box): boolean =>
  area.shape === 'box' ? boxContainsBox(area.box, box) : maxDistanceToBox(box, area.centre) <= area.metres;

/** The southern and northern limits of an area in degrees, for a first selection: nothing beyond them is in the area. */
export function latitudesOf(area: Area): readonly [south: number, north: number] {
  if (area.shape === 'box') return [area.box[1], area.box[3]];
  const reach = (area.metres / earthRadius) * (180 / Math.PI) + 1e-6;
  return [area.centre.latitude - reach, area.centre.latitude + reach];
}

/**
 * Whether a tweet was posted in an area. An exact point decides if there is one. Otherwise the box of the place must
 * lie completely in the area, as in the platform's v2 API.
 */
export function areaContains(area: Area, { point, box }: Location): boolean {
  if (point !== undefined) return areaContainsPoint(area, point);
  return box !== undefined && areaContainsBox(area, box);
}
