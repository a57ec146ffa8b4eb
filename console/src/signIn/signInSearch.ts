import { textsIn } from '../api/search.ts'

type SignInSearch = {
  /** The path that needed the sign-in. */
  to?: string
  /** Set by the provider's sign-in where it failed. */
  error?: string
  /** Set by the provider's sign-in where the account's code is still needed. */
  needsCode?: boolean
}

/** Reads the search of the page of sign-in; what does not fit is left out. */
export function readSignInSearch(given: Record<string, unknown>): SignInSearch {
  return {
    ...textsIn(given, 'to', 'error'),
    ...(given.needsCode === true ? { needsCode: true } : {}),
  }
}
