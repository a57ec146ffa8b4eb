import { Badge } from '../components/Badge.tsx'
import type { Order } from './orderStatus.ts'
import { ORDER_STATUS } from './orderStatus.ts'

export function OrderStatusBadge({ status }: { status: Order['status'] }) {
  const { name, tone } = ORDER_STATUS[status]
  return <Badge tone={tone}>{name}</Badge>
}
