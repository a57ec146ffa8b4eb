import type { Abi } from 'viem'
import { accountantAbi } from '../../../abis/accountant.ts'
import { depositorAbi, depositorBAbi } from '../../../abis/depositor.ts'
import { tellerAbi } from '../../../abis/teller.ts'
import { freezeHookAbi } from '../../../abis/vault.ts'
import { withdrawQueueAbi } from '../../../abis/withdrawQueue.ts'

/** The errors of all contracts of a vault, to decode a revert. */
export const EARN_ERRORS: Abi = [
  depositorAbi,
  depositorBAbi,
  tellerAbi,
  accountantAbi,
  withdrawQueueAbi,
  freezeHookAbi,
]
  .flat()
  .filter(({ type }) => type === 'error')
