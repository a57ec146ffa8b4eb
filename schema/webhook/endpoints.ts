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
import { WebhookEndpointRef } from './endpoint.ts'

const WebhookEndpointPageRef = builder
  .objectRef<WebhookEndpointPage>('WebhookEndpointPage')
  .implement({
    description: 'A page of webhook endpoints, oldest first.',
    fields: (t) => ({
      webhookEndpoints: t.expose('webhookEndpoints', {
        type: [WebhookEndpointRef],
        description: 'The endpoints.',
      }),
      nextPageToken: t.exposeString('nextPageToken', {
        nullable: true,
        description: 'What asks for the next page; null on the last.',
      }),
    }),
  })

builder.queryField('webhookEndpoints', (t) =>
  t.field({
    type: WebhookEndpointPageRef,
    nullable: true,
    complexity: pageCost('index'),
    description: "The organization's webhook endpoints, oldest first.",
    args: listArguments(ENDPOINT_FILTER_KEYS),
    extensions: checkedByQuery(endpointQuery),
    resolve: (_, list, context) => listEndpoints(context, listParams(list)),
  }),
)
