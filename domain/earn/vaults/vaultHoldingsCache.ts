import { type Address, erc20Abi, type PublicClient } from 'viem'
import { accountantAbi } from '../../../abis/accountant.ts'
import { rateProviderAbi } from '../../../abis/rateProvider.ts'
import { tellerAbi } from '../../../abis/teller.ts'
import { vaultAbi } from '../../../abis/vault.ts'
import type { AddressBook } from '../../addressBook/addressBook.ts'
import type { ChainReading } from '../../chain/chainReading.ts'
import { mustRead, tryRead } from '../../chain/gatheredReads.ts'
import type { KnownAddresses } from '../../chain/knownAddresses.ts'
import { readRateSource } from './contractReads.ts'
import { createDeploymentCache, type DeploymentCache } from './deploymentCache.ts'
import type { EarnDeployment } from './deployments.ts'
import { followWithdrawFeeModule, readWithdrawFee } from './feeModuleReads.ts'
import { inBase } from './shareMath.ts'

/** The assets that a vault holds, and the terms on which its queue pays them. Amounts are base units. */
export type VaultHoldings = {
  /** The decimals of the shares. */
  decimals: number
  /** Whether the teller or the accountant is paused: then the queue pays nobody. */
  isPaused: boolean
  /** For every asset of the deployment in the address book, and for the base if it is a token. */
  holdings: VaultHolding[]
}

export type VaultHolding = {
  /** Lower case. */
  asset: Address
  assetDecimals: number
  /** The vault's balance of the asset. */
  balance: bigint
  /** Whether the accountant has a source of the asset's rate. */
  hasRateSource: boolean
  /** The value of the balance in the base, floored; null without a source, or if the source reverts. */
  valueInBase: bigint | null
  /** Base units of the asset per whole share, also while the accountant is paused; null like the value. */
  rateInQuote: bigint | null
  /** The queue's fee for a withdrawal request; the flat part in base units of the asset. */
  withdrawFee: { bps: bigint; flat: bigint }
}

/** The holdings of every vault, chain by chain. */
export function createVaultHoldingsCache(
  book: AddressBook,
  { known, ...reading }: ChainReading & { known: KnownAddresses },
): DeploymentCache<VaultHoldings> {
  const decimalsOf = new Map(
    book.tokens.map(({ chainId, address, decimals }) => [`${chainId}:${address}`, decimals]),
  )
  const decimalsIn = ({ chainId }: EarnDeployment, token: Address) => {
    const decimals = decimalsOf.get(`${chainId}:${token}`)
    if (decimals === undefined)
      throw new Error(
        'Invariant(vaultHoldingsCache): every token of a vault is in the address book',
      )
    return decimals
  }
  const read = (client: PublicClient, deployment: EarnDeployment) => {
    const tokens = heldTokens(deployment).map((address) => ({
      address,
      decimals: decimalsIn(deployment, address),
    }))
    const { baseToken, baseTokenStandIn } = deployment
    const baseDecimals = baseTokenStandIn?.decimals ?? decimalsIn(deployment, baseToken)
    return readVault(client, known, { deployment, tokens, baseDecimals })
  }
  return createDeploymentCache(book, reading, { name: 'vault_holdings', read })
}

/** The tokens that a vault may hold, by the address book. */
function heldTokens({ assets, baseToken, baseTokenStandIn }: EarnDeployment): Address[] {
  const base = baseTokenStandIn ? [] : [baseToken]
  return [...new Set([...assets.map(({ address }) => address), ...base])]
}

type Token = { address: Address; decimals: number }

async function readVault(
  client: PublicClient,
  known: KnownAddresses,
  { deployment, tokens, baseDecimals }: Omit<Place, 'token'> & { tokens: Token[] },
): Promise<VaultHoldings> {
  const { vault: address } = deployment
  const decimals = mustRead(client, { address, abi: vaultAbi, functionName: 'decimals' })
  const holdings = tokens.map((token) =>
    readHolding(client, known, { deployment, token, baseDecimals }),
  )
  const [read, isPaused, ...all] = await Promise.all([
    decimals,
    readPaused(client, deployment),
    ...holdings,
  ])
  return { decimals: read, isPaused, holdings: all }
}

async function readPaused(client: PublicClient, { teller, accountant }: EarnDeployment) {
  const [isTellerPaused, safeRate] = await Promise.all([
    tryRead(client, { address: teller, abi: tellerAbi, functionName: 'isPaused' }),
    tryRead(client, { address: accountant, abi: accountantAbi, functionName: 'getRateSafe' }),
  ])
  return isTellerPaused === true || safeRate === null
}

type Place = { deployment: EarnDeployment; token: Token; baseDecimals: number }

async function readHolding(
  client: PublicClient,
  known: KnownAddresses,
  { deployment, token, baseDecimals }: Place,
): Promise<VaultHolding> {
  const { vault, accountant } = deployment
  const { address: asset, decimals: assetDecimals } = token
  const [balance, { hasRateSource, price }, rateInQuote, withdrawFee] = await Promise.all([
    mustRead(client, {
      address: asset,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [vault],
    }),
    readPrice(client, known, { deployment, token }),
    tryRead(client, {
      address: accountant,
      abi: accountantAbi,
      functionName: 'getRateInQuote',
      args: [asset],
    }),
    followWithdrawFeeModule(client, known, deployment, (module) =>
      readWithdrawFee(client, module, asset),
    ),
  ])
  return {
    asset,
    assetDecimals,
    balance,
    hasRateSource,
    rateInQuote,
    withdrawFee,
    valueInBase: price === null ? null : inBase(balance, { price, assetDecimals, baseDecimals }),
  }
}

/** The price of a whole unit of an asset, in the asset's decimals. */
type Price = { hasRateSource: boolean; price: bigint | null }

async function readPrice(
  client: PublicClient,
  known: KnownAddresses,
  { deployment, token }: Pick<Place, 'deployment' | 'token'>,
): Promise<Price> {
  const { chainId, accountant } = deployment
  const asked = readRateSource(client, deployment, token.address)
  const [source, rate] = await Promise.all([
    asked,
    known.follow(
      `rateProvider:${chainId}:${accountant}:${token.address}`,
      async () => (await asked)?.provider ?? null,
      async (address) =>
        address && tryRead(client, { address, abi: rateProviderAbi, functionName: 'getRate' }),
    ),
  ])
  const isPegged = source?.provider === null
  return { hasRateSource: source !== null, price: isPegged ? 10n ** BigInt(token.decimals) : rate }
}
