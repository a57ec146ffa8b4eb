import { useMutation } from '@tanstack/react-query'
import { Button } from '../components/Button.tsx'
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
      <Button look="primary" disabled={signIn.isPending} onClick={() => signIn.mutate()}>
        Sign in to the local world
      </Button>
      <Refusal error={signIn.error} />
    </>
  )
}
