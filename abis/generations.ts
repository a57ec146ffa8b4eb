import { type Abi, parseAbi } from 'abitype'
import type { Hex } from 'viem'
import { type ACCOUNTANT_GENERATIONS, accountantAAbi, accountantAbi } from './accountant.ts'
import {
  type DEPOSITOR_GENERATIONS,
  depositorAAbi,
  depositorAbi,
  depositorBAbi,
  depositorCAbi,
} from './depositor.ts'
import { type TELLER_GENERATIONS, tellerAAbi, tellerAbi } from './teller.ts'
import {
  type QUEUE_GENERATIONS,
  withdrawQueueAAbi,
  withdrawQueueAbi,
  withdrawQueueBAbi,
} from './withdrawQueue.ts'

type AbisOf<Generations extends readonly string[]> = Record<Generations[number], Abi>

/** The ABI of every generation of the contracts around a vault, by the address book's names for both. */
export const VAULT_ABIS = {
  tellers: { A: tellerAAbi, B: tellerAbi } satisfies AbisOf<typeof TELLER_GENERATIONS>,
  accountants: { A: accountantAAbi, B: accountantAbi } satisfies AbisOf<
    typeof ACCOUNTANT_GENERATIONS
  >,
  depositors: {
    A: depositorAAbi,
    B: depositorBAbi,
    C: depositorCAbi,
    D: depositorAbi,
  } satisfies AbisOf<typeof DEPOSITOR_GENERATIONS>,
  queues: {
    A: withdrawQueueAAbi,
    B: withdrawQueueBAbi,
    C: withdrawQueueAbi,
  } satisfies AbisOf<typeof QUEUE_GENERATIONS>,
} as const

const KYT_STATUS_ABIS = {
  indexed: parseAbi(['event KytStatusUpdated(address indexed depositAsset, bool indexed enabled)']),
  inData: parseAbi(['event KytStatusUpdated(address indexed depositAsset, bool enabled)']),
}

/**
 * The layout of a `KytStatusUpdated` log. Two layouts have the same topic0, since `indexed` is not part of
 * it. It is not known which contracts have `enabled` in the data, so the number of topics decides.
 */
export function kytStatusAbi(topics: readonly Hex[]) {
  return topics.length === 3 ? KYT_STATUS_ABIS.indexed : KYT_STATUS_ABIS.inData
}
