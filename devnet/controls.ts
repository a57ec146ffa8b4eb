import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  maxUint256,
  parseAbi,
  parseEther,
  parseUnits,
} from 'viem'
import { DEVNET_ACTORS, DEVNET_USERS } from './accounts.ts'
import { DEPLOYMENT } from './deployment.ts'
import { PLANNED_FEEDS, PLANNED_TOKENS } from './plan.ts'
import { reorganise } from './reorganise.ts'
import { VAULT_CHAINS, vaultDeployment } from './vaults/deployment.ts'
import {
  blacklistAbi,
  depositorOperatorAbi,
  freezeHookOperatorAbi,
  tellerOperatorAbi,
} from './vaults/operatorAbis.ts'
import { sendCall } from './vaults/sendCall.ts'
import { type World, worldClient } from './world.ts'

/** The local world lacks a contract that the control needs. */
export class ControlError extends Error {
  override name = 'ControlError'
}

const { deployer, vaultDeployer, rateUpdater, keeper } = DEVNET_ACTORS
const oracleAbi = parseAbi([
  'function addToSanctionsList(address[] newSanctions)',
  'function removeFromSanctionsList(address[] removeSanctions)',
])

const feedAbi = parseAbi(['function setRound(int256 answer, uint256 answeredAt)'])
const FEED_DECIMALS = 8

type At = { chainId: number }
type OfAccount = At & { account: Address }
type OfVault = At & { vault: string }

/** Puts an account on USDC's blacklist, or removes it. */
export function setBlacklisted(world: World, { account, ...at }: OfAccount, isListed: boolean) {
  const functionName = isListed ? 'blacklist' : 'unBlacklist'
  const data = encodeFunctionData({ abi: blacklistAbi, functionName, args: [account] })
  return sendCall(world, at.chainId, { account: deployer, address: DEPLOYMENT.tokens.USDC, data })
}

/**
 * Sets whether the chain's oracle lists an account as sanctioned. Throws `ControlError` if there is no
 * oracle.
 */
export function setSanctioned(world: World, { account, ...at }: OfAccount, isListed: boolean) {
  const chain = VAULT_CHAINS.find(({ chainId }) => chainId === at.chainId)
  const address = chain?.smartDeposit.sanctionsOracle
  if (!address) throw new ControlError(`Chain ${at.chainId} has no sanctions oracle`)
  const functionName = isListed ? 'addToSanctionsList' : 'removeFromSanctionsList'
  const data = encodeFunctionData({ abi: oracleAbi, functionName, args: [[account]] })
  return sendCall(world, at.chainId, { account: vaultDeployer, address, data })
}

/** Sets whether a vault's hook freezes an account. Throws `ControlError` if there is no hook. */
export function setFrozen(
  world: World,
  { account, vault, ...at }: OfAccount & OfVault,
  isFrozen: boolean,
) {
  const { hook: address } = vaultOf({ vault, ...at })
  if (!address) throw new ControlError(`${vault} has no hook that freezes accounts`)
  const args = [account, isFrozen] as const
  const data = encodeFunctionData({ abi: freezeHookOperatorAbi, functionName: 'setFrozen', args })
  return sendCall(world, at.chainId, { account: rateUpdater, address, data })
}

/** Pauses or unpauses a vault's teller. */
export function setPaused(world: World, { vault, ...at }: OfVault, isPaused: boolean) {
  const functionName = isPaused ? 'pause' : 'unpause'
  const { teller: address } = vaultOf({ vault, ...at }).current
  const data = encodeFunctionData({ abi: tellerOperatorAbi, functionName })
  return sendCall(world, at.chainId, { account: vaultDeployer, address, data })
}

