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

/** Options that only a few fields need. */
type MoreOfField = {
  extensions?: Record<string, unknown>
  complexity?: ReturnType<typeof listCost>
  deprecationReason?: string
}

/** A field that answers the property of the same name. `Value`: what the property may be. */
class Exposed<Value> {
  /** Never set. By it TypeScript compares the type of the field with that of the property. */
  declare answers: (value: Value) => void
  readonly options: object
  constructor(options: object) {
    this.options = options
  }
}

/** Fields that answer properties of `Shape`, by their names. */
export type ExposedOf<Shape> = { [Name in keyof Shape]?: Exposed<Shape[Name]> }

type Checked<Shape, Fields> = {
  [Name in keyof Fields]: Name extends keyof Shape ? Exposed<Shape[Name]> | Field : Field
}

/** The fields of a type: those that answer a property of the same name (`nonNull`, `nullable`), and those that `t` makes. */
export function fieldsOf<Shape, Fields extends Checked<Shape, Fields>>(
  declare: (t: Builder<Shape>) => Fields,
): (t: Builder<Shape>) => FieldMap {
  return (t) => toPothosFields(t, declare(t))
}

/** The same fields as Pothos takes them. */
export function toPothosFields<Shape>(
  t: Builder<Shape>,
  fields: Record<string, Exposed<never> | Field>,
): FieldMap {
  const made = Object.entries(fields).map(([name, field]) => [
    name,
    // Cast, because Pothos infers the types of a field from a literal; the callers have compared them.
    field instanceof Exposed ? t.expose(name as never, field.options as never) : field,
  ])
  return Object.fromEntries(made)
}

function exposedBy<Nullable extends boolean>(nullable: Nullable) {
  type Value<Type extends TypeParam<Types>> = ShapeFromTypeParam<
    Types,
    Type,
    Nullable & FieldNullability<Type>
  >
  const of = <Type extends TypeParam<Types>>(type: Type, description: string, more?: MoreOfField) =>
    new Exposed<Value<Type>>({ type, nullable, description, ...more })
  const byType =
    <Type extends TypeParam<Types>>(type: Type) =>
    (description: string, more?: MoreOfField) =>
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
export const nonNull = exposedBy(false)

/** The same for fields that can be null. */
export const nullable = exposedBy(true)
