import { setTimeout as sleep } from 'node:timers/promises'
import { type Address, erc20Abi, getAbiItem, type Hex } from 'viem'
import { userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { type World, worldClient } from '../../devnet/world.ts'
import { blacklist, CHAIN_ID, type Payment, type Place } from '../simulation/keeperTraffic.ts'
import { ask } from '../support/ask.ts'

const { USDC, USDG } = DEPLOYMENT.tokens
const PRIME = vaultDeployment('Harbor Prime', CHAIN_ID).vault
const DOLLAR = vaultDeployment('Harbor Dollar', CHAIN_ID).vault
const OUTLAW = 6
/** Refused by the attestation provider. */
const REFUSED = 9
/** Users 4 and 8 have no other shares: the traffic of vaults is that of users 0 to 3 and 7. */
const WANTED = [
  { user: 4, vault: DOLLAR, token: USDC },
  { user: 4, vault: PRIME, token: USDC },
  { user: 8, vault: DOLLAR, token: USDG },
  { user: 8, vault: PRIME, token: USDC },
  { user: OUTLAW, vault: DOLLAR, token: USDC },
  { user: REFUSED, vault: PRIME, token: USDC },
]

type WantedPlace = { user: number; vault: Address; token: Address; chainId?: number }

/** Registers an address over the API for every ending of a deposit. */
export async function registerOverApi(url: string, world: World): Promise<Place[]> {
  const places: Place[] = []
  for (const [index, wanted] of WANTED.entries())
    places.push(await registerPlace(url, wanted, `place-${index}`))
  await blacklist(world, userAt(OUTLAW).address)
  return places
}

/** Registers a customer's address over the API. */
export async function registerPlace(
  url: string,
  { user, vault, token, chainId = CHAIN_ID }: WantedPlace,
  customerId: string,
): Promise<Place> {
  const register = () =>
    ask(`${url}/v2/earn/smartDepositAddresses`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        userDestinationAddress: userAt(user).address,
        vaultAddress: vault,
        inputToken: token,
        chainId,
        customerId,
      }),
    })
  let response = await register()
  // A node of a busy machine can be late. The same registration gives the same address.
  for (let again = 0; response.status === 503 && again < 20; again += 1) {
    await sleep(500)
    response = await register()
  }
  if (!response.ok) throw new Error(`no address: ${await response.text()}`)
  const { smartDepositAddress } = (await response.json()) as { smartDepositAddress: Address }
  const address = smartDepositAddress.toLowerCase() as Address
  return { address, token, vault, user: userAt(user).address }
}

const TRANSFER = getAbiItem({ abi: erc20Abi, name: 'Transfer' })

/** The payments to these addresses that the chain has now. */
export async function readPayments(world: World, places: Place[]): Promise<Payment[]> {
  const perPlace = places.map(async (place) => {
    const logs = await worldClient(world, CHAIN_ID).getLogs({
      address: place.token,
      event: TRANSFER,
      args: { to: place.address },
      fromBlock: 0n,
      strict: true,
    })
    return logs.map(({ transactionHash, args }) => ({
      hash: transactionHash as Hex,
      place,
      amount: args.value,
    }))
  })
  return (await Promise.all(perPlace)).flat()
}
