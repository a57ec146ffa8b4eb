import { useAll, webhookEndpointsOptions } from '@causeway/sdk/react'
import { LIVE } from '../api/live.ts'

/** The webhook endpoints of the organization, as they are now. */
export function useEndpoints() {
  return useAll(webhookEndpointsOptions, {}, LIVE)
}
