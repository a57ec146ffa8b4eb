import { builder } from './builder.ts'

type EnumType<Value extends string> = {
  description: string
  /** The description of each value. */
  values: Record<Value, string>
}

/** An enum whose values have the same names here and in the domain. */
export function enumType<Value extends string>(
  name: string,
  { description, values }: EnumType<Value>,
) {
  const described = Object.entries<string>(values).map(([value, text]) => [
    value,
    { description: text },
  ])
  return builder.enumType(name, {
    description,
    // Cast, because `fromEntries` does not keep the keys.
    values: Object.fromEntries(described) as Record<Value, { description: string }>,
  })
}
