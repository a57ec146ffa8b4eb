import type { Parameters } from '@causeway/sdk'

export type Settings = Required<Omit<Parameters<'updateOrganization'>, 'organizationId'>>

/**
 * The settings that differ from those that the form began with. The others stay as they are by now: somebody else may have
 * set them meanwhile.
 */
export function changedSettings(begun: Settings, given: Settings): Partial<Settings> {
  const names = Object.keys(given) as (keyof Settings)[] // It has no other keys.
  return Object.fromEntries(
    names.filter((name) => given[name] !== begun[name]).map((name) => [name, given[name]]),
  )
}
