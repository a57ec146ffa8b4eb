import { useMutation } from '@tanstack/react-query'
import { Refusal } from '../components/Refusal.tsx'
import { askConsole } from '../session/askConsole.ts'
import { useSession } from '../session/SessionProvider.tsx'

/** Signs in by one click, where the API is of a local world. */
export function LocalSignIn({ onDone }: { onDone?: () => void }) {
  const { refresh } = useSession()
  const signIn = useMutation({
    mutationFn: () => askConsole('/sign-in/local', {}),
    async onSuccess() {
      onDone?.()
      await refresh()
    },
  })
  return (
    <>
      <button
        type="button"
        className="button primary"
        disabled={signIn.isPending}
        onClick={() => signIn.mutate()}
      >
        Sign in to the local world
      </button>
      <Refusal error={signIn.error} />
    </>
  )
}
