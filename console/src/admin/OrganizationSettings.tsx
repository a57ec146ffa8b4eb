import { type components, updateOrganization } from '@causeway/sdk'
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
import { changedSettings, type Settings } from './changedSettings.ts'
import { TIERS } from './tiers.ts'

type Organization = components['schemas']['Organization']

/** The settings of an organization, which an operator changes. */
export function OrganizationSettings({ organization }: { organization: Organization }) {
  // The first or last saved values of the fields. The organization itself is read again and again.
  const [begun, setBegun] = useState(() => settingsOf(organization))
  const [tier, setTier] = useState(begun.rateLimitTier)
  const [settles, setSettles] = useState(begun.settleOnSubmit)
  const [requiresFactor, setRequiresFactor] = useState(begun.requiresSecondFactor)
  const change = useProvenChange(
    async (connection, given: Settings) => {
      const changes = changedSettings(begun, given)
      await updateOrganization(connection, { organizationId: organization.id, ...changes })
      return given
    },
    [organizationsOptions, completeAuditLogOptions],
    { onSuccess: setBegun },
  )
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const text = takeTexts(event)
    change.mutate({
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
          <Field label="Name" name="name" required maxLength={100} defaultValue={begun.name} />
          <Choice name="Quota" value={tier} options={entriesOf(TIERS)} onChoose={setTier} />
          <Field
            label="Slippage of deposits, in basis points"
            name="slippage"
            type="number"
            min={0}
            max={10_000}
            required
            defaultValue={begun.slippageBps}
          />
          <Field
            label="Distributor code"
            name="code"
            placeholder="none"
            spellCheck={false}
            defaultValue={begun.defaultDistributorCode}
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

/** The settings as the fields show them. */
function settingsOf(organization: Organization): Settings {
  const { name, rateLimitTier, slippageBps, settleOnSubmit, requiresSecondFactor } = organization
  const defaultDistributorCode = organization.defaultDistributorCode ?? ''
  return {
    name,
    rateLimitTier,
    slippageBps,
    defaultDistributorCode,
    settleOnSubmit,
    requiresSecondFactor,
  }
}
