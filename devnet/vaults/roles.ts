import { type AbiFunction, type Hex, toFunctionSelector } from 'viem'
import { depositorAAbi, depositorAbi } from '../../abis/depositor.ts'
import { withdrawQueueAbi } from '../../abis/withdrawQueue.ts'

/** The role numbers of the deployed vaults, except the last, which their scripts never grant. */
export const VAULT_ROLES = {
  manager: 2,
  teller: 3,
  rateUpdater: 4,
  solver: 5,
  pauser: 6,
  depositor: 7,
  queueProcessor: 9,
  freezeManager: 10,
  directWithdrawer: 20,
}

/** The selector of a function that takes structs, from the ABI that has it. */
export function selectorOf(abi: readonly unknown[], name: string): Hex {
  const found = (abi as AbiFunction[]).find(
    (item) => item.type === 'function' && item.name === name,
  )
  if (!found) throw new Error(`Invariant(selectorOf): the ABI has no ${name}`)
  return toFunctionSelector(found)
}

const DEPOSITS = ['deposit', 'depositWithPermit', 'depositNative']

/** The functions of a depositor and of a queue that everybody may call. */
export const PUBLIC_FUNCTIONS = {
  depositor: {
    HEAD: DEPOSITS.map((name) => selectorOf(depositorAbi, name)),
    A: [
      ...DEPOSITS.slice(0, 2).map((name) => selectorOf(depositorAAbi, name)),
      toFunctionSelector('depositNative(uint256,uint256,address,bytes)'),
    ],
  },
  queue: ['submitOrder', 'cancelOrder', 'cancelOrderWithSignature'].map((name) =>
    selectorOf(withdrawQueueAbi, name),
  ),
}
