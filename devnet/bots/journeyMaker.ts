import type { Address, Hex, LocalAccount } from 'viem'
import { transitStationAbi } from '../../abis/transitStation.ts'
import { DEVNET_REFUSED_USER, userAt } from '../accounts.ts'
import { DEPLOYMENT } from '../deployment.ts'
import { placeOrder } from '../placeOrder.ts'
import type { TokenSymbol } from '../plan.ts'
import { removeOrder } from '../stationOwner.ts'
import { vaultDeployment } from '../vaults/deployment.ts'
import { type World, worldClient } from '../world.ts'
import { HOLD_EXECUTION } from './hold.ts'
import { type Bot, type BotOptions, startBot } from './startBot.ts'

type JourneyMakerOptions = Omit<BotOptions, 'activity'> & {
  /** The installation, and a key of it with the permission `smart-deposits`. */
  apiUrl: string
  apiKey: string
}

type JourneySeed = {
  ending: 'finalized' | 'retained' | 'recovered' | 'removed'
  user: LocalAccount
  vault: string
  want: TokenSymbol
  /** Base units of USDG on the source chain. */
  amount: bigint
  distributorCode?: Hex
}

const [FROM, TO] = [4663, 1]
const user = userAt(4)

const SEEDS: JourneySeed[] = [
  { ending: 'finalized', user, vault: 'Harbor Dollar', want: 'USDG', amount: 250_000_000n },
  // Below the least payment of the token.
  { ending: 'retained', user, vault: 'Harbor Dollar', want: 'USDG', amount: 5_000n },
  // The attestation provider refuses the user.
  {
    ending: 'recovered',
    user: DEVNET_REFUSED_USER,
    vault: 'Harbor Prime',
    want: 'USDC',
    amount: 60_000_000n,
  },
  {
    ending: 'removed',
    user,
    vault: 'Harbor Dollar',
    want: 'USDG',
    amount: 40_000_000n,
    distributorCode: HOLD_EXECUTION,
  },
]

/**
 * Once the API answers, it makes journeys in a world that has none: one for each way in which a journey can end without a
 * change for others. It registers a smart deposit address and submits an order to it. The other bots and the keeper do the
 * rest.
 */
export function startJourneyMaker(options: JourneyMakerOptions): Bot {
  const { world, logger, everyMs = 5_000 } = options
  const left = [...SEEDS]
  /** The index has an order some seconds after its submission. */
  const placed = new Set<JourneySeed>()
  const ask = apiOf(options)

  async function run() {
    const [seed] = left
    if (!seed) return
    const known = await ask(`/v2/earn/journeys?${journeysOf(seed)}`)
    if (known.journeys.length > 0) {
      const isDone = seed.ending !== 'removed' || (await isRemoved(world, known.journeys))
      if (isDone) left.shift()
      return
    }
    if (placed.has(seed)) return
    const { smartDepositAddress } = await ask('/v2/earn/smartDepositAddresses', placeOf(seed))
    const { orderId } = await placeOrder(world, {
      user: seed.user,
      sourceChainId: FROM,
      destinationChainId: TO,
      offerAsset: DEPLOYMENT.tokens.USDG,
      wantAsset: DEPLOYMENT.tokens[seed.want],
      offerAmount: seed.amount,
      receiver: smartDepositAddress,
      ...(seed.distributorCode ? { distributorCode: seed.distributorCode } : {}),
    })
    placed.add(seed)
    logger.info({ orderId, ending: seed.ending }, 'journey')
  }
  return startBot({ name: 'journey maker', everyMs, logger }, [{ chainId: FROM, run }])
}

type Known = { id: Hex; status: string }
type Answer = { smartDepositAddress: Address; journeys: Known[] }

/** Removes the order once it has arrived. */
async function isRemoved(world: World, journeys: Known[]): Promise<boolean> {
  const arrived = journeys.filter(({ status }) => status === 'BRIDGED')
  for (const { id } of arrived) {
    const isPending = await worldClient(world, TO).readContract({
      address: DEPLOYMENT.station,
      abi: transitStationAbi,
      functionName: 'pendingOrderIdsContains',
      args: [id],
    })
    if (isPending) await removeOrder(world, TO, id)
  }
  return journeys.every(({ status }) => status === 'REMOVED')
}

/** The body that registers the address of a journey. Its customer tells the journeys apart. */
function placeOf({ ending, user: { address }, vault, want }: JourneySeed) {
  return {
    userDestinationAddress: address,
    vaultAddress: vaultDeployment(vault, TO).vault,
    inputToken: DEPLOYMENT.tokens[want],
    chainId: TO,
    customerId: `local-${ending}`,
  }
}

function journeysOf(seed: JourneySeed): URLSearchParams {
  const { userDestinationAddress: userAddress, customerId } = placeOf(seed)
  return new URLSearchParams({ userAddress, filter: `customerId = "${customerId}"` })
}

function apiOf({ apiUrl, apiKey }: Pick<JourneyMakerOptions, 'apiUrl' | 'apiKey'>) {
  return async (path: string, body?: object): Promise<Answer> => {
    const response = await fetch(`${apiUrl}${path}`, {
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    // As the API documents it.
    return (await response.json()) as Answer
  }
}
