import { join } from 'node:path'
import {
  type Address,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  pad,
  parseEther,
  toFunctionSelector,
} from 'viem'
import { transitStationAbi } from '../abis/transitStation.ts'
import { type Artifacts, compileContracts } from '../contracts/compileContracts.ts'
import type { AddressBookFile } from '../domain/addressBook/addressBook.ts'
import { DEVNET_ACTORS, DEVNET_USERS } from './accounts.ts'
import { DEPLOYMENT } from './deployment.ts'
import { localAddressBook } from './localAddressBook.ts'
import {
  MESSAGE_GAS_LIMIT,
  MULTICALL3,
  PLANNED_CHAINS,
  PLANNED_FEEDS,
  PLANNED_ROUTES,
  PLANNED_TOKENS,
  TRANSIT_CHAIN_IDS,
  USER_UNITS,
} from './plan.ts'
import { smartDepositsOf } from './vaults/deployment.ts'
import { deployVaultWorld } from './vaults/deployVaultWorld.ts'
import { type DevnetClient, devnetClient } from './world.ts'

export type DeployWorldOptions = {
  rpcUrls: Record<number, string>
  /** The vaults of these chains are deployed too. Without it there is only Transit. */
  withVaults?: boolean
}

const { deployer, quoteSigner, executor, relayer } = DEVNET_ACTORS
const EXECUTOR_ROLE = 1
const MANAGER_ROLE = 2

/**
 * Deploys the local world to automining nodes, all chains at once, and returns the addresses. A chain
 * that has it already is left as it is; an interrupted deployment is completed.
 */
export async function deployWorld(options: DeployWorldOptions): Promise<AddressBookFile> {
  const artifacts = await compileWorld()
  const chains = PLANNED_CHAINS.filter(({ id }) => options.rpcUrls[id] !== undefined)
  const clients = chains.map(({ id }) => devnetClient(id, options.rpcUrls[id] ?? ''))
  await Promise.all(clients.map((client) => deployChain(client, artifacts)))
  const book = localAddressBook(
    DEPLOYMENT,
    chains.map(({ id }) => id),
  )
  if (!options.withVaults) return book
  const { tokens, vaults } = await deployVaultWorld(clients, artifacts)
  const withDeposits = book.chains.map((chain) => ({ ...chain, ...smartDepositsOf(chain.id) }))
  return { ...book, chains: withDeposits, tokens: [...book.tokens, ...tokens], vaults }
}

/** Our own contracts, and the ones that stand for the protocol's. */
export async function compileWorld(): Promise<Artifacts> {
  const compiled = (folder: string) => compileContracts(join(import.meta.dirname, '..', folder))
  return { ...(await compiled('contracts')), ...(await compiled('devnet/contracts')) }
}

async function deployChain(client: DevnetClient, artifacts: Artifacts) {
  const chainId = client.chain.id
  const hasStation = TRANSIT_CHAIN_IDS.includes(chainId)
  const transactions = [
    ...PLANNED_TOKENS.map((token) =>
      create(artifacts, token.contract, [
        token.name,
        token.symbol,
        token.decimals,
        deployer.address,
        ...('version' in token ? [token.version] : []),
      ]),
    ),
    ...(hasStation ? stationDeployments(artifacts, chainId) : []),
    ...mints(artifacts, hasStation),
    ...(hasStation ? stationSetup(artifacts, chainId) : []),
  ]
  // The deployer's nonce shows how far an earlier deployment came: every transaction is one step.
  const done = await client.getTransactionCount({ address: deployer.address })
  if (done >= transactions.length) return
  await prepareNode(client, artifacts)
  await sendAll(client, transactions, done)
}

async function prepareNode(client: DevnetClient, artifacts: Artifacts) {
  for (const { address } of [...Object.values(DEVNET_ACTORS), ...DEVNET_USERS])
    await client.setBalance({ address, value: parseEther('10000') })
  const { deployedBytecode: bytecode } = artifact(artifacts, 'Multicall3')
  await client.setCode({ address: MULTICALL3, bytecode })
}

type Call = { to?: Address; data: Hex }

function stationDeployments(artifacts: Artifacts, chainId: number): Call[] {
  const { authority, endpoint, vault } = DEPLOYMENT
  return [
    create(artifacts, 'RolesAuthority', [deployer.address]),
    create(artifacts, 'TransitVault', [deployer.address, authority]),
    create(artifacts, 'LayerZeroEndpoint', [eidOf(chainId), relayer.address]),
    create(artifacts, 'TransitStation', [
      deployer.address,
      authority,
      endpoint,
      quoteSigner.address,
      vault,
    ]),
    ...Object.values(PLANNED_FEEDS).map(({ description, answer }) =>
      create(artifacts, 'PriceFeed', [description, answer, deployer.address]),
    ),
  ]
}

