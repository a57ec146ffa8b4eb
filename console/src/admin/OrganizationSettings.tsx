import { type components, type Parameters, updateOrganization } from '@causeway/sdk'
import { completeAuditLogOptions, organizationsOptions } from '@causeway/sdk/react'
import { type FormEvent, useState } from 'react'
import { useProvenChange } from '../api/useProvenChange.ts'
import { Badge } from '../components/Badge.tsx'
import { Button } from '../components/Button.tsx'
import { Card } from '../components/Card.tsx'
import { Check } from '../components/Check.tsx'
import { Choice } from '../components/Choice.tsx'
import { Field } from '../components/Field.tsx'
import { Refusal } from '../components/Refusal.tsx'
import { takeTexts } from '../components/takeTexts.ts'
import { entriesOf } from '../format/entriesOf.ts'
import { TIERS } from './tiers.ts'

type Organization = components['schemas']['Organization']

/** The settings of an organization, which an operator changes. */
export function OrganizationSettings({ organization }: { organization: Organization }) {
  const [tier, setTier] = useState(organization.rateLimitTier)
  const [settles, setSettles] = useState(organization.settleOnSubmit)
  const [requiresFactor, setRequiresFactor] = useState(organization.requiresSecondFactor)
  const change = useProvenChange(
    (connection, given: Parameters<'updateOrganization'>) => updateOrganization(connection, given),
    [organizationsOptions, completeAuditLogOptions],
  )
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const text = takeTexts(event)
    change.mutate({
      organizationId: organization.id,
      name: text('name'),
      rateLimitTier: tier,
      slippageBps: Number(text('slippage')),
      defaultDistributorCode: text('code'),
      settleOnSubmit: settles,
      requiresSecondFactor: requiresFactor,
    })
  }
  return (
    <Card title="Settings">
      <form onSubmit={submit}>
        <div className="form-row">
          <Field
            label="Name"
            name="name"
            required
            maxLength={100}
            defaultValue={organization.name}
          />
          <Choice name="Quota" value={tier} options={entriesOf(TIERS)} onChoose={setTier} />
          <Field
            label="Slippage of deposits, in basis points"
            name="slippage"
            type="number"
            min={0}
            max={10_000}
            required
            defaultValue={organization.slippageBps}
          />
          <Field
            label="Distributor code"
            name="code"
            placeholder="none"
            spellCheck={false}
            defaultValue={organization.defaultDistributorCode ?? ''}
            hint="0x and 1 to 32 bytes in hex. Empty for none."
          />
        </div>
        <Check
          label="Settle withdrawal requests with their submission, where that is possible"
          checked={settles}
          onChange={({ target }) => setSettles(target.checked)}
        />
        <Check
          label="Require a second factor of every member"
          checked={requiresFactor}
          onChange={({ target }) => setRequiresFactor(target.checked)}
        />
        <Refusal error={change.error} />
        <div className="form-actions">
          <Button type="submit" look="primary" disabled={change.isPending}>
            Save
          </Button>
          <span role="status">{change.isSuccess && <Badge tone="good">Saved</Badge>}</span>
        </div>
      </form>
    </Card>
  )
}
