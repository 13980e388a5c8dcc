/** The path of a media file at this service, by its name. */
export const mediaPath = (name: string): string => `/media/${name}`;
