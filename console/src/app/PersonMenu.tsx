import { Link } from '@tanstack/react-router'
import { Dialog } from 'radix-ui'
import { useState } from 'react'
import { Icon } from '../components/Icon.tsx'
import { Refusal } from '../components/Refusal.tsx'
import { useSession } from '../session/SessionProvider.tsx'
import { KeyDialog } from './KeyDialog.tsx'
import { SignInLink } from './SignInLink.tsx'

/** The menu of the person who is signed in; otherwise the ways to be somebody. */
export function PersonMenu() {
  const { session } = useSession()
  if (session?.member) return <Menu />
  return (
    <>
      <KeyDialog />
      {session?.signIn && <SignInLink />}
    </>
  )
}

function Menu() {
  const { session, organization, signOut } = useSession()
  const [isOpen, setOpen] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const member = session?.member
  if (!member) return null
  const role = member.isOperator ? 'operator' : organization?.role
  return (
    // Not modal: the page behind a modal one would be locked by a style that the policy refuses.
    <Dialog.Root open={isOpen} onOpenChange={setOpen} modal={false}>
      <Dialog.Trigger className="button">
        <Icon name="person" />
        {member.name}
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Content className="menu" aria-describedby={undefined}>
          <Dialog.Title className="menu-title">{member.name}</Dialog.Title>
          <p className="muted">
            {member.email}
            {role && `, ${role}`}
          </p>
          <ul>
            <li>
              <Link to="/console/account" onClick={() => setOpen(false)}>
                <Icon name="person" />
                Your account
              </Link>
            </li>
            <li>
              <button type="button" onClick={() => void signOut().catch(setError)}>
                <Icon name="leave" />
                Sign out
              </button>
            </li>
          </ul>
          {/* After a failed sign-out the session is still open, so the person must see it. */}
          <Refusal error={error} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