/** Closes a vault's supply cap, or sets it to the planned one. Throws `ControlError` if the vault has none. */
export function setCapClosed(world: World, { vault, ...at }: OfVault, isClosed: boolean) {
  const { plan, current } = vaultOf({ vault, ...at })
  if (current.generation === 'A') throw new ControlError(`${vault} has no supply cap`)
  const cap = isClosed ? 0n : (plan.supplyCap ?? maxUint256)
  const data = encodeFunctionData({
    abi: depositorOperatorAbi,
    functionName: 'setSupplyCapInBase',
    args: [cap],
  })
  return sendCall(world, at.chainId, { account: vaultDeployer, address: current.depositor, data })
}

/**
 * Sets whether a vault takes deposits of a token. Throws `ControlError` if its teller has one flag for
 * both directions.
 */
export function setAssetClosed(
  world: World,
  { vault, token, ...at }: OfVault & { token: string },
  isClosed: boolean,
) {
  const { current } = vaultOf({ vault, ...at })
  if (current.generation === 'A')
    throw new ControlError(`${vault} cannot close one direction alone`)
  const functionName = isClosed ? 'removeDepositAsset' : 'addDepositAsset'
  const args = [tokenOf(token).address] as const
  const data = encodeFunctionData({ abi: tellerOperatorAbi, functionName, args })
  return sendCall(world, at.chainId, { account: vaultDeployer, address: current.teller, data })
}

/** Empties the keeper's balance of the native coin, or gives it plenty. */
export async function setKeeperBroke(world: World, { chainId }: At, isBroke: boolean) {
  const client = worldClient(world, chainId)
  const value = isBroke ? 0n : parseEther('10000')
  await client.setBalance({ address: keeper.address, value })
  // A chain is written to disk when it has a new block.
  await client.mine({ blocks: 1 })
}

/** Sets the price of the chain's dollar tokens, in USD; null for the planned one. */
export function setDollarPrice(world: World, at: At, usd: string | null) {
  const answer = usd === null ? PLANNED_FEEDS.dollar.answer : parseUnits(usd, FEED_DECIMALS)
  // The time zero always is that of the newest block, so the price does not become stale.
  const data = encodeFunctionData({ abi: feedAbi, functionName: 'setRound', args: [answer, 0n] })
  return sendCall(world, at.chainId, { account: deployer, address: DEPLOYMENT.feeds.dollar, data })
}

/** Replaces the newest blocks of a chain by empty ones: their transactions are gone. */
export async function reorganiseChain(world: World, { chainId }: At, blocks: number) {
  const client = worldClient(world, chainId)
  const head = await client.getBlockNumber()
  if (head < blocks) throw new ControlError(`Chain ${chainId} has only ${head} blocks`)
  await reorganise(client, blocks)
}

/** Adds empty blocks to a chain. */
export async function mineBlocks(world: World, { chainId }: At, blocks: number) {
  await worldClient(world, chainId).mine({ blocks })
}

/** The first user pays an account this many whole units of a token. Returns the transaction's hash. */
export async function payAccount(
  world: World,
  { chainId, account, token, units }: OfAccount & { token: string; units: string },
): Promise<string> {
  const [payer] = DEVNET_USERS
  if (!payer) throw new Error('Invariant(payAccount): anvil has accounts')
  const { address, decimals } = tokenOf(token)
  const args = [account, parseUnits(units, decimals)] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  const receipt = await sendCall(world, chainId, { account: payer, address, data })
  return receipt.transactionHash
}

function vaultOf({ vault, chainId }: OfVault) {
  try {
    return vaultDeployment(vault, chainId)
  } catch (cause) {
    throw new ControlError(`There is no vault ${vault} on chain ${chainId}`, { cause })
  }
}

function tokenOf(symbol: string): { address: Address; decimals: number } {
  const planned = PLANNED_TOKENS.find((token) => token.symbol === symbol)
  if (!planned) {
    const known = PLANNED_TOKENS.map((token) => token.symbol).join(', ')
    throw new ControlError(`There is no token ${symbol}; there are ${known}`)
  }
  return { address: DEPLOYMENT.tokens[planned.symbol], decimals: planned.decimals }
}
