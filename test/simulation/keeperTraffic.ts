import type { Sql } from 'postgres'
import { type Address, encodeFunctionData, erc20Abi, type Hex, parseAbi, parseUnits } from 'viem'
import type { FactoryGeneration } from '../../abis/smartDeposit.ts'
import { DEVNET_ACTORS, DEVNET_USERS } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { type World, worldClient } from '../../devnet/world.ts'
import { type BookFactory, factoriesOf } from '../../domain/addressBook/factories.ts'
import { smartDepositAddress } from '../../domain/smartDeposit/smartDepositAddress.ts'
import { lower } from '../support/lower.ts'
import type { SeededRandom } from '../support/seededRandom.ts'

export const CHAIN_ID = 1
const { USDC, USDG } = DEPLOYMENT.tokens
const PRIME = vaultDeployment('Harbor Prime', CHAIN_ID)
const DOLLAR = vaultDeployment('Harbor Dollar', CHAIN_ID)
/** Blacklisted by the token's issuer. */
const OUTLAW = 6
/** Refused by the attestation provider. */
const REFUSED = 9
/** Less than Prime's minimum deposit of USDC. */
const TOO_LITTLE = 400_000n
/** Payments below are settled together; the traffic has some of a third of it. */
export const MINIMUM = 100_000n

export type Place = { address: Address; token: Address; vault: Address; user: Address }
export type Payment = { hash: Hex; place: Place; amount: bigint }

/** The factory of the simulated addresses, by default of generation A, which gives no new ones in the local world. */
export function simulatedFactory(
  { addressBook }: World,
  generation: FactoryGeneration = 'A',
): BookFactory {
  const chain = addressBook.chains.find(({ id }) => id === CHAIN_ID)
  const found = chain && factoriesOf(chain).find((one) => one.generation === generation)
  if (!found) throw new Error('the chain has no such factory')
  return found
}

/** Addresses for every ending of a deposit, for two organizations, one of which has all of them. */
export async function registerPlaces(sql: Sql, world: World): Promise<Place[]> {
  const factory = simulatedFactory(world)
  const organizations = await sql<{ id: string }[]>`
    insert into app.organization (name) values ('one'), ('two') returning id`
  const places: Place[] = []
  const wanted = [
    ...[3, 4, 5].flatMap((user) => [
      { user, vault: DOLLAR.vault, token: USDC },
      { user, vault: PRIME.vault, token: USDC },
      { user, vault: DOLLAR.vault, token: USDG },
    ]),
    { user: OUTLAW, vault: DOLLAR.vault, token: USDC },
    { user: REFUSED, vault: PRIME.vault, token: USDC },
  ]
  for (const [index, { user, vault, token }] of wanted.entries()) {
    const destination = DEVNET_USERS[user]?.address ?? '0x'
    const key = {
      userDestinationAddress: destination,
      vaultAddress: vault,
      inputToken: token,
      chainId: CHAIN_ID,
      customerId: index % 2 ? `customer-${index}` : null,
      organizationId: index % 2 ? (organizations[0]?.id ?? null) : null,
    }
    const address = lower(smartDepositAddress(factory, key))
    await sql`
      insert into app.smart_deposit_address (chain_id, address, factory,
        user_destination_address, vault_address, input_token, customer_id, organization_id)
      values (${CHAIN_ID}, ${address}, ${factory.address}, ${lower(destination)}, ${lower(vault)},
        ${lower(token)}, ${key.customerId}, ${key.organizationId})`
    // A customer's address is its organization's alone.
    for (const { id } of organizations.slice(0, index % 2 ? 1 : 2))
      await sql`
        insert into app.smart_deposit_registration (organization_id, chain_id, address)
        values (${id}, ${CHAIN_ID}, ${address})`
    places.push({ address, token, vault, user: destination })
  }
  await blacklist(world, DEVNET_USERS[OUTLAW]?.address ?? '0x')
  return places
}

/** The issuer of USDC refuses transfers to this account from now on. */
export async function blacklist(world: World, outlaw: Address) {
  const { deployer: account } = DEVNET_ACTORS
  const abi = parseAbi(['function blacklist(address account)'])
  await worldClient(world, CHAIN_ID).writeContract({
    account,
    address: USDC,
    abi,
    functionName: 'blacklist',
    args: [outlaw],
  })
}

/** Payments to random addresses. Each payer sends its payments in order, without waiting for blocks. */
export function createPayer(world: World, places: Place[], random: SeededRandom) {
  const client = worldClient(world, CHAIN_ID)
  const [account] = DEVNET_USERS
  if (!account) throw new Error('anvil has accounts')
  let nonce: number | undefined
  const payments: Payment[] = []
  return {
    payments,
    async pay() {
      const place = random.pick(places as [Place, ...Place[]])
      const isSmall = random.chance(0.15)
      const isTooLittle = random.chance(0.15)
      const amount = isSmall
        ? MINIMUM / 3n + BigInt(random.integer(0, 99))
        : isTooLittle
          ? TOO_LITTLE - BigInt(random.integer(0, 99))
          : parseUnits(String(random.integer(5, 50)), 6) + BigInt(random.integer(0, 999))
      nonce ??= await client.getTransactionCount({ address: account.address })
      const hash = await client.sendTransaction({
        account,
        to: place.token,
        nonce,
        gas: 200_000n,
        data: encodeFunctionData({
          abi: erc20Abi,
          functionName: 'transfer',
          args: [place.address, amount],
        }),
      })
      nonce += 1
      payments.push({ hash, place, amount })
    },
  }
}
