import {
  ENDPOINT_FILTER_KEYS,
  endpointQuery,
  listEndpoints,
  type WebhookEndpointPage,
} from '../../domain/webhook/listEndpoints.ts'
import { checkedByQuery } from '../argumentChecks.ts'
import { builder } from '../builder.ts'
import { pageCost } from '../fieldCost.ts'
import { listArguments, listParams } from '../listArguments.ts'
import { pageRef } from '../page.ts'
import { WebhookEndpointRef } from './endpoint.ts'

const WebhookEndpointPageRef = pageRef<WebhookEndpointPage>('WebhookEndpointPage', {
  description: 'A page of webhook endpoints, the oldest first.',
  fields: (t) => ({
    webhookEndpoints: t.expose('webhookEndpoints', {
      type: [WebhookEndpointRef],
      description: 'The webhook endpoints.',
    }),
  }),
})

builder.queryField('webhookEndpoints', (t) =>
  t.field({
    type: WebhookEndpointPageRef,
    nullable: true,
    complexity: pageCost('index'),
    description: 'The webhook endpoints of your organization, the oldest first.',
    args: listArguments(ENDPOINT_FILTER_KEYS),
    extensions: checkedByQuery(endpointQuery),
    resolve: (_, list, context) => listEndpoints(context, listParams(list)),
  }),
)
