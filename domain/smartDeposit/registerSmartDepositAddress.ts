import type { Fragment, ISql, Sql } from 'postgres'
import type { Address } from 'viem'
import { requireChange, requirePermission } from '../access/requirePermission.ts'
import type { AcceptingAddress } from '../addressBook/acceptedPayments.ts'
import { factoriesOf } from '../addressBook/factories.ts'
import { chainNotFound } from '../chain/chainNotFound.ts'
import { findChain } from '../chain/findChain.ts'
import type { SharedServices } from '../context.ts'
import { findDeployment } from '../earn/vaults/deployments.ts'
import { assetRefusal, vaultDeprecated, vaultSilent } from '../earn/vaults/vaultRefusals.ts'
import { refuseTogether } from '../error/refuseTogether.ts'
import { invalidFields } from '../error/serviceError.ts'
import {
  receiverRefusal,
  receiverViolations,
  refuseSmartDepositAddresses,
} from '../receiver/refuseReceivers.ts'
import { checksummed } from '../token/checksummed.ts'
import { type SmartDepositFactory, smartDepositAddress } from './smartDepositAddress.ts'
import type { SmartDepositContext } from './smartDepositContext.ts'
import {
  type SmartDepositAddressParams,
  smartDepositAddressViolations,
  smartDepositReceivers,
} from './smartDepositParams.ts'

/** Addresses are lower case. */
export type Registered = AcceptingAddress & { smartDepositAddress: Address; vaultAddress: Address }

/**
 * The address for a user, vault, token, chain and customer, registered for the caller's organization. A
 * stored address never changes, even if its vault or factory does. Throws `PERMISSION_DENIED` for a new one to a caller
 * that may only read, `INVALID_FIELD`, `RECEIVER_CANNOT_USE`,
 * `VAULT_DEPRECATED` or `ASSET_NOT_DEPOSITABLE`, which name the fields, or `RPC_UNAVAILABLE` if the vault's
 * assets cannot be read.
 */
export async function registerSmartDepositAddress(
  context: SmartDepositContext,
  params: SmartDepositAddressParams,
): Promise<Registered> {
  const { organizationId, known } = await lookUp(context, params)
  if (known) return known
  // `deposit` of a journey comes here too, and is a query.
  requireChange(context.caller, 'smart-deposits')
  const factory = await factoryOf(context, params)
  return storeAddress(context.sql, { organizationId, factory, params })
}

/**
 * The address that `registerSmartDepositAddress` would give now, in lower case. Stores nothing, so nobody watches the
 * address. Throws as it does, but for a caller that may only read.
 */
export async function expectedSmartDepositAddress(
  context: SmartDepositContext,
  params: SmartDepositAddressParams,
): Promise<Address> {
  const { organizationId, known } = await lookUp(context, params)
  if (known) return known.smartDepositAddress
  const factory = await factoryOf(context, params)
  const [stored] = await context.sql<{ address: Address }[]>`
    select a.address from app.smart_deposit_address a
    where ${isFor(context.sql, params)}
      and a.organization_id is not distinct from ${ownerOf(organizationId, params)}`
  return stored?.address ?? addressIn(factory, organizationId, params)
}

/** The caller's organization, and its address of these inputs. Throws for wrong inputs, and for a caller without the permission. */
async function lookUp(context: SmartDepositContext, params: SmartDepositAddressParams) {
  const violations = smartDepositAddressViolations(params)
  const receivers = smartDepositReceivers(params)
  if (violations.length > 0)
    throw invalidFields([...violations, ...receiverViolations(context.addressBook, receivers)])
  const { organizationId } = requirePermission(context.caller, 'smart-deposits')
  return { organizationId, known: await findRegistered(context.sql, organizationId, params) }
}

/** The factory of a new address. Throws for inputs that get none. */
async function factoryOf(
  context: SmartDepositContext,
  params: SmartDepositAddressParams,
): Promise<SmartDepositFactory> {
  const receivers = smartDepositReceivers(params)
  factoryFor(context, params)
  refuseTogether([receiverRefusal(context.addressBook, receivers)])
  await refuseSmartDepositAddresses(context, receivers)
  await refuseOtherToken(context, params)
  return factoryForDestination(context, params)
}

/** The address of these inputs that the organization registered; of two, the first. */
async function findRegistered(
  sql: Sql,
  organizationId: string,
  params: SmartDepositAddressParams,
): Promise<Registered | undefined> {
  const [found] = await sql<Registered[]>`
    select ${registeredColumns(sql)}
    from app.smart_deposit_registration r
    join app.smart_deposit_address a using (chain_id, address)
    where r.organization_id = ${organizationId} and ${isFor(sql, params)}
    order by r.created_at limit 1`
  return found
}

/** The columns of `Registered`, of an address `a`. */
function registeredColumns(sql: ISql): Fragment {
  return sql`
    a.address as "smartDepositAddress", a.factory as "factoryAddress", a.generation,
    a.vault_address as "vaultAddress", a.input_token as "inputToken", a.chain_id as "chainId"`
}

/** Matches all inputs of an address except its factory and its organization. */
function isFor(sql: ISql, params: SmartDepositAddressParams): Fragment {
  const { userDestinationAddress, vaultAddress, inputToken, chainId, customerId } = params
  return sql`
    a.user_destination_address = ${userDestinationAddress} and a.vault_address = ${vaultAddress}
    and a.input_token = ${inputToken} and a.chain_id = ${chainId}
    and a.customer_id is not distinct from ${customerId ?? null}`
}

