import {
  keyNameParam,
  keyParamViolations,
  keyPermissionsParam,
} from '../../domain/access/keyParams.ts'
import { MOST_LIVE_KEYS } from '../../domain/access/keys.ts'
import type { LimitedKey } from '../../domain/access/listApiKeys.ts'
import type { CreatedApiKey } from '../../domain/access/manageApiKeys.ts'
import {
  createApiKey,
  renameApiKey,
  revokeApiKey,
  rotateApiKey,
} from '../../domain/access/manageApiKeys.ts'
import {
  DEFAULT_OVERLAP_SECONDS,
  MOST_OVERLAP_SECONDS,
  overlapSecondsParam,
} from '../../domain/access/overlap.ts'
import { checkedBy } from '../argumentChecks.ts'
import { optional, required } from '../arguments.ts'
import { builder } from '../builder.ts'
import { mutationField } from '../declareRootField.ts'
import { fieldsOf, nonNull } from '../fieldsOf.ts'
import { withoutNulls } from '../withoutNulls.ts'
import { ApiKeyRef } from './apiKey.ts'

const SECRET =
  'The key as the header `x-api-key` takes it: `causeway_<publicId>_…`. It is not shown again.'

const CreatedApiKeyRef = builder.objectRef<CreatedApiKey>('CreatedApiKey').implement({
  description: 'A new API key and its secret.',
  fields: fieldsOf(() => ({
    apiKey: nonNull.of(ApiKeyRef, 'The key.'),
    secret: nonNull.string(SECRET),
  })),
})

const RotatedApiKeyRef = builder
  .objectRef<CreatedApiKey & { replaced: LimitedKey }>('RotatedApiKey')
  .implement({
    description: 'A new API key, its secret, and the key that it replaces.',
    fields: fieldsOf(() => ({
      apiKey: nonNull.of(ApiKeyRef, 'The new key.'),
      secret: nonNull.string(SECRET),
      replaced: nonNull.of(ApiKeyRef, 'The key before, which ends at its `expiresAt`.'),
    })),
  })

/** The argument that selects a key. */
const publicIdArgument = () => ({
  publicId: required.string('The `publicId` of the key.'),
})

const nameArgument = () => ({
  name: required.string('The purpose of the key, 1 to 100 characters.', {
    extensions: { value: keyNameParam },
  }),
})

mutationField('createApiKey', {
  type: CreatedApiKeyRef,
  description: `Creates an API key. Its secret is in this answer only. An organization has at most ${MOST_LIVE_KEYS} keys that work.`,
  args: {
    ...nameArgument(),
    permissions: required.of(
      ['String'],
      'The permissions of the key (docs/access.md): at most your own. Empty for requests that need none.',
      { extensions: { value: keyPermissionsParam } },
    ),
    expiresAt: optional.unixTime('The time at which the key ends. Without it, never.'),
  },
  extensions: checkedBy(keyParamViolations),
  resolve: (_, args, context) => createApiKey(context, withoutNulls(args)),
})

mutationField('rotateApiKey', {
  type: RotatedApiKeyRef,
  description:
    'Creates a key with the name and the permissions of another, which works on until the overlap ends. You need all of its permissions.',
  args: {
    ...publicIdArgument(),
    overlapSeconds: required.int(
      `Seconds for which the key before also works, 0 to ${MOST_OVERLAP_SECONDS} (seven days). Never longer than its own \`expiresAt\`.`,
      { defaultValue: DEFAULT_OVERLAP_SECONDS, extensions: { value: overlapSecondsParam } },
    ),
    expiresAt: optional.unixTime(
      'The time at which the new key ends. Without it, as the key before.',
    ),
  },
  extensions: checkedBy(keyParamViolations),
  resolve: (_, { publicId, ...params }, context) =>
    rotateApiKey(context, publicId, withoutNulls(params)),
})

mutationField('revokeApiKey', {
  type: ApiKeyRef,
  description:
    'Revokes an API key for good: within 5 seconds no process accepts it, and its streams end.',
  args: publicIdArgument(),
  resolve: (_, { publicId }, context) => revokeApiKey(context, publicId),
})

mutationField('renameApiKey', {
  type: ApiKeyRef,
  description: 'Gives an API key another name.',
  args: { ...publicIdArgument(), ...nameArgument() },
  extensions: checkedBy(keyParamViolations),
  resolve: (_, { publicId, name }, context) => renameApiKey(context, publicId, name),
})
