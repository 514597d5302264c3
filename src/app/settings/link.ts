import * as v from 'valibot';
import type { SyntheticSettings } from '../../engine/protocol.ts';
import type { PrepareSettings, TrainSettings } from '../../model/settings.ts';
import { prepareSchema, settingsSchema, syntheticSchema } from './schema.ts';

/** What a link holds: settings and which built-in data; never data itself. */
export interface LinkState {
  readonly settings: TrainSettings;
  readonly prepare: PrepareSettings;
  readonly sample?: string;
  readonly synthetic?: SyntheticSettings;
}

const VERSION = '1';

const linkSchema = v.strictObject({
  settings: settingsSchema,
  prepare: prepareSchema,
  sample: v.optional(v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,40}$/))),
  synthetic: v.optional(syntheticSchema),
});

/** The location hash, with its '#': a version, then the state as JSON. */
export function writeLink({ settings, prepare, sample, synthetic }: LinkState): string {
  const { cost: _, classWeights, ...rest } = settings;
  const shared = { ...rest, classWeights: classWeights === 'balanced' ? classWeights : undefined };
  return `#${VERSION}:${encodeURIComponent(JSON.stringify({ settings: shared, prepare, sample, synthetic }))}`;
}

/**
 * Reads a location hash.
 * @returns undefined when the hash is empty
 * @throws Error saying what is wrong with the link; nothing of it is to be used then
 */
export function readLink(hash: string): LinkState | undefined {
  const text = hash.replace(/^#/, '');
  if (text === '') return undefined;
  const [version, body] = splitOnce(text, ':');
  if (version !== VERSION) throw new Error('This link was not written by this version of Dualgap.');
  let json: unknown;
  try {
    json = JSON.parse(decodeURIComponent(body));
  } catch {
    throw new Error('This link is cut off or damaged.');
  }
  const result = v.safeParse(linkSchema, json);
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw new Error(
    `This link has a setting that cannot be used: ${v.getDotPath(issue) ?? 'link'}. ${issue.message}.`,
  );
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
}
