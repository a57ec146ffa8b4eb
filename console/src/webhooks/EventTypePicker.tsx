import { Answered } from '../components/states.tsx'
import { selects, withType } from './endpointDraft.ts'
import type { EventDescription } from './eventCatalogue.ts'
import { useEventCatalogue } from './useEventCatalogue.ts'

const GROUPS = [
  ['smart_deposit', 'Smart deposits'],
  ['transit', 'Orders'],
  ['withdrawal', 'Withdrawal requests'],
  ['vault', 'Vaults'],
] as const

type Props = { chosen: readonly string[]; onChange: (chosen: readonly string[]) => void }

/** Chooses types of events, whole groups, or all. */
export function EventTypePicker(props: Props) {
  const query = useEventCatalogue()
  return (
    <div className="stack">
      <Check {...props} pattern="*" name="All types, also those of later versions" />
      <Answered query={query}>
        {(catalogue) => (
          <div className="event-groups">
            {GROUPS.map(([group, name]) => (
              <Group
                key={group}
                {...props}
                group={group}
                name={name}
                types={catalogue.filter(({ type }) => type.startsWith(`${group}.`))}
              />
            ))}
          </div>
        )}
      </Answered>
    </div>
  )
}

type GroupProps = Props & { group: string; name: string; types: readonly EventDescription[] }

function Group({ group, name, types, ...props }: GroupProps) {
  return (
    <fieldset>
      <legend>{name}</legend>
      <Check {...props} pattern={`${group}.*`} name="All of these" />
      {types.map(({ type, summary }) => (
        <Check key={type} {...props} pattern={type} name={type} about={summary} />
      ))}
    </fieldset>
  )
}

type CheckProps = Props & { pattern: string; name: string; about?: string }

function Check({ chosen, onChange, pattern, name, about }: CheckProps) {
  const isCovered = chosen.some((other) => other !== pattern && selects(other, pattern))
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={isCovered || chosen.includes(pattern)}
        disabled={isCovered}
        onChange={({ target }) => onChange(withType(chosen, pattern, target.checked))}
      />
      <span>
        {name}
        {about && <span className="muted"> {about}</span>}
      </span>
    </label>
  )
}
