/** The format `date-time` for all validators: that of Ajv, with a faster way for the format of the archive. */
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { parseIsoTime } from '../text/iso-time.ts';

const { validate } = fullFormats['date-time'] as { readonly validate: (text: string) => boolean };

export const dateTime = { validate: (text: string): boolean => !Number.isNaN(parseIsoTime(text)) || validate(text) };
