import { inviteMember } from '@causeway/sdk'
import { invitationsOptions } from '@causeway/sdk/react'
import { useState } from 'react'
import { useProvenChange } from '../api/useProvenChange.ts'
import { Choice } from '../components/Choice.tsx'
import { Field } from '../components/Field.tsx'
import { FormDialog } from '../components/FormDialog.tsx'
import { SecretDialog } from '../components/SecretDialog.tsx'
import { ROLE_OPTIONS, type Role } from './memberRole.ts'

/** Makes the link of an invitation, and shows it once. */
export function InviteMember({ onClose }: { onClose: () => void }) {
  const [role, setRole] = useState<Role>('DEVELOPER')
  const invite = useProvenChange(
    (api, email: string) => inviteMember(api, { email, role }),
    [invitationsOptions],
  )
  if (invite.data)
    return (
      <SecretDialog
        title="The link of the invitation"
        about={`Send it to ${invite.data.invitation.email} yourself: whoever has it can join. It works once, for seven days, and is not shown again.`}
        of="link"
        secret={invite.data.link}
        onClose={onClose}
      />
    )
  return (
    <FormDialog
      title="Invite somebody"
      action="Make the link"
      change={invite}
      onSubmit={(text) => invite.mutate(text('email').trim())}
      onClose={onClose}
    >
      <Field
        label="Email"
        name="email"
        type="email"
        autoComplete="off"
        hint="They sign in with this address."
        required
      />
      <Choice name="Role" options={ROLE_OPTIONS} value={role} onChoose={setRole} />
    </FormDialog>
  )
}
