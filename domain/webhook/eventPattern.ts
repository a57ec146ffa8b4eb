import { EVENT_TYPES, type EventType } from './eventTypes.ts'

/** Whether a type matches a pattern: the type itself, or a prefix with a trailing wildcard. */
export function matchesEventPattern(pattern: string, type: EventType): boolean {
  if (pattern === '*') return true
  return pattern.endsWith('.*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type
}

/** Whether a text is an event type, or a prefix of one with a trailing wildcard. */
export function isEventPattern(text: string): boolean {
  return EVENT_TYPES.some((type) => matchesEventPattern(text, type))
}
