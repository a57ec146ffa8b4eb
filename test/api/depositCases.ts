import { join } from 'node:path'
import { type LocalAccount, zeroAddress } from 'viem'
import { expect } from 'vitest'
import { depositorAbi } from '../../abis/depositor.ts'
import { compileContracts } from '../../contracts/compileContracts.ts'
import { DEVNET_ACTORS, DEVNET_REFUSED_USER, userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { VAULT_CHAINS, vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { selectorOf, VAULT_ROLES } from '../../devnet/vaults/roles.ts'
import type { DepositCall } from '../../domain/earn/deposits/prepareDeposit.ts'
import { asOwner, callAs, type EarnClient, freeze } from '../support/earn.ts'
import type { Refusal } from '../support/refusal.ts'

const USER = userAt(0)
const { tokens } = DEPLOYMENT
const dollar = vaultDeployment('Harbor Dollar', 1).current
const REGISTRY = VAULT_CHAINS.find(({ chainId }) => chainId === 1)?.registry ?? zeroAddress
const prime = vaultDeployment('Harbor Prime', 1)
const cap = 5_000_000n * 10n ** 18n

export type DepositCase = Refusal & {
  name: string
  vault?: string
  chainId?: number
  /** Changes the chain before the request. */
  prepare?: (client: EarnClient) => Promise<unknown>
  user?: LocalAccount
  parameters?: Record<string, string>
  /** The revert of the same deposit on chain; absent if the chain does not enforce the rule. */
  forced?: Partial<DepositCall>
  reverts?: unknown[]
}

/** Every reason to refuse a deposit. */
export const DEPOSIT_CASES: DepositCase[] = [
  {
    name: 'a teller that is paused',
    prepare: (client) => asOwner(client, dollar.teller, ['function pause()']),
    reason: 'VAULT_PAUSED',
    forced: {},
    reverts: ['TellerWithMultiAssetSupport__Paused'],
  },
  {
    name: 'an accountant that is paused',
    prepare: (client) => asOwner(client, dollar.accountant, ['function pause()']),
    reason: 'VAULT_PAUSED',
    forced: {},
    reverts: ['AccountantWithRateProviders__Paused'],
  },
  {
    name: 'a depositor that takes nothing of the public',
    prepare: (client) =>
      asOwner(client, client.deployment.authority, [
        'function setPublicCapability(address, bytes4, bool)',
        dollar.depositor,
        selectorOf(depositorAbi, 'deposit'),
        false,
      ]),
    reason: 'VAULT_PAUSED',
    forced: {},
    reverts: ['Error', 'UNAUTHORIZED'],
  },
  ...(['depositor', 'teller'] as const).map((contract) => ({
    name: `a ${contract} that has lost its role`,
    prepare: (client: EarnClient) =>
      asOwner(client, client.deployment.authority, [
        'function setUserRole(address, uint8, bool)',
        dollar[contract],
        VAULT_ROLES[contract],
        false,
      ]),
    reason: 'VAULT_NOT_CONNECTED' as const,
    forced: {},
    reverts: ['Error', 'UNAUTHORIZED'],
  })),
  {
    name: 'an asset that the teller takes no more',
    prepare: (client) =>
      asOwner(client, dollar.teller, ['function removeDepositAsset(address)', tokens.USDC]),
    reason: 'ASSET_NOT_DEPOSITABLE',
    metadata: { asset: tokens.USDC },
    fields: ['depositAsset'],
    forced: {},
    reverts: ['TellerWithMultiAssetSupport__AssetNotSupported'],
  },
  {
    name: 'an asset that takes a fee from transfers',
    prepare: takeFees,
    reason: 'ASSET_NOT_DEPOSITABLE',
    metadata: { asset: tokens.USDC, amount: '2000000000', arriving: '1980000000' },
    fields: ['depositAsset'],
    forced: {},
    reverts: ['Error', 'TRANSFER_FROM_FAILED'],
  },
  {
    name: 'an asset that takes a fee from transfers, simulated',
    prepare: takeFees,
    parameters: { simulate: 'true' },
    reason: 'ASSET_NOT_DEPOSITABLE',
    metadata: { asset: tokens.USDC, amount: '2000000000', arriving: '1980000000' },
    fields: ['depositAsset'],
  },
  {
    name: 'an asset that the vault does not know',
    parameters: { depositAsset: tokens.USDS },
    reason: 'ASSET_NOT_DEPOSITABLE',
    metadata: { asset: tokens.USDS },
    fields: ['depositAsset'],
    forced: { asset: tokens.USDS },
    reverts: ['TellerWithMultiAssetSupport__AssetNotSupported'],
  },
  {
    name: 'a deployment that is deprecated',
    vault: 'Harbor Sunset',
    chainId: 11_155_111,
    parameters: { depositAsset: tokens.USDG },
    reason: 'VAULT_DEPRECATED',
    metadata: { chainId: '11155111', vault: expect.stringMatching(/^0x/) },
    fields: ['vaultAddress'],
  },
  {
    name: 'nothing',
    parameters: { depositAmount: '0' },
    reason: 'INVALID_FIELD',
    fields: ['depositAmount'],
    forced: { amount: 0n },
    reverts: ['FeesExceedOrEqualAmount'],
  },
  {
    name: 'shares for nobody',
    parameters: { to: zeroAddress },
    reason: 'RECEIVER_CANNOT_USE',
    fields: ['to'],
  },
  {
    name: 'no more than its fee',
    vault: 'Harbor Prime',
    parameters: { depositAmount: '500251' },
    reason: 'DEPOSIT_TOO_SMALL',
    metadata: { fee: '500251' },
    fields: ['depositAmount'],
    prepare: (client) => openToAll(client, 'USDC'),
    forced: { amount: 500_251n },
    reverts: ['FeesExceedOrEqualAmount'],
  },
  {
    name: 'more than the cap leaves',
    vault: 'Harbor Prime',
    prepare: (client) => openToAll(client, 'USDS'),
    parameters: { depositAsset: tokens.USDS, depositAmount: String(6_000_000n * 10n ** 18n) },
    reason: 'SUPPLY_CAP_EXCEEDED',
    metadata: { remainingInBase: String(cap), supplyCapInBase: String(cap) },
    fields: ['depositAmount'],
  },
  {
    name: 'shares to an account that the vault has frozen',
    vault: 'Harbor Prime',
    prepare: async (client) => {
      await openToAll(client, 'USDC')
      await freeze(client, DEVNET_REFUSED_USER.address)
    },
    parameters: { to: DEVNET_REFUSED_USER.address },
    reason: 'ACCOUNT_FROZEN',
    metadata: { account: DEVNET_REFUSED_USER.address },
    fields: ['to'],
    forced: { to: DEVNET_REFUSED_USER.address },
    reverts: ['Error', 'TRANSFER_FAILED'],
  },
  {
    name: 'an account that may not deposit',
    vault: 'Harbor Prime',
    user: DEVNET_REFUSED_USER,
    reason: 'ATTESTATION_REFUSED',
    metadata: { account: DEVNET_REFUSED_USER.address, receiver: DEVNET_REFUSED_USER.address },
    fields: ['userAddress'],
    forced: {},
    reverts: ['Error', expect.stringMatching(/^Predicate\.validateAttestation:/)],
  },
  {
    name: 'shares to an account that may not have them',
    vault: 'Harbor Prime',
    parameters: { to: DEVNET_REFUSED_USER.address },
    reason: 'ATTESTATION_REFUSED',
    metadata: { account: USER.address, receiver: DEVNET_REFUSED_USER.address },
    fields: ['userAddress', 'to'],
  },
  {
    name: 'more than any token has',
    vault: 'Harbor Prime',
    parameters: { depositAmount: String(2n ** 128n) },
    reason: 'INVALID_FIELD',
    fields: ['depositAmount'],
  },
  {
    name: 'a sender whom the issuer of the asset has blocked',
    prepare: (client) =>
      callAs(client, DEVNET_ACTORS.deployer, {
        address: tokens.USDC,
        call: ['function blacklist(address)', USER.address],
      }),
    reason: 'ACCOUNT_FROZEN',
    metadata: { account: USER.address },
    fields: ['userAddress'],
    forced: {},
    reverts: ['Error', 'TRANSFER_FROM_FAILED'],
  },
  {
    name: 'a depositor that the vault has frozen',
    vault: 'Harbor Prime',
    prepare: async (client) => {
      await openToAll(client, 'USDC')
      await freeze(client, prime.current.depositor)
    },
    reason: 'VAULT_PAUSED',
    forced: {},
    reverts: ['Error', 'TRANSFER_FAILED'],
  },
  {
    name: 'a registry that says no without a word',
    vault: 'Harbor Prime',
    // Code that returns 32 zero bytes.
    prepare: (client) => client.client.setCode({ address: REGISTRY, bytecode: '0x60206000f3' }),
    reason: 'ATTESTATION_UNAVAILABLE',
    forced: {},
    reverts: ['UnauthorizedTransaction'],
  },
  {
    name: 'an attestation that the registry does not take',
    vault: 'Harbor Prime',
    prepare: (client) =>
      asOwner(client, REGISTRY, [
        'function deregisterAttester(address)',
        DEVNET_ACTORS.attester.address,
      ]),
    reason: 'ATTESTATION_UNAVAILABLE',
    forced: {},
    reverts: ['Error', expect.stringMatching(/^Predicate\.validateAttestation:/)],
  },
  {
    name: 'a vault that nobody has',
    parameters: { vaultAddress: tokens.USDC },
    reason: 'VAULT_NOT_FOUND',
  },
  {
    name: 'a vault of another chain',
    chainId: 11_155_111,
    vault: 'Harbor Prime',
    parameters: { chainId: '1' },
    reason: 'VAULT_NOT_FOUND',
  },
]

/** Without the attestation, so that a direct call gets as far as this check. */
export function openToAll(client: EarnClient, token: 'USDC' | 'USDS' | 'USDG') {
  return asOwner(client, client.deployment.current.depositor, [
    ...(['function setKytStatus(address, bool)', tokens[token], false] as const),
  ])
}

/** Puts a token that takes a fee from transfers in the place of USDC; the user has some. */
async function takeFees(client: EarnClient) {
  const { FeeToken } = await compileContracts(join(import.meta.dirname, '../contracts'))
  if (!FeeToken) throw new Error('FeeToken was not compiled')
  await client.client.setCode({ address: tokens.USDC, bytecode: FeeToken.deployedBytecode })
  const call = ['function mint(address,uint256)', USER.address, 2_000_000_000n] as const
  await callAs(client, USER, { address: tokens.USDC, call: [...call] })
  await client.approve(USER, tokens.USDC, [dollar.depositor, 2_000_000_000n])
}
