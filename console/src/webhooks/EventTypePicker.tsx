import { Check } from '../components/Check.tsx'
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
      <TypeCheck {...props} pattern="*" name="All types, also those of later versions" />
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
      <TypeCheck {...props} pattern={`${group}.*`} name="All of these" />
      {types.map(({ type, summary }) => (
        <TypeCheck key={type} {...props} pattern={type} name={type} about={summary} />
      ))}
    </fieldset>
  )
}

type TypeCheckProps = Props & { pattern: string; name: string; about?: string }

function TypeCheck({ chosen, onChange, pattern, name, about }: TypeCheckProps) {
  const isCovered = chosen.some((other) => other !== pattern && selects(other, pattern))
  return (
    <Check
      label={name}
      about={about}
      checked={isCovered || chosen.includes(pattern)}
      disabled={isCovered}
      onChange={({ target }) => onChange(withType(chosen, pattern, target.checked))}
    />
  )
}
