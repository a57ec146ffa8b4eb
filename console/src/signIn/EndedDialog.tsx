import { ModalDialog } from '../components/ModalDialog.tsx'
import { useSession } from '../session/SessionProvider.tsx'
import { SignInForm } from './SignInForm.tsx'

/** Signs in again over the page on which the session was found to be over. The page goes on where it was. */
export function EndedDialog() {
  const { refresh } = useSession()
  // While the session cannot be read, the dialog stays.
  return (
    <ModalDialog
      title="Your session has ended"
      about="Sign in again to go on where you were."
      onClose={() => void refresh().catch(() => {})}
    >
      <SignInForm returnPath={location.pathname + location.search} />
    </ModalDialog>
  )
}