/** The chain's current factory. Throws `CHAIN_NOT_FOUND`, or `INVALID_FIELD` for a chain that has none. */
export function factoryFor(
  { addressBook }: Pick<SharedServices, 'addressBook'>,
  { chainId }: Pick<SmartDepositAddressParams, 'chainId'>,
): SmartDepositFactory {
  const chain = addressBook.chains.find(({ id }) => id === chainId)
  const [factory] = chain ? factoriesOf(chain) : []
  if (factory) return factory
  throw (
    chainNotFound(addressBook, chainId) ??
    invalidFields([{ field: 'chainId', description: 'there are no smart deposits on this chain' }])
  )
}

/** The code of an account with a delegation (EIP-7702) begins with it. The owner of its key controls such an account on every chain. */
const DELEGATION = '0xef0100'

/**
 * The chain's current factory, or for a contract one of generation A: on another chain somebody else may control the
 * contract's address, and get what is refunded there. Throws as `factoryFor`, `INVALID_FIELD` without such a factory,
 * or `RPC_UNAVAILABLE`.
 */
async function factoryForDestination(
  context: Pick<SmartDepositContext, 'addressBook' | 'chains'>,
  { chainId, userDestinationAddress: address }: SmartDepositAddressParams,
): Promise<SmartDepositFactory> {
  const current = factoryFor(context, { chainId })
  if (current.generation === 'A') return current
  const code = await context.chains.read(chainId, (client) => client.getCode({ address }))
  if (code === undefined || code === '0x' || code.startsWith(DELEGATION)) return current
  const ofOneChain = factoriesOf(findChain(context.addressBook, chainId)).find(
    ({ generation }) => generation === 'A',
  )
  if (ofOneChain) return ofOneChain
  const description = 'is a contract, which may be somebody else on another chain'
  throw invalidFields([{ field: 'userDestinationAddress', description }])
}

type Inputs = Pick<SmartDepositAddressParams, 'vaultAddress' | 'inputToken' | 'chainId'>

/** Throws for a vault or token that cannot be used; the chain decides whether the token is accepted. */
export async function refuseOtherToken(
  {
    addressBook,
    deploymentStateCache,
  }: Pick<SmartDepositContext, 'addressBook' | 'deploymentStateCache'>,
  { vaultAddress, inputToken, chainId }: Inputs,
): Promise<void> {
  const deployment = findDeployment(addressBook, chainId, vaultAddress)
  if (!deployment) {
    const description = `there is no vault ${checksummed(vaultAddress)} on chain ${chainId}`
    throw invalidFields([{ field: 'vaultAddress', description }])
  }
  if (deployment.inDeprecation) throw vaultDeprecated(deployment)
  const isListed = deployment.assets.some(({ address }) => address === inputToken)
  if (!isListed) throw assetRefusal('ASSET_NOT_DEPOSITABLE', 'inputToken', inputToken)
  const state = (await deploymentStateCache.get(chainId)).get(vaultAddress)
  if (!state) throw vaultSilent(deployment)
  const asset = state.assets.find(({ address }) => address === inputToken)
  if (!asset?.depositable) throw assetRefusal('ASSET_NOT_DEPOSITABLE', 'inputToken', inputToken)
}

type Stored = {
  organizationId: string
  factory: SmartDepositFactory
  params: SmartDepositAddressParams
}

/** A customer's id is its organization's own: another organization has another address for it. */
function ownerOf(organizationId: string, { customerId }: SmartDepositAddressParams): string | null {
  return customerId === undefined ? null : organizationId
}

function addressIn(
  factory: SmartDepositFactory,
  organizationId: string,
  params: SmartDepositAddressParams,
): Address {
  const key = {
    ...params,
    customerId: params.customerId ?? null,
    organizationId: ownerOf(organizationId, params),
  }
  return smartDepositAddress(factory, key).toLowerCase() as Address
}

/** Concurrent requests all get the address of the first, even if their factories differ. */
async function storeAddress(
  sql: Sql,
  { organizationId, factory, params }: Stored,
): Promise<Registered> {
  const { userDestinationAddress, vaultAddress, inputToken, chainId } = params
  const customerId = params.customerId ?? null
  const owner = ownerOf(organizationId, params)
  const address = addressIn(factory, organizationId, params)
  return sql.begin(async (transaction) => {
    await transaction`
      insert into app.smart_deposit_address (chain_id, address, factory, generation,
        user_destination_address, vault_address, input_token, customer_id, organization_id)
      values (${chainId}, ${address}, ${factory.address}, ${factory.generation},
        ${userDestinationAddress}, ${vaultAddress}, ${inputToken}, ${customerId}, ${owner})
      on conflict do nothing`
    const [stored] = await transaction<Registered[]>`
      with registered as (
        insert into app.smart_deposit_registration (organization_id, chain_id, address)
        select ${organizationId}::uuid, a.chain_id, a.address from app.smart_deposit_address a
        where ${isFor(transaction, params)} and a.organization_id is not distinct from ${owner}
        on conflict (organization_id, chain_id, address)
        do update set organization_id = excluded.organization_id
        returning chain_id, address
      )
      select ${registeredColumns(transaction)}
      from registered join app.smart_deposit_address a using (chain_id, address)`
    if (!stored) throw new Error('Invariant(storeAddress): an inserted address is missing')
    return stored
  })
}
