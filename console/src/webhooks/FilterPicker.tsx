import { Check } from '../components/Check.tsx'
import { Field } from '../components/Field.tsx'
import type { EndpointDraft } from './endpointDraft.ts'

const KINDS = [
  ['own', "Events with your organization's distributor code", 'The orders that came through you.'],
  ['all', 'Events of everybody', 'All orders, withdrawal requests and vaults.'],
  ['expression', 'Events that match an expression', 'Such as those of one vault or one user.'],
] as const

type Props = { draft: EndpointDraft; onChange: (part: Partial<EndpointDraft>) => void }

/** Chooses whose events are sent. Those of smart deposits are always the organization's own. */
export function FilterPicker({ draft, onChange }: Props) {
  return (
    <div className="stack">
      <fieldset>
        <legend>Orders, withdrawal requests and vaults</legend>
        {KINDS.map(([kind, name, about]) => (
          <Check
            key={kind}
            type="radio"
            name="filterKind"
            label={name}
            about={about}
            checked={draft.filterKind === kind}
            onChange={() => onChange({ filterKind: kind })}
          />
        ))}
      </fieldset>
      {draft.filterKind === 'expression' && (
        <Field
          label="Expression"
          name="expression"
          value={draft.expression}
          onChange={({ target }) => onChange({ expression: target.value })}
          hint="Keys: distributorCode, userAddress, vaultAddress. Join with AND and OR."
          required
        />
      )}
      <p className="muted">
        Smart deposits of your organization are sent whatever you choose here.
      </p>
    </div>
  )
}
