import { Badge } from '../components/Badge.tsx'
import { ORDER_STATUS } from './orderStatus.ts'
import type { Order } from './useLiveOrder.ts'

export function OrderStatusBadge({ status }: { status: Order['status'] }) {
  const { name, tone } = ORDER_STATUS[status]
  return <Badge tone={tone}>{name}</Badge>
}
