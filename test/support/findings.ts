import { expect } from 'vitest'
import type { Finding } from '../../domain/verification/finding.ts'

/** A finding at this place whose message has all the words, in their order. */
export function finding(kind: Finding['kind'], place: string, ...words: string[]): Finding {
  return expect.objectContaining({ kind, place, message: saying(words) })
}

export function contradiction(place: string, ...words: string[]): Finding {
  return finding('contradiction', place, ...words)
}

function saying(words: string[]): unknown {
  const escaped = words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return expect.stringMatching(new RegExp(escaped.join('.*'), 's'))
}

/** The item at this index. Throws if there is none. */
export function at<Item>(items: readonly Item[] | undefined, index: number): Item {
  const item = items?.at(index)
  if (item === undefined) throw new Error(`there is no item ${index}`)
  return item
}
