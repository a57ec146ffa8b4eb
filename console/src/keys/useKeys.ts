import { listApiKeys } from '@causeway/sdk'
import { readAll } from '../api/readAll.ts'
import { LIVE_MS, useApi } from '../api/useApi.ts'

/** The first part of the key of this read. */
export const API_KEYS = 'api keys'

/** The API keys of the organization, the newest first. */
export function useKeys() {
  return useApi(
    (connection, options) =>
      readAll(listApiKeys(connection, { pageSize: 100 }, options), 'apiKeys'),
    { key: [API_KEYS], every: LIVE_MS },
  )
}
