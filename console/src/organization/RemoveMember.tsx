import { removeMember } from '@causeway/sdk'
import { useChange } from '../api/useChange.ts'
import { ConfirmDialog } from '../components/ConfirmDialog.tsx'
import { useSession } from '../session/SessionProvider.tsx'
import { MEMBERS, type Member } from './memberRole.ts'

/** Ends a membership. */
export function RemoveMember({ member, onClose }: { member: Member; onClose: () => void }) {
  const { refresh } = useSession()
  const { userId, name } = member
  const remove = useChange((api) => removeMember(api, { userId }), {
    changes: [MEMBERS],
    onSuccess() {
      onClose()
      // It may be themselves. The change is made; a session that is not read now is read again in time.
      void refresh().catch(() => {})
    },
  })
  return (
    <ConfirmDialog
      title={`Remove ${name}?`}
      about="They can no longer look at anything of the organization. Keys that they made go on."
      action="Remove"
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(undefined)}
      onClose={onClose}
    />
  )
}
