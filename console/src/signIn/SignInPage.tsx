import { getRouteApi, useRouter } from '@tanstack/react-router'
import { BarePage } from '../app/BarePage.tsx'
import { Icon } from '../components/Icon.tsx'
import { Loading } from '../components/states.tsx'
import { useSession } from '../session/SessionProvider.tsx'
import { safePath } from './returnPath.ts'
import { SignInForm } from './SignInForm.tsx'

const route = getRouteApi('/console/sign-in')

/** Signs in, and leads back to the page that needed it. */
export function SignInPage() {
  const { to, error, needsCode = false } = route.useSearch()
  const { session } = useSession()
  const router = useRouter()
  const path = safePath(to)
  return (
    <BarePage title="Sign in">
      {error && (
        <p className="note bad" role="alert">
          <Icon name="alert" />
          Your organization's sign-in did not succeed. Only people who were invited have an account.
        </p>
      )}
      {session ? (
        <SignInForm
          returnPath={path}
          onDone={() => router.history.push(path)}
          needsCode={needsCode}
        />
      ) : (
        <Loading rows={3} />
      )}
    </BarePage>
  )
}
