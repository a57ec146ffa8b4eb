import { useMutation } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { BarePage } from '../app/BarePage.tsx'
import { Button } from '../components/Button.tsx'
import { Field } from '../components/Field.tsx'
import { PasswordField } from '../components/PasswordField.tsx'
import { Refusal } from '../components/Refusal.tsx'
import { Empty, Loading } from '../components/states.tsx'
import { Time } from '../components/Time.tsx'
import { takeTexts } from '../components/takeTexts.ts'
import { askConsole } from '../session/askConsole.ts'
import { useSession } from '../session/SessionProvider.tsx'
import { SignInForm } from './SignInForm.tsx'

type Invitation = {
  email: string
  organization: string | null
  role: string | null
  isOperator: boolean
  expiresAt: string
}

/** The page of an invitation's link. Its token is the fragment of the address, which is never sent in a URL. */
export function InvitationPage() {
  const [token] = useState(() => location.hash.slice(1))
  const { mutate, data, error } = useMutation({
    mutationFn: () => askConsole<Invitation>('/invitations/show', { token }),
  })
  useEffect(() => {
    if (token) mutate()
  }, [token, mutate])
  if (data) return <Acceptance invitation={data} token={token} />
  const isRefused = error || !token
  return (
    <BarePage title="Invitation">
      {isRefused ? (
        <Empty title="This invitation cannot be used">
          A link works once, for seven days. Ask for another one.
        </Empty>
      ) : (
        <Loading rows={4} />
      )}
      <Refusal error={error} />
    </BarePage>
  )
}

function Acceptance({ invitation, token }: { invitation: Invitation; token: string }) {
  const { session, refresh } = useSession()
  const router = useRouter()
  const accept = useMutation({
    mutationFn: (body: { name?: string; password?: string }) =>
      askConsole('/invitations/accept', { token, ...body }),
    async onSuccess() {
      router.history.replace('/console')
      await refresh()
    },
  })
  // The person says it: the link must not tell its maker.
  const [hasAccount, setHasAccount] = useState(false)
  const { email, organization, role, isOperator, expiresAt } = invitation
  const isTheirs = session?.member?.email === email
  const title = organization ? `Join ${organization}` : 'Join Causeway'
  return (
    <BarePage title={title}>
      <p className="muted">
        {email} is invited as {isOperator ? 'an operator' : `a ${role}`}, until{' '}
        <Time time={new Date(expiresAt)} />.
      </p>
      {!isTheirs && !hasAccount && (
        <form
          onSubmit={(event) => {
            const text = takeTexts(event)
            accept.mutate({ name: text('name'), password: text('password') })
          }}
        >
          <Field label="Your name" name="name" autoComplete="name" required />
          <PasswordField isNew label="Password" name="password" hint="12 to 128 characters." />
          <Button type="submit" look="primary" disabled={accept.isPending}>
            Accept
          </Button>
          <Button onClick={() => setHasAccount(true)}>I have an account</Button>
        </form>
      )}
      {!isTheirs && hasAccount && (
        <>
          <p>Sign in as {email} first.</p>
          <SignInForm returnPath={location.pathname + location.hash} />
        </>
      )}
      {isTheirs && (
        <Button look="primary" disabled={accept.isPending} onClick={() => accept.mutate({})}>
          Accept
        </Button>
      )}
      <Refusal error={accept.error} />
    </BarePage>
  )
}