function mints(artifacts: Artifacts, hasStation: boolean): Call[] {
  const users = DEVNET_USERS.map(({ address }) => address)
  return PLANNED_TOKENS.flatMap(({ contract, symbol, decimals }) => {
    const to = DEPLOYMENT.tokens[symbol]
    const amount = USER_UNITS * 10n ** BigInt(decimals)
    const mint = (accounts: Address[], units: bigint) =>
      call(artifacts, contract, to, 'mint', [accounts, units])
    return [mint(users, amount), ...(hasStation ? [mint([DEPLOYMENT.vault], amount * 1_000n)] : [])]
  })
}

function stationSetup(artifacts: Artifacts, chainId: number): Call[] {
  const { authority, station, vault, tokens } = DEPLOYMENT
  const signature = (name: string) =>
    toFunctionSelector(
      // Cast, because TypeScript does not see that a function was found.
      transitStationAbi.find((item) => item.type === 'function' && item.name === name) as never,
    )
  const permit = (name: string, args: unknown[]) =>
    call(artifacts, 'RolesAuthority', authority, name, args)
  const configure = (name: string, args: unknown[]) =>
    call(artifacts, 'TransitStation', station, name, args)
  const routes = PLANNED_ROUTES.filter(([source]) => source === chainId)
  return [
    permit('setPublicCapability', [station, signature('submitOrder'), true]),
    permit('setPublicCapability', [station, signature('submitOrderWithPermit'), true]),
    permit('setRoleCapability', [EXECUTOR_ROLE, station, signature('executePendingOrders'), true]),
    permit('setUserRole', [vault, EXECUTOR_ROLE, true]),
    permit('setRoleCapability', [
      MANAGER_ROLE,
      vault,
      toFunctionSelector('manage(address[],bytes[],uint256[])'),
      true,
    ]),
    permit('setUserRole', [executor.address, MANAGER_ROLE, true]),
    ...TRANSIT_CHAIN_IDS.filter((id) => id !== chainId).flatMap((id) => [
      configure('setPeer', [eidOf(id), pad(station)]),
      configure('setMessageGasLimit', [eidOf(id), MESSAGE_GAS_LIMIT]),
    ]),
    configure('setRouteApprovals', [
      routes.map(([, destination, offer, want]) => ({
        destEID: eidOf(destination),
        offerAsset: tokens[offer],
        wantAsset: tokens[want],
      })),
      routes.map(() => true),
    ]),
  ]
}

/** Sends them in the order of their nonces, without waiting for each: the node mines them as they come. */
async function sendAll(client: DevnetClient, calls: Call[], done: number) {
  const gasPrice = await client.getGasPrice()
  const hashes: Hex[] = []
  for (const [index, { to, data }] of calls.slice(done).entries())
    hashes.push(
      await client.sendRawTransaction({
        serializedTransaction: await deployer.signTransaction({
          chainId: client.chain.id,
          ...(to ? { to } : {}),
          data,
          nonce: done + index,
          gas: 6_000_000n,
          gasPrice: gasPrice * 4n,
          type: 'legacy',
        }),
      }),
    )
  for (const [index, hash] of hashes.entries()) {
    const receipt = await client.waitForTransactionReceipt({ hash })
    if (receipt.status !== 'success')
      throw new Error(
        `The local world's transaction ${done + index} failed on chain ${client.chain.id}`,
      )
  }
}

function create(artifacts: Artifacts, contract: string, args: unknown[]): Call {
  const { abi, bytecode } = artifact(artifacts, contract)
  return { data: encodeDeployData({ abi, bytecode, args }) }
}

function call(
  artifacts: Artifacts,
  contract: string,
  to: Address,
  functionName: string,
  args: unknown[],
): Call {
  return {
    to,
    data: encodeFunctionData({ abi: artifact(artifacts, contract).abi, functionName, args }),
  }
}

function artifact(artifacts: Artifacts, contract: string) {
  const found = artifacts[contract]
  if (!found) throw new Error(`Invariant(artifact): no contract ${contract} was compiled`)
  return found
}

function eidOf(chainId: number): number {
  const chain = PLANNED_CHAINS.find(({ id }) => id === chainId)
  if (!chain || !('eid' in chain)) throw new Error(`Invariant(eidOf): chain ${chainId} has none`)
  return chain.eid
}
