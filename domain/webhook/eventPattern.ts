import { EVENT_TYPES, type EventType } from './eventTypes.ts'

/** Whether a type matches a pattern: the type itself, or a prefix with a trailing wildcard. */
export function matchesEventPattern(pattern: string, type: EventType): boolean {
  if (pattern === '*') return true
  return pattern.endsWith('.*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type
}

/** The types that match a pattern. */
export function typesOf(pattern: string): EventType[] {
  return EVENT_TYPES.filter((type) => matchesEventPattern(pattern, type))
}

/** Whether a text is an event type, or a prefix of one with a trailing wildcard. */
export function isEventPattern(text: string): boolean {
  return typesOf(text).length > 0
}
