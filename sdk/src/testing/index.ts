export { connectLocalWorld, type LocalWorld } from './connectLocalWorld.ts'
export type { FundParameters } from './fundAccount.ts'
export { LocalWorldError } from './localWorldError.ts'
export type { Outcome, Outcomes } from './outcomes.ts'
