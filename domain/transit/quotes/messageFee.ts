import type { Hex } from 'viem'
import { transitStationAbi } from '../../../abis/transitStation.ts'
import { revertOf } from '../../chain/revert.ts'
import type { SharedServices } from '../../context.ts'
import type { OrderPrice } from '../priceOrder.ts'
import type { ResolvedRoute } from '../routes/resolvedRoutes.ts'
import type { TransitQuote } from '../terms/quoteTypedData.ts'
import { stationUnavailable } from './stationRefusals.ts'

/**
 * The fee in wei to send with an order: the station's present fee for the message, with headroom. The
 * endpoint refunds the excess. 0 for an order within one chain. Throws `STATION_NOT_CONNECTED` or
 * `RPC_UNAVAILABLE`.
 */
export async function messageFee(
  { chains, settings }: Pick<SharedServices, 'chains' | 'settings'>,
  { source, destination }: ResolvedRoute,
  { orderId, quote, price }: { orderId: Hex; quote: TransitQuote; price: OrderPrice },
): Promise<bigint> {
  if (source.chainId === destination.chainId) return 0n
  const terms = {
    uuid: orderId,
    wantAsset: quote.route.wantAsset,
    receiver: quote.receiver,
    offerAsset: quote.route.offerAsset,
    offerAmountNormalized18AfterFees: price.netNormalized18,
  }
  const fee = await chains.read(source.chainId, (client) =>
    client
      .readContract({
        address: source.station,
        abi: transitStationAbi,
        functionName: 'quoteSend',
        args: [destination.eid, terms],
      })
      .catch((error) => {
        if (!revertOf(error, transitStationAbi)) throw error
        throw stationUnavailable(
          source.chainId,
          'STATION_NOT_CONNECTED',
          `The transit station of chain ${source.chainId} cannot send to chain ${destination.chainId}`,
          error,
        )
      }),
  )
  return fee + (fee * BigInt(settings.messageFeeHeadroomPercent) + 99n) / 100n
}
