import { ServiceError } from './serviceError.ts'

/** For `catch`: null if the chain's nodes do not answer; other errors are thrown. */
export function unlessUnavailable(error: unknown): null {
  if (error instanceof ServiceError && error.reason === 'RPC_UNAVAILABLE') return null
  throw error
}
