import type { components } from '@causeway/sdk'
import { entriesOf } from '../format/entriesOf.ts'

export type Member = components['schemas']['Member']
export type Invitation = components['schemas']['Invitation']
export type Role = components['schemas']['MemberRole']

export const ROLES: Record<Role, { name: string; about: string }> = {
  OWNER: { name: 'Owner', about: 'changes everything, members too' },
  DEVELOPER: { name: 'Developer', about: 'changes everything but members' },
  VIEWER: { name: 'Viewer', about: 'looks at everything, changes nothing' },
}

export const ROLE_OPTIONS = entriesOf(ROLES).map(
  ([key, { name, about }]) => [key, `${name}: ${about}`] as const,
)
