import type { KeyStatus } from '../../domain/access/apiKey.ts'
import {
  type ApiKeyPage,
  apiKeyQuery,
  type LimitedKey,
  listApiKeys,
} from '../../domain/access/listApiKeys.ts'
import { WINDOW_SECONDS } from '../../domain/limits/rateLimits.ts'
import type { Quota, Quotas } from '../../domain/limits/readQuotas.ts'
import { builder } from '../builder.ts'
import { enumType } from '../enumType.ts'
import { fieldsOf, nonNull, nullable } from '../fieldsOf.ts'
import { listField } from '../listField.ts'
import { pageRef } from '../page.ts'
import { RateLimitTierRef } from './rateLimitTier.ts'

const ApiKeyStatusRef = enumType<KeyStatus>('ApiKeyStatus', {
  description: 'Whether an API key works.',
  values: {
    ACTIVE: 'The key works.',
    EXPIRED: 'The time `expiresAt` has passed. Also the end of a rotated key.',
    REVOKED: 'The key was revoked.',
  },
})

const QuotaRef = builder.objectRef<Quota>('Quota').implement({
  description: `The points of one class of requests per window of ${WINDOW_SECONDS} seconds.`,
  fields: fieldsOf(() => ({
    limit: nullable.int('The points of a window. Null for no limit.'),
    remaining: nullable.int(
      'The points that are left now. A process reserves some in advance, which count as used. Null for no limit.',
    ),
    resetsAt: nullable.dateTime('The end of the present window. Null where none has begun.'),
  })),
})

const QuotasRef = builder.objectRef<Quotas>('ApiKeyLimits').implement({
  description: 'The quotas of an API key (docs/limits.md).',
  fields: fieldsOf(() => ({
    reads: nonNull.of(QuotaRef, 'Lists and single reads.'),
    prepare: nonNull.of(QuotaRef, 'Requests that read chains to prepare transactions.'),
    graphql: nonNull.of(QuotaRef, 'GraphQL, by the cost of operations.'),
  })),
})

export const ApiKeyRef = builder.objectRef<LimitedKey>('ApiKey').implement({
  description: 'An API key of your organization, without its secret.',
  fields: fieldsOf(() => ({
    publicId: nonNull.string('The id of the key: the second part of its text.'),
    name: nonNull.string('The purpose of the key. May be empty.'),
    permissions: nonNull.of(['String'], 'The permissions of the key (docs/access.md).'),
    status: nonNull.of(ApiKeyStatusRef, 'Whether the key works.'),
    tier: nonNull.of(RateLimitTierRef, 'The size of its quotas: that of the organization.'),
    limits: nonNull.of(QuotasRef, 'The quotas of the key, and what is left of them.'),
    createdAt: nonNull.dateTime('The time at which the key was created.'),
    createdBy: nullable.string(
      'The maker of the key: `member:<id>`, `key:<publicId>` or `operator`. Null where it is not known.',
    ),
    createdByName: nullable.string('The name of the member who made the key. Null for others.'),
    expiresAt: nullable.dateTime('The time at which the key ends. Null for never.'),
    revokedAt: nullable.dateTime('The time at which the key was revoked. Null where it was not.'),
    lastUsedAt: nullable.dateTime(
      'The time of the last request with the key, to the minute. Null before it.',
    ),
    rotatedFrom: nullable.string(
      'The `publicId` of the key that this one replaces. Null where there is none.',
    ),
    rotatedTo: nullable.string(
      'The `publicId` of the key that replaces this one. Null where there is none.',
    ),
  })),
})

const ApiKeyPageRef = pageRef<ApiKeyPage>('ApiKeyPage', {
  description: 'A page of API keys, the newest first.',
  fields: { apiKeys: nonNull.of([ApiKeyRef], 'The API keys.') },
})

listField('apiKeys', {
  type: ApiKeyPageRef,
  reads: 'index',
  description:
    'The API keys of your organization, the newest first, with those that have expired or were revoked.',
  query: apiKeyQuery,
  list: listApiKeys,
})
