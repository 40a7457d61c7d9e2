import {
  array,
  boolean,
  exactOptional,
  literal,
  number,
  type output,
  record,
  refine,
  strictObject,
  string,
  unknown,
  type ZodMiniType,
} from 'zod/mini';
import { isBase64 } from '../base64.ts';
import { RequestError } from './jsonBody.ts';
import { type FilterRole, filterRoles } from '../resources.ts';

const base64Content = string().check(refine(isBase64, { error: 'must be valid base64 without white space' }));
const objectMap = record(string(), unknown());
const ids = array(string());

const settingsBody = strictObject({
  sessionSettings: strictObject({
    model: exactOptional(string()),
    specModeModel: exactOptional(string()),
    runInWorktree: exactOptional(boolean()),
    providerLockTimestamp: exactOptional(string()),
    assistantActiveTimeMs: exactOptional(number()),
    childInclusiveTokenUsageBySessionId: exactOptional(objectMap),
    archivedAt: exactOptional(string()),
    tags: exactOptional(array(strictObject({ name: string(), metadata: exactOptional(objectMap) }))),
    enabledToolIds: exactOptional(ids),
    disabledToolIds: exactOptional(ids),
    compactionModel: exactOptional(string()),
    compactionThresholdCheckEnabled: exactOptional(boolean()),
  }),
});

const plainImage = strictObject({ type: literal('base64'), data: base64Content });
const typedImage = strictObject({ type: literal('base64'), data: base64Content, mediaType: string() });
const otherMessageFields = {
  text: string(),
  files: exactOptional(
    array(
      strictObject({
        type: literal('base64'),
        data: base64Content,
        mediaType: exactOptional(string()),
        parsedData: exactOptional(string()),
        name: exactOptional(string()),
        path: exactOptional(string()),
      }),
    ),
  ),
  computerId: exactOptional(string()),
};
const messageBodies = {
  rejected: strictObject({ ...otherMessageFields, images: exactOptional(array(plainImage)) }),
  required: strictObject({ ...otherMessageFields, images: exactOptional(array(typedImage)) }),
};

/** Whether an image must not have a `mediaType`, as in spec 4.4, or must have one. */
export type ImageMediaType = keyof typeof messageBodies;

/** The body of "Change settings" (spec 4.2). */
type SettingsBody = output<typeof settingsBody>;
/** The body of "Add a message" (spec 4.4). */
export interface MessageBody extends Omit<output<typeof messageBodies.required>, 'images'> {
  readonly images?: readonly { readonly data: string; readonly mediaType?: string }[];
}

/** @throws RequestError 400 that names the first invalid field. */
export const checkSettingsBody = (body: unknown): SettingsBody => check(settingsBody, body);
/** @throws RequestError 400 that names the first invalid field. */
export const checkMessageBody = (body: unknown, imageMediaType: ImageMediaType): MessageBody =>
  check<MessageBody>(messageBodies[imageMediaType], body);

/** The parameters of "List messages" (spec 4.3). The default of `limit` is 20. */
interface ListQuery {
  readonly limit: number;
  readonly cursor: string | undefined;
  readonly computerId: string | undefined;
  readonly role: FilterRole | undefined;
}

/** @throws RequestError 400 for an unknown, repeated, or invalid parameter. */
export function checkListQuery(query: URLSearchParams): ListQuery {
  const values = checkQuery(query, ['limit', 'cursor', 'computerId', 'role']);
  const limit = values.get('limit') ?? '20';
  if (!/^[1-9][0-9]{0,2}$/.test(limit) || Number(limit) > 100) {
    throw new RequestError(400, 'The parameter "limit" must be a whole number from 1 to 100.');
  }
  const role = values.get('role');
  const known = filterRoles.find((candidate) => candidate === role);
  if (role !== undefined && !known) {
    throw new RequestError(400, `The parameter "role" must be one of ${filterRoles.join(', ')}.`);
  }
  return { limit: Number(limit), cursor: values.get('cursor'), computerId: values.get('computerId'), role: known };
}

/**
 * Returns the parameters of a query by name.
 *
 * @throws RequestError 400 for a parameter that isn't in `allowed` or is repeated.
 */
export function checkQuery(query: URLSearchParams, allowed: readonly string[]): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [name, value] of query) {
    if (!allowed.includes(name)) throw new RequestError(400, `The parameter "${name}" is not known here.`);
    if (values.has(name)) throw new RequestError(400, `The parameter "${name}" is given more than once.`);
    values.set(name, value);
  }
  return values;
}

function check<T>(schema: ZodMiniType<T>, body: unknown): T {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new RequestError(400, issue ? reasonFor(issue) : 'The body is not what this call takes.');
}

const typeWords: ReadonlyMap<string, string> = new Map([
  ['array', 'an array'],
  ['boolean', 'true or false'],
  ['number', 'a number'],
  ['object', 'an object'],
  ['record', 'an object'],
  ['string', 'a string'],
]);

type Issue = NonNullable<ReturnType<ZodMiniType['safeParse']>['error']>['issues'][number];

function reasonFor(issue: Issue): string {
  const where = issue.path.length === 0 ? 'The body' : `The field "${fieldName(issue.path)}"`;
  if (issue.code === 'invalid_type') {
    return `${where} must be ${typeWords.get(issue.expected) ?? issue.expected}.`;
  }
  if (issue.code === 'invalid_value') {
    return `${where} must be ${issue.values.map((value) => `"${String(value)}"`).join(' or ')}.`;
  }
  if (issue.code === 'unrecognized_keys') {
    return `The field "${fieldName([...issue.path, issue.keys[0] ?? ''])}" is not accepted.`;
  }
  return `${where} ${issue.message}.`;
}

/** The path of a field, for example `files[0].data`. */
function fieldName(path: readonly PropertyKey[]): string {
  return path.reduce<string>((name, part) => {
    if (typeof part === 'number') return `${name}[${part}]`;
    return name === '' ? String(part) : `${name}.${String(part)}`;
  }, '');
}
