import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../components/Button.tsx'
import { Field } from '../components/Field.tsx'
import { PasswordField } from '../components/PasswordField.tsx'
import { Refusal } from '../components/Refusal.tsx'
import { takeTexts } from '../components/takeTexts.ts'
import { askConsole } from '../session/askConsole.ts'
import { useSession } from '../session/SessionProvider.tsx'
import { LocalSignIn } from './LocalSignIn.tsx'
import { keepReturnPath } from './returnPath.ts'
import { SecondFactorForm } from './SecondFactorForm.tsx'

type Answer = { needsSecondFactor: boolean }
type Props = {
  /** Where the provider's sign-in is to lead in the end. */
  returnPath: string
  onDone?: () => void
  /** Whether the provider's sign-in is done, and a code is still needed. */
  needsCode?: boolean
}

/** The ways to sign in that this installation has. */
export function SignInForm({ returnPath, onDone, needsCode = false }: Props) {
  const { session, refresh } = useSession()
  const [isSecond, setSecond] = useState(needsCode)
  const end = async () => {
    onDone?.()
    await refresh()
  }
  const provider = useMutation({
    mutationFn: () => askConsole<{ url: string }>('/sign-in/oidc', {}),
    onSuccess({ url }) {
      keepReturnPath(returnPath)
      location.assign(url)
    },
  })
  const ways = session?.signIn
  if (!ways) return <p>Nobody can sign in here: the operator has not set it up.</p>
  if (isSecond) return <SecondFactorForm onDone={end} onBack={() => setSecond(false)} />
  return (
    <div className="sign-in">
      {ways.local && <LocalSignIn {...(onDone ? { onDone } : {})} />}
      {ways.oidc && (
        <Button disabled={provider.isPending} onClick={() => provider.mutate()}>
          Sign in with your organization
        </Button>
      )}
      <Refusal error={provider.error} />
      {ways.password && (ways.local || ways.oidc) && <p className="or">or by password</p>}
      {ways.password && (
        <PasswordForm isFirst={!ways.local} onSecond={() => setSecond(true)} onDone={end} />
      )}
    </div>
  )
}

type PasswordProps = { isFirst: boolean; onSecond: () => void; onDone: () => Promise<void> }

function PasswordForm({ isFirst, onSecond, onDone }: PasswordProps) {
  const signIn = useMutation({
    mutationFn: (body: { email: string; password: string }) => askConsole<Answer>('/sign-in', body),
    onSuccess: ({ needsSecondFactor }) => (needsSecondFactor ? onSecond() : onDone()),
  })
  return (
    <form
      onSubmit={(event) => {
        const text = takeTexts(event)
        signIn.mutate({ email: text('email'), password: text('password') })
      }}
    >
      <Field label="Email" name="email" type="email" autoComplete="username" required />
      <PasswordField label="Password" name="password" />
      <Refusal error={signIn.error} />
      <button
        type="submit"
        className={isFirst ? 'button primary' : 'button'}
        disabled={signIn.isPending}
      >
        Sign in
      </button>
    </form>
  )
}
