import type { SeededRandom } from '../support/seededRandom.ts'
import type { ChainTraffic } from './chainTraffic.ts'
import type { Installation } from './installation.ts'
import type { Receivers } from './receivers.ts'

/** The parts that a fault acts on. */
export type ChaosScene = {
  installation: Installation
  traffic: Pick<ChainTraffic, 'reorganise'>
  receivers: Receivers
  random: SeededRandom
}

export type StartedFault = {
  /** The fault, drawn from the seed, for the report. */
  detail: string
  /** Resolves when nothing fails any more; what failed may still have to recover. */
  end(): Promise<void>
}

export type FaultKind = {
  name: string
  /** While it lasts, reads may be refused with 503 or without an answer. No fault may make an answer wrong. */
  mayRefuse: boolean
  /** How long it lasts, in ms; null for one that is over at once, whose recovery counts from its start. */
  lastsMs: readonly [number, number] | null
  /** Whether no other fault happens at the same time, because the fault's own checks would see it. */
  isAlone?: true
  /** The most time until all is right again; without it any time. */
  mostBackMs?: number
  /** Null, or why it cannot be tried here. */
  missing: string | null
  start(scene: ChaosScene): Promise<StartedFault>
}

/** A fault that is over when it has begun. */
export const OVER_AT_ONCE = { lastsMs: null, missing: null } as const
