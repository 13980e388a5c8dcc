/**
 * The places and coordinates of tweets in v1.1 and v2. Leaves out invalid values, so that the rest of the tweet is
 * imported.
 */
import archive from '../../generated/archive.json' with { type: 'json' };
import type { ArchivedTweet, ArchiveRecord } from '../domain/records.ts';
import { boxOf, pointOf, type Box } from '../domain/geo.ts';
import { fields, withoutUndefined, placeId, text, type Fields } from './recognised.ts';
import { decoded } from './text.ts';

type Coordinates = ArchivedTweet['coordinates'];

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const numbers = (value: unknown): number[] => (Array.isArray(value) && value.every(isNumber) ? value : []);

/** The point of a GeoJSON object, whose coordinates are longitude and latitude. */
export function geoJsonPoint(value: unknown): Coordinates {
  const [longitude = Number.NaN, latitude = Number.NaN] = numbers(fields(value).coordinates);
  return pointOf(longitude, latitude);
}

/** The point of a v1.1 status. Its deprecated member `geo` has the latitude first. */
export function statusPoint(status: Fields): Coordinates {
  const [latitude = Number.NaN, longitude = Number.NaN] = numbers(fields(status.geo).coordinates);
  return geoJsonPoint(status.coordinates) ?? pointOf(longitude, latitude);
}

/**
 * The box of a GeoJSON polygon. The ring of a v1.1 place begins at the south-west corner; a ring whose first corner
 * lies more than 180 degrees to the east of its third crosses the antimeridian.
 */
function boxOfPolygon(polygon: Fields): Box | undefined {
  const rings: unknown[] = Array.isArray(polygon.coordinates) ? polygon.coordinates : [];
  const ring = Array.isArray(rings[0]) ? rings[0].map(numbers) : [];
  if (ring.length === 0 || ring.some((corner) => corner.length < 2)) return undefined;
  let box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [longitude = 0, latitude = 0] of ring) {
    const [west, south, east, north] = box;
    box = [Math.min(west, longitude), Math.min(south, latitude), Math.max(east, longitude), Math.max(north, latitude)];
  }
  const [[west = 0, south = 0] = [], , [east = 0, north = 0] = []] = ring;
  const crosses = ring.length >= 4 && west - east > 180 && south === box[1] && north === box[3];
  return boxOf(crosses ? [west, south, east, north] : box);
}

/** A box in the format of v2: west, south, east, north. */
function boxOfList(value: unknown): Box | undefined {
  const [west = Number.NaN, south = Number.NaN, east = Number.NaN, north = Number.NaN] = numbers(value);
  return boxOf([west, south, east, north]);
}

const limits = archive.components.schemas.ArchivedPlace.properties;

/** A text of at most this number of characters; undefined for any other value. */
function nameOf(value: unknown, { maxLength }: { readonly maxLength: number }): string | undefined {
  const name = decoded(text(value));
  return name === undefined || name.length > maxLength ? undefined : name;
}

/** The record of a v1.1 or v2 place; empty if the place has no id or no other usable member. */
export function placeRecord(place: Fields): ArchiveRecord[] {
  const id = placeId(place.id) ?? placeId(place.place_id);
  const box = boxOfList(fields(place.geo).bbox) ?? boxOfPolygon(fields(place.bounding_box));
  const code = text(place.country_code);
  const boundingBox: [number, number, number, number] | undefined = box && [...box];
  const details = withoutUndefined({
    name: nameOf(place.name, limits.name),
    full_name: nameOf(place.full_name, limits.full_name),
    country: nameOf(place.country, limits.country),
    country_code: code !== undefined && /^[A-Za-z]{2}$/.test(code) ? code : undefined,
    place_type: nameOf(place.place_type, limits.place_type),
    bounding_box: boundingBox,
  });
  return id === undefined || Object.keys(details).length === 0 ? [] : [{ kind: 'place', place: { id, ...details } }];
}
