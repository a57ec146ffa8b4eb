import type { GRAPHQL_CALLS } from '../generated/graphqlCalls.ts'

/** An operation that a journey sends. */
export type ShownOperation = keyof typeof GRAPHQL_CALLS

/** The name of each request for people, and its function of the client. */
export const OPERATIONS: Record<ShownOperation, { title: string; client: string }> = {
  getAuthorization: {
    title: 'How the station may take the token',
    client: 'transit.authorization',
  },
  getOrderQuote: { title: 'Quote', client: 'transit.quote' },
  getTransitOrder: { title: 'The order', client: 'transit.order' },
  getDepositAuthorization: {
    title: 'How the token may be taken',
    client: 'earn.authorization',
  },
  deposit: { title: 'Prepare the deposit', client: 'earn.prepareDeposit' },
  getJourney: { title: 'The journey', client: 'earn.journey' },
  withdraw: { title: 'Prepare the withdrawal', client: 'earn.prepareWithdrawal' },
  listWithdrawalRequests: {
    title: 'Find the withdrawal request',
    client: 'earn.withdrawalRequests',
  },
  getWithdrawalRequest: { title: 'The withdrawal request', client: 'earn.withdrawalRequest' },
  listUserPositions: { title: 'The position', client: 'earn.userPositions' },
}

export function isShown(operation: string): operation is ShownOperation {
  return operation in OPERATIONS
}

const LISTS: readonly ShownOperation[] = ['listWithdrawalRequests', 'listUserPositions']

export function isList(operation: ShownOperation): boolean {
  return LISTS.includes(operation)
}
