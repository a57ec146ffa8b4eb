import {
  type Abi,
  type Address,
  encodeFunctionData,
  getAbiItem,
  type Hex,
  type PublicClient,
  toEventSelector,
  toFunctionSelector,
  zeroAddress,
} from 'viem'
import { type ACCOUNTANT_GENERATIONS, accountantAbi } from '../../../abis/accountant.ts'
import {
  type DEPOSITOR_GENERATIONS,
  depositorAAbi,
  depositorAbi,
  depositorBAbi,
  depositorCAbi,
} from '../../../abis/depositor.ts'
import { type TELLER_GENERATIONS, tellerAAbi, tellerAbi } from '../../../abis/teller.ts'
import {
  type QUEUE_GENERATIONS,
  withdrawQueueAAbi,
  withdrawQueueAbi,
  withdrawQueueBAbi,
} from '../../../abis/withdrawQueue.ts'
import { tryRead } from '../../chain/gatheredReads.ts'
import { unlessRefused } from '../../chain/revert.ts'

/**
 * Finds a contract's generation by the getters that answer and, if they are the same, by the event
 * topics in its code. Each rule gives every generation that fits, oldest first: none for a contract of
 * another kind, several if the chain cannot distinguish them.
 */
export type DepositorGeneration = (typeof DEPOSITOR_GENERATIONS)[number]
export type QueueGeneration = (typeof QUEUE_GENERATIONS)[number]
export type TellerGeneration = (typeof TELLER_GENERATIONS)[number]
export type AccountantGeneration = (typeof ACCOUNTANT_GENERATIONS)[number]

type DepositorEvidence = {
  hasRegistry: boolean
  hasSupplyCap: boolean
  hasSupplyCapInBase: boolean
  code: Hex
}

const [DEPOSIT_OF_A] = depositorAAbi
const DEPOSITED = 'DepositWithDistributorCode'
const PROCESSED = 'OrderProcessed'
/** The last build of B has the getters and the event of C, but its fee is of another kind. */
const FEE_ERRORS = {
  B: toFunctionSelector('FeesExceedOrEqualShares()'),
  later: toFunctionSelector('FeesExceedOrEqualAmount()'),
}

/** The generations of depositors that fit the evidence. */
export function depositorGenerations(evidence: DepositorEvidence): DepositorGeneration[] {
  const { hasRegistry, hasSupplyCap, hasSupplyCapInBase, code } = evidence
  if (hasRegistry && hasSupplyCapInBase) {
    const taking = onlyConstant(code, FEE_ERRORS)
    if (taking === 'B') return ['B']
    const later = emitting(code, {
      C: topicOf(depositorCAbi, DEPOSITED),
      D: topicOf(depositorAbi, DEPOSITED),
    })
    return taking === 'later' || !later.includes('C') ? later : ['B', ...later]
  }
  if (hasRegistry) return hasSupplyCap ? ['B'] : []
  return code.includes(toFunctionSelector(DEPOSIT_OF_A).slice(2)) ? ['A'] : []
}

/** The generations of queues that fit the evidence. `isQueue`: the getters that all generations have answer. */
export function queueGenerations(evidence: {
  isQueue: boolean
  hasRecoveryAddress: boolean
  code: Hex
}): QueueGeneration[] {
  if (!evidence.isQueue) return []
  if (evidence.hasRecoveryAddress) return ['C']
  return emitting(evidence.code, {
    A: topicOf(withdrawQueueAAbi, PROCESSED),
    B: topicOf(withdrawQueueBAbi, PROCESSED),
  })
}

/** The generations of tellers that fit the flags per asset that the contract answers. */
export function tellerGenerations(evidence: {
  hasOneFlag: boolean
  hasTwoFlags: boolean
}): TellerGeneration[] {
  if (evidence.hasTwoFlags) return ['B']
  return evidence.hasOneFlag ? ['A'] : []
}

/** The generations of accountants whose state has this number of words. */
export function accountantGenerations(stateWords: number): AccountantGeneration[] {
  if (stateWords === 10) return ['A']
  return stateWords === 12 ? ['B'] : []
}

/** Finds out whether a contract is a depositor, and of which generation. */
export async function probeDepositor(
  client: PublicClient,
  address: Address,
): Promise<DepositorGeneration[]> {
  const contract = { address, abi: depositorAbi } as const
  const [hasRegistry, hasSupplyCapInBase, hasSupplyCap, code] = await Promise.all([
    answers(tryRead(client, { ...contract, functionName: 'getRegistry' })),
    answers(tryRead(client, { ...contract, functionName: 'supplyCapInBase' })),
    answers(tryRead(client, { address, abi: depositorBAbi, functionName: 'supplyCap' })),
    client.getCode({ address }),
  ])
  return depositorGenerations({ hasRegistry, hasSupplyCap, hasSupplyCapInBase, code: code ?? '0x' })
}

/** Finds out whether a contract is a withdraw queue, and of which generation. */
export async function probeQueue(
  client: PublicClient,
  address: Address,
): Promise<QueueGeneration[]> {
  const contract = { address, abi: withdrawQueueAbi } as const
  const [isQueue, hasRecoveryAddress, code] = await Promise.all([
    answers(tryRead(client, { ...contract, functionName: 'lastProcessedOrder' })),
    answers(tryRead(client, { ...contract, functionName: 'recoveryAddress' })),
    client.getCode({ address }),
  ])
  return queueGenerations({ isQueue, hasRecoveryAddress, code: code ?? '0x' })
}

/** Finds out whether a contract is a teller, and of which generation. */
export async function probeTeller(
  client: PublicClient,
  address: Address,
): Promise<TellerGeneration[]> {
  const args = [zeroAddress] as const
  const [hasOneFlag, hasTwoFlags] = await Promise.all([
    answers(tryRead(client, { address, abi: tellerAAbi, functionName: 'isSupported', args })),
    answers(tryRead(client, { address, abi: tellerAbi, functionName: 'isDepositSupported', args })),
  ])
  return tellerGenerations({ hasOneFlag, hasTwoFlags })
}

/** Finds out whether a contract is an accountant, and of which generation. */
export async function probeAccountant(
  client: PublicClient,
  address: Address,
): Promise<AccountantGeneration[]> {
  const data = encodeFunctionData({ abi: accountantAbi, functionName: 'accountantState' })
  const state = await unlessRefused(client.call({ to: address, data }))
  return accountantGenerations(((state?.data ?? '0x').length - 2) / 64)
}

/**
 * For generations with the same getters: those whose event is in the code, or all if it has neither or
 * both.
 */
function emitting<Generation extends string>(
  code: Hex,
  topics: Record<Generation, Hex>,
): Generation[] {
  const found = onlyConstant(code, topics)
  // Cast, because `Object.keys` gives the keys as texts.
  return found === null ? (Object.keys(topics) as Generation[]) : [found]
}

/** The one of these constants that is in the code, or null if none or several are. */
function onlyConstant<Name extends string>(code: Hex, constants: Record<Name, Hex>): Name | null {
  const names = Object.keys(constants) as Name[]
  const found = names.filter((name) => code.includes(constants[name].slice(2)))
  return found.length === 1 ? (found[0] ?? null) : null
}

function topicOf(abi: Abi, name: string): Hex {
  const event = getAbiItem({ abi, name })
  if (event?.type !== 'event') throw new Error(`Invariant(topicOf): no event ${name}`)
  return toEventSelector(event)
}

async function answers(read: Promise<unknown>): Promise<boolean> {
  return (await read) !== null
}
