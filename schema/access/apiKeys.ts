import { type ApiKeyPage, apiKeyQuery, listApiKeys } from '../../domain/access/listApiKeys.ts'
import { nonNull } from '../fieldsOf.ts'
import { listField } from '../listField.ts'
import { pageRef } from '../page.ts'
import { ApiKeyRef } from './apiKey.ts'

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
