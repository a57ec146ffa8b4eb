import { apiKeysOptions, useAll } from '@causeway/sdk/react'
import { LIVE } from '../api/live.ts'

/** The API keys of the organization, the newest first. */
export function useKeys() {
  return useAll(apiKeysOptions, {}, LIVE)
}
