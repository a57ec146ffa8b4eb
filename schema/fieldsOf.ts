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

  /** The same field where the property has another name. */
  from<Property extends string>(property: Property) {
    return new Renamed<Record<Property, Value>>(property, this.options)
  }
}

/** A field that answers a property of another name. `Row`: what has this property. */
class Renamed<Row> {
  /** Never set, like that of `Exposed`. */
  declare answers: (row: Row) => void
  readonly property: string
  readonly options: object
  constructor(property: string, options: object) {
    this.property = property
    this.options = options
  }
}

/** Fields that answer properties of `Shape`, by their names. */
export type ExposedOf<Shape> = { [Name in keyof Shape]?: Exposed<Shape[Name]> }

type Checked<Shape, Fields> = {
  [Name in keyof Fields]:
    | (Name extends keyof Shape ? Exposed<Shape[Name]> : never)
    | Renamed<Shape>
    | Field
}

/** The fields of a type: those that answer a property (`nonNull`, `nullable`), and those that `t` makes. */
export function fieldsOf<Shape, Fields extends Checked<Shape, Fields>>(
  declare: (t: Builder<Shape>) => Fields,
): (t: Builder<Shape>) => FieldMap {
  return (t) => toPothosFields(t, declare(t))
}

/** The same fields as Pothos takes them. */
export function toPothosFields<Shape>(
  t: Builder<Shape>,
  fields: Record<string, Exposed<never> | Renamed<never> | Field>,
): FieldMap {
  const made = Object.entries(fields).map(([name, field]) => {
    if (!(field instanceof Exposed || field instanceof Renamed)) return [name, field]
    const property = field instanceof Renamed ? field.property : name
    // Cast, because Pothos infers the types of a field from a literal; the callers have compared them.
    return [name, t.expose(property as never, field.options as never)]
  })
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
