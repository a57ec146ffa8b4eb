import {
  endpointQuery,
  listEndpoints,
  type WebhookEndpointPage,
} from '../../domain/webhook/listEndpoints.ts'
import { nonNull } from '../fieldsOf.ts'
import { listField } from '../listField.ts'
import { pageRef } from '../page.ts'
import { WebhookEndpointRef } from './endpoint.ts'

const WebhookEndpointPageRef = pageRef<WebhookEndpointPage>('WebhookEndpointPage', {
  description: 'A page of webhook endpoints, the oldest first.',
  fields: { webhookEndpoints: nonNull.of([WebhookEndpointRef], 'The webhook endpoints.') },
})

listField('webhookEndpoints', {
  type: WebhookEndpointPageRef,
  reads: 'index',
  description: 'The webhook endpoints of your organization, the oldest first.',
  query: endpointQuery,
  list: listEndpoints,
})
