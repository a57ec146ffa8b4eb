import { builder } from '../builder.ts'

export const MemberRoleRef = builder.enumType('MemberRole', {
  description: 'What a member may do in an organization.',
  values: {
    OWNER: { value: 'owner', description: 'Sees and changes everything.' },
    DEVELOPER: { value: 'developer', description: 'Sees everything, changes all but members.' },
    VIEWER: { value: 'viewer', description: 'Sees everything, changes nothing.' },
  } as const,
})
