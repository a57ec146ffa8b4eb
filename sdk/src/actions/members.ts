import { action } from '../connection/action.ts'
import { list } from '../connection/list.ts'
import * as api from '../generated/operations.ts'

export const listMembers = /* @__PURE__ */ list(api.listMembersOperation, 'members')
export const changeMemberRole = /* @__PURE__ */ action(api.changeMemberRoleOperation, {
  key: 'member',
})
export const removeMember = /* @__PURE__ */ action(api.removeMemberOperation, { key: 'member' })
export const listInvitations = /* @__PURE__ */ list(api.listInvitationsOperation, 'invitations')
/** Invites a person. The link is only in this answer. */
export const inviteMember = /* @__PURE__ */ action(api.inviteMemberOperation)
export const revokeInvitation = /* @__PURE__ */ action(api.revokeInvitationOperation, {
  key: 'invitation',
})
/** The changes in the organization, the newest first. */
export const listAuditLog = /* @__PURE__ */ list(api.listAuditLogOperation, 'actions')
