import {
  API_KEY_FILTER_KEYS,
  type ApiKeyPage,
  apiKeyQuery,
  listApiKeys,
} from '../../domain/access/listApiKeys.ts'
import { checkedByQuery } from '../argumentChecks.ts'
import { builder } from '../builder.ts'
import { pageCost } from '../fieldCost.ts'
import { listArguments, listParams } from '../listArguments.ts'
import { pageRef } from '../page.ts'
import { ApiKeyRef } from './apiKey.ts'

const ApiKeyPageRef = pageRef<ApiKeyPage>('ApiKeyPage', {
  description: 'A page of API keys, the newest first.',
  fields: (t) => ({
    apiKeys: t.expose('apiKeys', { type: [ApiKeyRef], description: 'The API keys.' }),
  }),
})

builder.queryField('apiKeys', (t) =>
  t.field({
    type: ApiKeyPageRef,
    nullable: true,
    complexity: pageCost('index'),
    description:
      'The API keys of your organization, the newest first, with those that have expired or were revoked.',
    args: listArguments(API_KEY_FILTER_KEYS),
    extensions: checkedByQuery(apiKeyQuery),
    resolve: (_, list, context) => listApiKeys(context, listParams(list)),
  }),
)
