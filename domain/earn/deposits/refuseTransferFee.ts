import type { ChainClients } from '../../chain/chainClients.ts'
import { refusedField } from '../../error/serviceError.ts'
import { unlessUnavailable } from '../../error/unlessUnavailable.ts'
import { within } from '../../loop/within.ts'
import { readArriving, type TokenTransfer } from '../../token/arrivingAmount.ts'
import { checksummed } from '../../token/checksummed.ts'

/** So that a slow node delays no answer for longer. */
const MOST_MS = 1_000

/**
 * Throws `ASSET_NOT_DEPOSITABLE` for an asset that takes a fee from transfers: a depositor moves on the amount that it was
 * told, and less is there, so the chain refuses every deposit. Nothing is refused where the node does not show it in time.
 */
export async function refuseTransferFee(
  { chains }: { chains: ChainClients },
  chainId: number,
  transfer: TokenTransfer,
): Promise<void> {
  const { token, amount } = transfer
  const read = chains.read(chainId, (client) => readArriving(client, transfer))
  const arriving = await within(MOST_MS, read.catch(unlessUnavailable))
  if (arriving === null || arriving >= amount) return
  throw refusedField('ASSET_NOT_DEPOSITABLE', {
    field: 'depositAsset',
    description: `this asset takes a fee from transfers, so the vault refuses it: of ${amount} base units ${arriving} would arrive`,
    metadata: { asset: checksummed(token), amount: String(amount), arriving: String(arriving) },
  })
}
