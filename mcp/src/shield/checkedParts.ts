import type { Shield } from './openShield.ts'
import type { Words } from './words.ts'

/** An object of an answer. */
export type Answer = Readonly<Record<string, unknown>>

/** The parts of an answer that can be signed, made of checked values, and what signing them does. */
export type CheckedParts = { parts: Answer; sentences: string[] }

/** Throws `ShieldError`, or another error for an answer that cannot be read. */
export type AnswerCheck = (shield: Shield, words: Words, answer: Answer) => Promise<CheckedParts>
