import { membersOptions, useAll } from '@causeway/sdk/react'
import { useState } from 'react'
import { ChangeButton } from '../components/ChangeButton.tsx'
import { Icon } from '../components/Icon.tsx'
import { Page } from '../components/Page.tsx'
import { InvitationsCard } from './InvitationsCard.tsx'
import { InviteMember } from './InviteMember.tsx'
import { MembersCard } from './MembersCard.tsx'

/** The members of the organization, and the people who are invited. */
export function MembersPage() {
  const [isInviting, setInviting] = useState(false)
  return (
    <Page
      title="Members"
      about="People who sign in for your organization, and what they may change."
      actions={
        <ChangeButton permission="members" look="primary" onClick={() => setInviting(true)}>
          <Icon name="plus" />
          Invite somebody
        </ChangeButton>
      }
    >
      <MembersCard query={useAll(membersOptions)} />
      <InvitationsCard />
      {isInviting && <InviteMember onClose={() => setInviting(false)} />}
    </Page>
  )
}
