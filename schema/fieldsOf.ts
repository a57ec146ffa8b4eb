import type {
  FieldMap,
  FieldNullability,
  FieldRef,
  ShapeFromTypeParam,
  TypeParam,
} from '@pothos/core'
import type { builder } from './builder.ts'
import type { listCost } from './fieldCost.ts'

type Types = typeof builder.$inferSchemaTypes
type Field = FieldRef<Types, unknown>
type Builder<Shape> = PothosSchemaTypes.ObjectFieldBuilder<Types, Shape>

/** What few fields have besides a type and a description. */
type More = {
  extensions?: Record<string, unknown>
  complexity?: ReturnType<typeof listCost>
  deprecationReason?: string
}

/** A field that answers the property of the same name. `Value`: what the property may be. */
class Member<Value> {
  /** For the types only: it makes a field of a property of another type an error. */
  declare answers: (value: Value) => void
  readonly options: object
  constructor(options: object) {
    this.options = options
  }
}

/** Fields that answer properties of `Shape`, by their names. */
export type MembersOf<Shape> = { [Name in keyof Shape]?: Member<Shape[Name]> }

type Checked<Shape, Fields> = {
  [Name in keyof Fields]: Name extends keyof Shape ? Member<Shape[Name]> | Field : Field
}

/** The fields of a type: those that answer a property of the same name (`member`, `nullable`), and those that `t` makes. */
export function fieldsOf<Shape, Fields extends Checked<Shape, Fields>>(
  declare: (t: Builder<Shape>) => Fields,
): (t: Builder<Shape>) => FieldMap {
  return (t) => withoutMembers(t, declare(t))
}

/** The same fields, where each member is a field of Pothos. */
export function withoutMembers<Shape>(t: Builder<Shape>, fields: object): FieldMap {
  const made = Object.entries<unknown>({ ...fields }).map(([name, field]) => [
    name,
    // Cast, because Pothos infers the types of a field from a literal; the callers have compared them.
    field instanceof Member ? t.expose(name as never, field.options as never) : field,
  ])
  return Object.fromEntries(made)
}

function membersBy<Nullable extends boolean>(nullable: Nullable) {
  type Value<Type extends TypeParam<Types>> = ShapeFromTypeParam<
    Types,
    Type,
    Nullable & FieldNullability<Type>
  >
  const of = <Type extends TypeParam<Types>>(type: Type, description: string, more?: More) =>
    new Member<Value<Type>>({ type, nullable, description, ...more })
  const byType =
    <Type extends TypeParam<Types>>(type: Type) =>
    (description: string, more?: More) =>
      of(type, description, more)
  return {
    /** By any type of the schema. */
    of,
    address: byType('Address'),
    amount: byType('Amount'),
    blockNumber: byType('BlockNumber'),
    boolean: byType('Boolean'),
    dateTime: byType('DateTime'),
    float: byType('Float'),
    hash: byType('Hash'),
    int: byType('Int'),
    string: byType('String'),
    unixTime: byType('UnixTime'),
  }
}

/** Fields that are never null, by their types, each with its description. */
export const member = membersBy(false)

/** The same for fields that can be null. */
export const nullable = membersBy(true)
