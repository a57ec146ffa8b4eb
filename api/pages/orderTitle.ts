import type { FastifyRequest } from 'fastify'
import { formatUnits } from 'viem'
import { z } from 'zod'
import { admitOperation, executeOperation } from '../graphql/admitOperation.ts'
import { prepareOperation } from '../graphql/prepareOperation.ts'
import { requestContextOf } from '../http/requestContext.ts'
import { graphql } from '../rest/route.ts'

export type PageTitle = { title: string; description: string }

const DOCUMENT = graphql`query orderTitle($id: Hash!) {
  transitOrder(id: $id) {
    status amountDue remainingAmountDue wantAsset destinationChainId tokenMetadata
  }
}`

const orderSchema = z.object({
  status: z.enum(['PENDING_BRIDGE', 'PROCESSING', 'PROCESSED', 'REMOVED']),
  amountDue: z.string(),
  remainingAmountDue: z.string(),
  wantAsset: z.string(),
  destinationChainId: z.number(),
  tokenMetadata: z.record(z.string(), z.object({ symbol: z.string(), decimals: z.string() })),
})

const STATUS: Record<z.output<typeof orderSchema>['status'], string> = {
  PENDING_BRIDGE: 'on its way',
  PROCESSING: 'being paid',
  PROCESSED: 'paid',
  REMOVED: 'removed',
}

/** Reads the title of an order's page, for previews of its link. A page whose order cannot be read has a plain title. */
export function createOrderTitles(): (id: string, request: FastifyRequest) => Promise<PageTitle> {
  const prepared = prepareOperation(DOCUMENT)
  return async (id, request) => {
    const name = `Order ${id.slice(0, 6)}…${id.slice(-4)}`
    const plain = { title: `${name} · Causeway`, description: 'A Transit order and its status.' }
    const context = requestContextOf(request)
    const admitted = admitOperation(prepared, { variables: { id }, context })
    const { data } = await executeOperation(admitted)
    const { success, data: order } = orderSchema.safeParse(data?.transitOrder)
    if (!success) return plain
    const chain = context.addressBook.chains.find((one) => one.id === order.destinationChainId)
    const token = order.tokenMetadata[`${order.destinationChainId}:${order.wantAsset}`]
    const amount = (value: string) =>
      token ? `${formatUnits(BigInt(value), Number(token.decimals))} ${token.symbol}` : 'The amount'
    const paid = BigInt(order.amountDue) - BigInt(order.remainingAmountDue)
    return {
      title: `${name}: ${STATUS[order.status]} · Causeway`,
      description: `${amount(order.amountDue)} to ${chain?.name ?? `chain ${order.destinationChainId}`}. Paid so far: ${amount(String(paid))}.`,
    }
  }
}
