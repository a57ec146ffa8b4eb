import { Page } from '../components/Page.tsx'
import { NoPermission } from '../components/states.tsx'
import { useSession } from '../session/SessionProvider.tsx'
import { PasswordCard } from './PasswordCard.tsx'
import { SecondFactorCard } from './SecondFactorCard.tsx'
import { SessionsCard } from './SessionsCard.tsx'

/** The password, the second factor and the sessions of the person who is signed in. */
export function AccountPage() {
  const member = useSession().session?.member
  if (!member)
    return (
      <Page title="Your account">
        <NoPermission permission={null} />
      </Page>
    )
  return (
    <Page title="Your account" about={`${member.name}, ${member.email}`}>
      <div className="grid-2">
        {member.hasPassword && <SecondFactorCard isOn={member.hasSecondFactor} />}
        {member.hasPassword && <PasswordCard />}
      </div>
      <SessionsCard />
    </Page>
  )
}
