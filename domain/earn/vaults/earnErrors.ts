import type { Abi } from 'viem'
import { accountantAbi } from '../../../abis/accountant.ts'
import { depositorAbi, depositorBAbi } from '../../../abis/depositor.ts'
import { tellerAbi } from '../../../abis/teller.ts'
import { freezeHookAbi } from '../../../abis/vault.ts'
import { withdrawQueueAbi } from '../../../abis/withdrawQueue.ts'

/** All that a vault's contracts refuse with, by which a revert is read. */
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
