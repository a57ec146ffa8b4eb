import { join } from 'node:path'
import type { Address } from 'viem'
import { compileContracts } from '../../contracts/compileContracts.ts'
import { userAt } from '../../devnet/accounts.ts'
import { setAssetClosed } from '../../devnet/controls.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import type { TokenSymbol } from '../../devnet/plan.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { type DevnetClient, type World, worldClient } from '../../devnet/world.ts'
import { registerPlace } from '../chaos/depositPlaces.ts'
import { encodeHandCall } from '../support/handCall.ts'
import { lower } from '../support/lower.ts'
import { blacklist, type Place } from './keeperTraffic.ts'

/** An address of generation B. */
export type PaidPlace = Place & {
  /** The chain of the vault. */
  chainId: number
  /** The end of the payments that the address accepts. */
  end: 'deposited' | 'recovered' | 'refunded'
  /** Whether small payments are settled once they are as much as the minimum. The fees of Harbor Prime would take them. */
  settlesSmall: boolean
}

const PAYERS = [0, 1, 2].map(userAt)
const OUTLAW = 6
/** Refused by the attestation provider. */
const REFUSED = 9
const ROOT = join(import.meta.dirname, '../..')
const UNLISTED_UNITS = 10n ** 30n

type Wanted = { vault: string; chainId: number; token: TokenSymbol; user: number }

const WANTED: (Wanted & { end?: PaidPlace['end'] })[] = [
  ...[3, 4, 5].flatMap((user) => [
    { vault: 'Harbor Dollar', chainId: 1, token: 'USDC', user } as const,
    { vault: 'Harbor Dollar', chainId: 1, token: 'USDC', user } as const,
    { vault: 'Harbor Dollar', chainId: 1, token: 'USDG', user } as const,
    { vault: 'Harbor Dollar', chainId: 1, token: 'USDT', user } as const,
    { vault: 'Harbor Prime', chainId: 1, token: 'USDC', user } as const,
    { vault: 'Harbor Dollar', chainId: 8453, token: 'USDC', user } as const,
  ]),
  { vault: 'Harbor Dollar', chainId: 2201, token: 'USDG', user: 3 },
  { vault: 'Harbor Gold', chainId: 999, token: 'USDC', user: 4 },
  { vault: 'Harbor Prime', chainId: 11_155_111, token: 'USDG', user: 5 },
  { vault: 'Harbor Dollar', chainId: 1, token: 'USDC', user: OUTLAW, end: 'recovered' },
  { vault: 'Harbor Prime', chainId: 1, token: 'USDC', user: REFUSED, end: 'recovered' },
  { vault: 'Harbor Prime', chainId: 1, token: 'USDG', user: 3, end: 'refunded' },
]

/** Registers addresses on all chains with vaults, for every ending of a deposit. */
export async function registerPaidPlaces(
  url: string,
  world: World,
): Promise<[PaidPlace, ...PaidPlace[]]> {
  const register = async (
    { vault, chainId, token, user, end = 'deposited' }: (typeof WANTED)[number],
    index: number,
  ): Promise<PaidPlace> => {
    const { vault: address } = vaultDeployment(vault, chainId)
    const wanted = { user, vault: address, token: DEPLOYMENT.tokens[token], chainId }
    const place = await registerPlace(url, wanted, `payments-${index}`)
    return {
      ...place,
      user: lower(place.user),
      token: lower(place.token),
      vault: lower(place.vault),
      chainId,
      end,
      settlesSmall: vault !== 'Harbor Prime',
    }
  }
  const [first, ...others] = await Promise.all(WANTED.map(register))
  if (!first) throw new Error('Invariant(registerPaidPlaces): there are places')
  await blacklist(world, userAt(OUTLAW).address)
  await setAssetClosed(world, { chainId: 1, vault: 'Harbor Prime', token: 'USDG' }, true)
  return [first, ...others]
}

/** The accounts that pay. They have plenty of every listed token on every chain. */
export function payers() {
  const [first, ...others] = PAYERS
  if (!first) throw new Error('Invariant(payers): there are payers')
  return [first, ...others] as const
}

/** Creates a token on each chain that the address book does not name, and gives the payers plenty. Returns its address by chain id. */
export async function createUnlistedTokens(world: World): Promise<Map<number, Address>> {
  const { PlainToken } = await compileContracts(join(ROOT, 'devnet/contracts'))
  if (!PlainToken) throw new Error('PlainToken was not compiled')
  const { abi, bytecode } = PlainToken
  const [owner] = payers()
  const create = async (client: DevnetClient) => {
    const args = ['Worthless', 'NIL', 6, owner.address]
    const created = await client.deployContract({ account: owner, abi, bytecode, args })
    const { contractAddress } = await client.waitForTransactionReceipt({ hash: created })
    if (!contractAddress) throw new Error('no token was created')
    const accounts = PAYERS.map(({ address }) => address)
    const data = encodeHandCall([
      'function mint(address[] accounts, uint256 amount)',
      accounts,
      UNLISTED_UNITS,
    ])
    const hash = await client.sendTransaction({ account: owner, to: contractAddress, data })
    await client.waitForTransactionReceipt({ hash })
    return lower(contractAddress)
  }
  const chainIds = world.addressBook.chains.map(({ id }) => id)
  const tokens = await Promise.all(chainIds.map((id) => create(worldClient(world, id))))
  return new Map(chainIds.map((id, index) => [id, tokens[index] ?? '0x']))
}
