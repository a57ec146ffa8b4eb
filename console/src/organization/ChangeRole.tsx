import { changeMemberRole } from '@causeway/sdk'
import { useState } from 'react'
import { useChange } from '../api/useChange.ts'
import { Choice } from '../components/Choice.tsx'
import { ConfirmDialog } from '../components/ConfirmDialog.tsx'
import { useSession } from '../session/SessionProvider.tsx'
import { MEMBERS, type Member, ROLE_OPTIONS, roleOf } from './memberRole.ts'

/** Gives a member another role, which takes effect at once. */
export function ChangeRole({ member, onClose }: { member: Member; onClose: () => void }) {
  const [role, setRole] = useState(member.role)
  const { refresh } = useSession()
  const change = useChange(
    async (api) => role && changeMemberRole(api, { userId: member.userId, role }),
    {
      changes: [MEMBERS],
      onSuccess() {
        onClose()
        // It may be their own role. The change is made; a session that is not read now is read again in time.
        void refresh().catch(() => {})
      },
    },
  )
  return (
    <ConfirmDialog
      title={`The role of ${member.name}`}
      about="It takes effect with their next request."
      action="Change the role"
      isPending={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate(undefined)}
      onClose={onClose}
    >
      <div className="dialog-part">
        <Choice
          name="Role"
          options={ROLE_OPTIONS}
          value={role ?? ''}
          onChoose={(text) => setRole(roleOf(text))}
        />
      </div>
    </ConfirmDialog>
  )
}
