import { join } from 'node:path'
import { type Address, type Hex, pad, parseEther, toFunctionSelector } from 'viem'
import { transitStationAbi } from '../abis/transitStation.ts'
import { type Artifacts, artifactOf, compileContracts } from '../contracts/compileContracts.ts'
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
import { selectorOf } from './vaults/roles.ts'
import { createScript, encodeStep, type Script, type Step } from './vaults/script.ts'
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
  const { steps } = writeTransit(client.chain.id)
  // The deployer's nonce shows how far an earlier deployment came: every transaction is one step.
  const done = await client.getTransactionCount({ address: deployer.address })
  if (done >= steps.length) return
  await prepareNode(client, artifacts)
  await sendAll(client, artifacts, { steps, done })
}

async function prepareNode(client: DevnetClient, artifacts: Artifacts) {
  for (const { address } of [...Object.values(DEVNET_ACTORS), ...DEVNET_USERS])
    await client.setBalance({ address, value: parseEther('10000') })
  const { deployedBytecode: bytecode } = artifactOf(artifacts, 'Multicall3')
  await client.setCode({ address: MULTICALL3, bytecode })
}

/** The transactions of the deployer. The first create the contracts that `DEPLOYMENT` names. */
function writeTransit(chainId: number): Script {
  const script = createScript(deployer.address)
  const hasStation = TRANSIT_CHAIN_IDS.includes(chainId)
  for (const token of PLANNED_TOKENS)
    script.create(token.contract, [
      token.name,
      token.symbol,
      token.decimals,
      deployer.address,
      ...('version' in token ? [token.version] : []),
    ])
  if (hasStation) writeStation(script, chainId)
  writeMints(script, hasStation)
  if (hasStation) writeStationSetup(script, chainId)
  return script
}

function writeStation(script: Script, chainId: number) {
  const { authority, endpoint, vault } = DEPLOYMENT
  const owner = deployer.address
  script.create('RolesAuthority', [owner])
  script.create('TransitVault', [owner, authority])
  script.create('LayerZeroEndpoint', [eidOf(chainId), relayer.address])
  script.create('TransitStation', [owner, authority, endpoint, quoteSigner.address, vault])
  for (const { description, answer } of Object.values(PLANNED_FEEDS))
    script.create('PriceFeed', [description, answer, owner])
}

function writeMints(script: Script, hasStation: boolean) {
  const users = DEVNET_USERS.map(({ address }) => address)
  for (const { contract, symbol, decimals } of PLANNED_TOKENS) {
    const amount = USER_UNITS * 10n ** BigInt(decimals)
    const mint = (accounts: Address[], units: bigint) =>
      script.call(contract, DEPLOYMENT.tokens[symbol], 'mint', [accounts, units])
    mint(users, amount)
    if (hasStation) mint([DEPLOYMENT.vault], amount * 1_000n)
  }
}

function writeStationSetup(script: Script, chainId: number) {
  const { authority, station, vault, tokens } = DEPLOYMENT
  const permit = (name: string, args: unknown[]) =>
    script.call('RolesAuthority', authority, name, args)
  const configure = (name: string, args: unknown[]) =>
    script.call('TransitStation', station, name, args)
  for (const name of ['submitOrder', 'submitOrderWithPermit'])
    permit('setPublicCapability', [station, selectorOf(transitStationAbi, name), true])
  const execute = selectorOf(transitStationAbi, 'executePendingOrders')
  permit('setRoleCapability', [EXECUTOR_ROLE, station, execute, true])
  permit('setUserRole', [vault, EXECUTOR_ROLE, true])
  const manage = toFunctionSelector('manage(address[],bytes[],uint256[])')
  permit('setRoleCapability', [MANAGER_ROLE, vault, manage, true])
  permit('setUserRole', [executor.address, MANAGER_ROLE, true])
  for (const id of TRANSIT_CHAIN_IDS.filter((other) => other !== chainId)) {
    configure('setPeer', [eidOf(id), pad(station)])
    configure('setMessageGasLimit', [eidOf(id), MESSAGE_GAS_LIMIT])
  }
  const routes = PLANNED_ROUTES.filter(([source]) => source === chainId)
  configure('setRouteApprovals', [
    routes.map(([, destination, offer, want]) => ({
      destEID: eidOf(destination),
      offerAsset: tokens[offer],
      wantAsset: tokens[want],
    })),
    routes.map(() => true),
  ])
}

/** Sends them in the order of their nonces, without waiting for each: the node mines them as they come. */
async function sendAll(
  client: DevnetClient,
  artifacts: Artifacts,
  { steps, done }: { steps: Step[]; done: number },
) {
  const gasPrice = await client.getGasPrice()
  const hashes: Hex[] = []
  for (const [index, step] of steps.slice(done).entries())
    hashes.push(
      await client.sendRawTransaction({
        serializedTransaction: await deployer.signTransaction({
          chainId: client.chain.id,
          ...(step.to ? { to: step.to } : {}),
          data: encodeStep(artifacts, step),
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

function eidOf(chainId: number): number {
  const chain = PLANNED_CHAINS.find(({ id }) => id === chainId)
  if (!chain || !('eid' in chain)) throw new Error(`Invariant(eidOf): chain ${chainId} has none`)
  return chain.eid
}
