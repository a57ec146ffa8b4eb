import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  type LocalAccount,
  parseUnits,
  zeroAddress,
} from 'viem'
import { tellerAbi } from '../../abis/teller.ts'
import { connect } from '../../db/sql.ts'
import { DEVNET_ACTORS, DEVNET_SOLVER, userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { type VaultDeployment, vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { depositInto } from '../../devnet/vaults/depositInto.ts'
import { accountantOperatorAbi } from '../../devnet/vaults/operatorAbis.ts'
import { sendCall } from '../../devnet/vaults/sendCall.ts'
import { type World, worldClient } from '../../devnet/world.ts'
import { untilIndexed } from '../support/indexer.ts'

const HOUR = 3_600
const DAY = 24 * HOUR
const { USDG, USDS } = DEPLOYMENT.tokens
const [alice, bob, carol] = [userAt(0), userAt(1), userAt(2)]
export const CHAINS = [1, 999, 11_155_111]
export const LIVED_IN = {
  dollar: vaultDeployment('Harbor Dollar', 1),
  ether: vaultDeployment('Harbor Ether', 1),
  gold: vaultDeployment('Harbor Gold', 999),
  sunset: vaultDeployment('Harbor Sunset', 11_155_111),
}
const { dollar, ether, gold, sunset } = LIVED_IN

export type ElevenDays = {
  /** The start from which days are counted. */
  midnight: number
  /** Blocks, named after their actions; `last` is the newest of chain 1. */
  blocks: Record<string, { number: number; timestamp: number }>
}

/** Eleven days of vaults on real chains, mostly of one vault. Returns when the index has all of it. */
export async function liveElevenDays({
  world,
  databaseUrl,
}: {
  world: World
  databaseUrl: string
}): Promise<ElevenDays> {
  const client = worldClient(world, 1)
  const latest = await client.getBlock()
  const midnight = (Math.floor(Number(latest.timestamp) / DAY) + 2) * DAY
  const blocks: ElevenDays['blocks'] = {}
  /** The time of the next block of chain 1, in days. */
  const at = (day: number) =>
    client.setNextBlockTimestamp({ timestamp: BigInt(midnight + day * DAY) })
  async function note(deed: string, sent: Promise<{ blockNumber: bigint }>) {
    const { blockNumber } = await sent
    const { timestamp } = await client.getBlock({ blockNumber })
    blocks[deed] = { number: Number(blockNumber), timestamp: Number(timestamp) }
  }
  const { deposit, update, unpause, transfer, withdrawAtOnce } = deeds(world)
  const [firstLog] = await client.getLogs({ address: dollar.vault, fromBlock: 0n })
  if (!firstLog) throw new Error('the constructor of a vault emits a log')
  await note('creation', Promise.resolve(firstLog))

  await deposit(alice, 40_000, { deployment: gold, asset: USDS, decimals: 18 })
  await deposit(alice, 500, { deployment: sunset })
  await at(0.5)
  await note('first deposit', deposit(alice, 1_000))
  await at(1.25)
  await note('first update', update(dollar, 1_001_000n))
  await at(1.26)
  await note('update of ether', update(ether, 1_005n * 10n ** 15n))
  // Its former accountant, which is out of use and no longer read.
  await update(ether, 999n * 10n ** 15n, ether.versions[0]?.accountant)
  await at(2.25)
  await transfer(alice, bob.address, 250)
  await at(3)
  await note('second update', update(dollar, 1_000_500n))
  await at(4.1)
  // A larger change than is allowed at once: it pauses the accountant and does not change the rate.
  await update(dollar, 1_500_000n)
  await at(5.1)
  await unpause(dollar)
  await transfer(carol, dollar.vault, 10, USDG)
  await transfer(alice, DEVNET_SOLVER.address, 750)
  await transfer(bob, DEVNET_SOLVER.address, 250)
  await note('last burn', withdrawAtOnce(1_000))
  await at(6.1)
  await note('second deposit', deposit(bob, 10))
  await at(7.1)
  await transfer(bob, zeroAddress, 3)
  await at(10.01)
  await client.mine({ blocks: 1 })
  for (const other of CHAINS.slice(1).map((chainId) => worldClient(world, chainId))) {
    await other.increaseTime({ seconds: DAY + 2 * HOUR })
    await other.mine({ blocks: 1 })
  }
  blocks.last = await allIndexed(world, databaseUrl)
  return { midnight, blocks }
}

type Into = { deployment?: VaultDeployment; asset?: Address; decimals?: number }

/** The deposits and withdrawals, mostly in dollars. */
function deeds(world: World) {
  const units = (amount: number, decimals = 6) => parseUnits(String(amount), decimals)
  const call = (
    chainId: number,
    account: LocalAccount,
    [address, data]: [Address, `0x${string}`],
  ) => sendCall(world, chainId, { account, address, data })
  return {
    deposit: (user: LocalAccount, amount: number, into: Into = {}) => {
      const { deployment = dollar, asset = USDG, decimals } = into
      return depositInto(world, { user, deployment, asset, amount: units(amount, decimals) })
    },
    update({ chainId, current }: VaultDeployment, rate: bigint, accountant = current.accountant) {
      const data = encodeFunctionData({
        abi: accountantOperatorAbi,
        functionName: 'updateExchangeRate',
        args: [rate],
      })
      return call(chainId, DEVNET_ACTORS.rateUpdater, [accountant, data])
    },
    unpause({ chainId, current }: VaultDeployment) {
      const data = encodeFunctionData({ abi: accountantOperatorAbi, functionName: 'unpause' })
      return call(chainId, DEVNET_ACTORS.vaultDeployer, [current.accountant, data])
    },
    transfer(from: LocalAccount, to: Address, amount: number, token: Address = dollar.vault) {
      const args = [to, units(amount)] as const
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
      return call(1, from, [token, data])
    },
    withdrawAtOnce(shares: number) {
      const args = [USDG, units(shares), 0n, DEVNET_SOLVER.address] as const
      const data = encodeFunctionData({ abi: tellerAbi, functionName: 'bulkWithdraw', args })
      return call(1, DEVNET_SOLVER, [dollar.current.teller, data])
    },
  }
}

/** Returns the newest block of chain 1, once the index has the newest of every chain. */
async function allIndexed(world: World, databaseUrl: string) {
  const sql = connect(databaseUrl, { applicationName: 'test', max: 1 })
  const heads = await Promise.all(
    CHAINS.map(async (chainId) => [chainId, await worldClient(world, chainId).getBlock()] as const),
  )
  await untilIndexed(
    sql,
    Object.fromEntries(heads.map(([chainId, { number }]) => [chainId, Number(number)])),
  )
  await sql.end()
  const [, { number, timestamp } = { number: 0n, timestamp: 0n }] = heads[0] ?? []
  return { number: Number(number), timestamp: Number(timestamp) }
}
