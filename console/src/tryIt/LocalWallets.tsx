import { Card } from '../components/Card.tsx'
import { Choice } from '../components/Choice.tsx'
import { LOCAL_ACCOUNTS } from './localAccounts.ts'

type Props = { index: number; onChoose: (index: number) => void }

/** The choice of an account of the local world. */
export function LocalWallets({ index, onChoose }: Props) {
  return (
    <Card title="Account">
      <div className="form-row">
        <Choice
          name="Local account"
          value={String(index)}
          options={LOCAL_ACCOUNTS.map(({ address }, at) => [String(at), address])}
          onChoose={(chosen) => onChoose(Number(chosen))}
        />
        <p className="muted">
          These accounts are public and work on the local chains only. This page signs with their
          keys.
        </p>
      </div>
    </Card>
  )
}
