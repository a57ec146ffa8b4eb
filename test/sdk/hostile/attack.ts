import type { Address } from 'viem'
import type { ShieldReason } from '../../../sdk/src/shield/shieldError.ts'
import type { FlowName } from './flows.ts'

/** An answer that an attack changes as data. Its type would refuse what a hostile server may send. */
// biome-ignore lint/suspicious/noExplicitAny: each attack knows the fields of its answer.
export type Altered = any

/** What a hostile server answers in a flow, and the reason for which the shield must refuse it. */
export type Attack = {
  name: string
  flow: FlowName
  /** The end of the path whose answer is altered. Empty for every answer. */
  path: string
  alter: (answer: Altered, world: AttackedWorld) => unknown
  reason: ShieldReason
}

/** The addresses that attacks need. */
export type AttackedWorld = {
  attacker: Address
  station: Address
  user: Address
  tokens: Record<'USDC' | 'USDT' | 'USDG' | 'USDP', Address>
  vault: Address
  depositor: Address
  queue: Address
  otherVault: { vault: Address; queue: Address; depositor: Address }
  /** The deposit address of the attacker in the same vault. */
  attackersDepositAddress: Address
  depositAddressOfOtherVault: Address
}

export const ATTACKER: Address = '0x00000000000000000000000000000000badbad00'
