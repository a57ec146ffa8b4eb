import type { KeyStatus } from '../../domain/access/apiKey.ts'
import type { LimitedKey } from '../../domain/access/listApiKeys.ts'
import { WINDOW_SECONDS } from '../../domain/limits/rateLimits.ts'
import type { Quota, Quotas } from '../../domain/limits/readQuotas.ts'
import { builder } from '../builder.ts'
import { enumType } from '../enumType.ts'
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
  fields: (t) => ({
    limit: t.exposeInt('limit', {
      nullable: true,
      description: 'The points of a window. Null for no limit.',
    }),
    remaining: t.exposeInt('remaining', {
      nullable: true,
      description:
        'The points that are left now. A process reserves some in advance, which count as used. Null for no limit.',
    }),
    resetsAt: t.expose('resetsAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The end of the present window. Null where none has begun.',
    }),
  }),
})

const QuotasRef = builder.objectRef<Quotas>('ApiKeyLimits').implement({
  description: 'The quotas of an API key (docs/limits.md).',
  fields: (t) => ({
    reads: t.expose('reads', { type: QuotaRef, description: 'Lists and single reads.' }),
    prepare: t.expose('prepare', {
      type: QuotaRef,
      description: 'Requests that read chains to prepare transactions.',
    }),
    graphql: t.expose('graphql', {
      type: QuotaRef,
      description: 'GraphQL, by the cost of operations.',
    }),
  }),
})

export const ApiKeyRef = builder.objectRef<LimitedKey>('ApiKey').implement({
  description: 'An API key of your organization, without its secret.',
  fields: (t) => ({
    publicId: t.exposeString('publicId', {
      description: 'The id of the key: the second part of its text.',
    }),
    name: t.exposeString('name', { description: 'The purpose of the key. May be empty.' }),
    permissions: t.exposeStringList('permissions', {
      description: 'The permissions of the key (docs/access.md).',
    }),
    status: t.expose('status', { type: ApiKeyStatusRef, description: 'Whether the key works.' }),
    tier: t.expose('tier', {
      type: RateLimitTierRef,
      description: 'The size of its quotas: that of the organization.',
    }),
    limits: t.expose('limits', {
      type: QuotasRef,
      description: 'The quotas of the key, and what is left of them.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'The time at which the key was created.',
    }),
    createdBy: t.exposeString('createdBy', {
      nullable: true,
      description:
        'The maker of the key: `member:<id>`, `key:<publicId>` or `operator`. Null where it is not known.',
    }),
    createdByName: t.exposeString('createdByName', {
      nullable: true,
      description: 'The name of the member who made the key. Null for others.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time at which the key ends. Null for never.',
    }),
    revokedAt: t.expose('revokedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time at which the key was revoked. Null where it was not.',
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time of the last request with the key, to the minute. Null before it.',
    }),
    rotatedFrom: t.exposeString('rotatedFrom', {
      nullable: true,
      description: 'The `publicId` of the key that this one replaces. Null where there is none.',
    }),
    rotatedTo: t.exposeString('rotatedTo', {
      nullable: true,
      description: 'The `publicId` of the key that replaces this one. Null where there is none.',
    }),
  }),
})
