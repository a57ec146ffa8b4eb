/** The journeys of the page, in their order. */
export const JOURNEYS = ['from-anywhere', 'transit', 'deposit', 'withdraw', 'take-back'] as const

export type JourneyName = (typeof JOURNEYS)[number]
