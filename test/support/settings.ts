import type { Settings } from '../../domain/context.ts'

/** The defaults of the environment. */
export const SETTINGS: Settings = {
  quoteTtlSeconds: 600,
  permitTtlSeconds: 3_600,
  messageFeeHeadroomPercent: 10,
  depositSlippageBps: 50,
}
