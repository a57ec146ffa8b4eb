import { Badge } from '../components/Badge.tsx'
import { type SmartDeposit, shownStatus } from './depositStatus.ts'

export function DepositStatusBadge({
  deposit,
}: {
  deposit: Pick<SmartDeposit, 'status' | 'remediation' | 'reason'>
}) {
  const { name, tone } = shownStatus(deposit)
  return <Badge tone={tone}>{name}</Badge>
}
