import { EVENT_TYPES, type EventType } from './eventTypes.ts'

/** Whether a type is what a pattern names: itself, or what is before its trailing wildcard. */
export function matchesEventPattern(pattern: string, type: EventType): boolean {
  if (pattern === '*') return true
  return pattern.endsWith('.*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type
}

/** Whether a text is a type of event, or with a trailing wildcard the beginning of one. */
export function isEventPattern(text: string): boolean {
  return EVENT_TYPES.some((type) => matchesEventPattern(text, type))
}
