import { oneIn } from '../api/search.ts'

/** The journeys of the page, in their order. */
export const JOURNEYS = {
  'from-anywhere': 'From anywhere',
  transit: 'Transit',
  deposit: 'Deposit',
  withdraw: 'Withdraw',
  'take-back': 'Take back',
} as const

/** Reads the search of an address; a journey that does not exist is left out. */
export function readJourneySearch(given: Record<string, unknown>) {
  return oneIn(given, 'journey', JOURNEYS)
}
