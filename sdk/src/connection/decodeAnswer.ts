import type { Shape } from './operation.ts'

/** An answer with its amounts as bigint and its times as Date. Lists are decoded entry by entry. */
export function decodeAnswer(value: unknown, shape: Shape | undefined): unknown {
  if (value === null || value === undefined || shape === undefined) return value
  if (Array.isArray(value)) return value.map((entry) => decodeAnswer(entry, shape))
  // Casts, because the shape names the type of each value.
  if (shape === 'b') return BigInt(value as string)
  if (shape === 'd') return new Date(value as string)
  if (shape === 'u') return new Date((value as number) * 1_000)
  const decoded: Record<string, unknown> = { ...value }
  for (const [property, part] of Object.entries(shape))
    if (property in decoded) decoded[property] = decodeAnswer(decoded[property], part)
  return decoded
}
