import { getAbiItem, type PublicClient, toFunctionSelector } from 'viem'
import { tellerAbi } from '../../../abis/teller.ts'
import { vaultAbi } from '../../../abis/vault.ts'
import { withdrawQueueAbi } from '../../../abis/withdrawQueue.ts'
import { mustRead } from '../../chain/gatheredReads.ts'
import type { KnownAddresses } from '../../chain/knownAddresses.ts'
import { mayCall } from '../../chain/mayCall.ts'
import type { EarnDeployment } from './deployments.ts'

/**
 * The calls that a vault's contracts make of each other. Without the role for one of them a deposit
 * reverts, although every getter answers as before, and a queue refunds each request that it reaches.
 */
const SELECTORS = {
  deposit: toFunctionSelector(getAbiItem({ abi: tellerAbi, name: 'deposit' })),
  bulkWithdraw: toFunctionSelector(getAbiItem({ abi: tellerAbi, name: 'bulkWithdraw' })),
  enter: toFunctionSelector(getAbiItem({ abi: vaultAbi, name: 'enter' })),
  exit: toFunctionSelector(getAbiItem({ abi: vaultAbi, name: 'exit' })),
}

/** Whether the depositor may deposit at the teller, and the teller mint at the vault. */
export async function readDepositPath(
  client: PublicClient,
  known: KnownAddresses,
  { chainId, vault, teller, depositor }: EarnDeployment,
): Promise<boolean> {
  const [mayDeposit, mayMint] = await Promise.all([
    mayCall(client, known, {
      chainId,
      caller: depositor,
      target: teller,
      selector: SELECTORS.deposit,
    }),
    mayCall(client, known, { chainId, caller: teller, target: vault, selector: SELECTORS.enter }),
  ])
  return mayDeposit && mayMint
}

/** Whether the queue may withdraw at its teller, and that teller burn at the vault. */
export function readQueuePath(
  client: PublicClient,
  known: KnownAddresses,
  { chainId, vault, teller, queue }: EarnDeployment,
): Promise<boolean> {
  const call = { address: queue, abi: withdrawQueueAbi } as const
  return known.follow(
    `queueTeller:${chainId}:${queue}`,
    () => mustRead(client, { ...call, functionName: 'tellerWithMultiAssetSupport' }),
    async (named) => {
      const target = named ?? teller
      const [mayWithdraw, mayBurn] = await Promise.all([
        mayCall(client, known, {
          chainId,
          caller: queue,
          target,
          selector: SELECTORS.bulkWithdraw,
        }),
        readMayBurn(client, known, { chainId, vault, teller: target }),
      ])
      return mayWithdraw && mayBurn
    },
  )
}

/** Whether a teller may burn shares at the vault: without it, nothing can be withdrawn by it. */
export function readMayBurn(
  client: PublicClient,
  known: KnownAddresses,
  { chainId, vault, teller }: Pick<EarnDeployment, 'chainId' | 'vault' | 'teller'>,
): Promise<boolean> {
  const call = { chainId, caller: teller, target: vault, selector: SELECTORS.exit }
  return mayCall(client, known, call)
}
