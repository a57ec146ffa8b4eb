import { listWebhookEndpoints } from '@causeway/sdk'
import { readAll } from '../api/readAll.ts'
import { LIVE_MS, useApi } from '../api/useApi.ts'

/** The webhook endpoints of the organization, as they are now. */
export function useEndpoints() {
  return useApi(
    (connection, options) =>
      readAll(listWebhookEndpoints(connection, { pageSize: 100 }, options), 'webhookEndpoints'),
    { key: ['webhook endpoints'], every: LIVE_MS },
  )
}
