import { useId } from 'react'
import { useSession } from '../session/SessionProvider.tsx'

/** Shows the organization for which the person speaks, and changes it where they have several. */
export function OrganizationChooser() {
  const { session, organization, chooseOrganization } = useSession()
  const id = useId()
  const organizations = session?.member?.organizations ?? []
  if (!organization) return null
  if (organizations.length === 1) return <p className="organization">{organization.name}</p>
  return (
    <div className="organization">
      <label htmlFor={id} className="hidden">
        Organization
      </label>
      <select
        id={id}
        value={organization.id}
        onChange={(event) => chooseOrganization(event.target.value)}
      >
        {organizations.map((one) => (
          <option key={one.id} value={one.id}>
            {one.name}
          </option>
        ))}
      </select>
    </div>
  )
}
