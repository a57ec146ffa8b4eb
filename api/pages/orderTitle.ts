import type { FastifyRequest } from 'fastify'
import { formatUnits, type Hex } from 'viem'
import { getTransitOrder } from '../../domain/transit/orders/getTransitOrder.ts'
import type { TransitOrderStatus } from '../../domain/transit/orders/transitOrder.ts'
import { requestContextOf } from '../http/requestContext.ts'

export type PageTitle = { title: string; description: string }

const STATUS: Record<TransitOrderStatus, string> = {
  PENDING_BRIDGE: 'on its way',
  PROCESSING: 'being paid',
  PROCESSED: 'paid',
  REMOVED: 'removed',
}

/** Reads the title of an order's page, for previews of its link. A page whose order cannot be read has a plain title. */
export async function orderTitle(id: string, request: FastifyRequest): Promise<PageTitle> {
  const name = `Order ${id.slice(0, 6)}…${id.slice(-4)}`
  const plain = { title: `${name} · Causeway`, description: 'A Transit order and its status.' }
  const context = requestContextOf(request)
  // The page's own read reports a failure; a preview needs only some title.
  const order = await getTransitOrder(context, id.toLowerCase() as Hex).catch(() => null)
  if (!order) return plain
  const { status, amountDue, remainingAmountDue, destinationChainId, wantAsset } = order
  const chain = context.addressBook.chains.find((one) => one.id === destinationChainId)
  // Without the token's decimals the title has no amount.
  const token = await context.tokens.get(destinationChainId, wantAsset).catch(() => null)
  const amount = (value: bigint) =>
    token ? `${formatUnits(value, token.decimals)} ${token.symbol}` : 'The amount'
  return {
    title: `${name}: ${STATUS[status]} · Causeway`,
    description: `${amount(amountDue)} to ${chain?.name ?? `chain ${destinationChainId}`}. Paid so far: ${amount(amountDue - remainingAmountDue)}.`,
  }
}
