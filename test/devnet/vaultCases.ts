import { parseAbi, parseEther, parseUnits, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountantAbi } from '../../abis/accountant.ts'
import { depositorAbi } from '../../abis/depositor.ts'
import { tellerAbi } from '../../abis/teller.ts'
import { freezeHookAbi } from '../../abis/vault.ts'
import { withdrawQueueAbi } from '../../abis/withdrawQueue.ts'
import { type Attestation, depositInto, NO_ATTESTATION } from '../../devnet/vaults/depositInto.ts'
import { freezeHookOperatorAbi } from '../../devnet/vaults/operatorAbis.ts'
import { worldClient } from '../../devnet/world.ts'
import { revertChains } from '../support/revertChains.ts'
import { tokenAbi } from './localAbis.ts'
import { revertOf } from './revertOf.ts'
import { type Call, send, user } from './stationWorld.ts'
import {
  callOf,
  owner,
  prime,
  setRole,
  startVaultWorld,
  tokens,
  type VaultWorld,
} from './vaultWorld.ts'

const { teller, depositor, queue } = prime.current
const { USDC, USDG } = tokens
export const me = user(0)
export const other = user(1)
const BIG = parseEther('100000000')

/** The errors with which the contracts of a vault revert. */
export const errors = [
  ...depositorAbi,
  ...tellerAbi,
  ...accountantAbi,
  ...withdrawQueueAbi,
  ...freezeHookAbi,
  ...parseAbi([
    'error VaultMismatch(address offerAsset, address vault)',
    'error QueueMustBeEmpty()',
    'error SignatureExpired(uint256 deadline, uint256 currentTimestamp)',
  ]),
]

/** A call that reverts, with the steps that cause the revert. */
export type Case = {
  name: string
  prepare?: () => Promise<unknown>
  call: () => Call | Promise<Call>
  reverts: unknown[]
}

export let world: VaultWorld

/**
 * A world with 1000 shares, the solver role and all allowances for the first user, reset before each
 * test.
 */
export function useVaultWorld() {
  beforeAll(async () => {
    world = await startVaultWorld()
    await setRole(world, me.address, 'solver')
    const amount = parseUnits('1000', 6)
    await depositInto(world, { user: me, deployment: prime, asset: USDG, amount })
    await allow(me, USDG, depositor)
    await allow(me, USDC, depositor)
    await allow(me, prime.vault, queue)
  })
  afterAll(() => world?.stop())
  revertChains(() => [worldClient(world, 1)])
}

export function describeReverts(name: string, cases: Case[]) {
  describe(name, () => {
    test.each(cases)('error: $name', async ({ prepare, call, reverts }) => {
      await prepare?.()
      expect(await revertOf(world, 1, await call(), errors)).toEqual(reverts)
    })
  })
}

export function asOwner(
  address: `0x${string}`,
  abi: readonly unknown[],
  name: string,
  args: unknown[] = [],
) {
  return send(world, 1, callOf(owner, address, abi, name, args))
}

export function allow(account: typeof me, token: `0x${string}`, spender: `0x${string}`) {
  return send(world, 1, callOf(account, token, tokenAbi, 'approve', [spender, BIG]))
}

export function freeze(account: `0x${string}`) {
  return asOwner(prime.hook ?? zeroAddress, freezeHookOperatorAbi, 'setFrozen', [account, true])
}

type DepositOptions = {
  asset?: `0x${string}`
  amount?: bigint
  minimumMint?: bigint
  receiver?: `0x${string}`
  attestation?: Attestation
}

export function deposit(options: DepositOptions = {}, account = me): Call {
  const { asset = USDG, amount = 5_000_000n, minimumMint = 0n } = options
  const { receiver = account.address, attestation: given = NO_ATTESTATION } = options
  const args = [asset, amount, minimumMint, receiver, '0x', given]
  return callOf(account, depositor, depositorAbi, 'deposit', args)
}

type BulkOptions = {
  asset?: `0x${string}`
  shares?: bigint
  minimum?: bigint
  to?: `0x${string}`
}

export function bulkWithdraw(options: BulkOptions = {}, account = me): Call {
  const { asset = USDG, shares = parseEther('10'), minimum = 0n, to = account.address } = options
  return callOf(account, teller, tellerAbi, 'bulkWithdraw', [asset, shares, minimum, to])
}
