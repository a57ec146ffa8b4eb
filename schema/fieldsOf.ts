import type { FieldMap, FieldNullability, ShapeFromTypeParam, TypeParam } from '@pothos/core'
import type { AppContext } from '../domain/appContext.ts'
import type { builder } from './builder.ts'
import type { listCost } from './fieldCost.ts'

type Types = typeof builder.$inferSchemaTypes
type Resolver = (row: unknown, args: object, context: AppContext) => unknown
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

  /** The same field where it is made of the object. */
  by<Row>(make: (row: Row, context: AppContext) => Value | Promise<Value>) {
    return new Made<Row>(make, this.options)
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

type Make<Row> = (row: Row, context: AppContext) => unknown

/** A field that is made of an object. `Row`: what the object has. */
class Made<Row> {
  readonly make: Make<Row>
  readonly options: object
  constructor(make: Make<Row>, options: object) {
    this.make = make
    this.options = options
  }
}

/** Fields that answer properties of `Shape`, by their names. */
export type ExposedOf<Shape> = { [Name in keyof Shape]?: Exposed<Shape[Name]> }

type Checked<Shape, Fields> = {
  [Name in keyof Fields]:
    | (Name extends keyof Shape ? Exposed<Shape[Name]> : never)
    | Renamed<Shape>
    | Made<Shape>
}

/** The fields of a type: `nonNull` and `nullable` answer a property, and with `by` what is made of the object. */
export function fieldsOf<Shape, Fields extends Checked<Shape, Fields>>(
  declare: () => Fields,
): (t: Builder<Shape>) => FieldMap {
  return (t) => toPothosFields(t, declare())
}

/** The same fields as Pothos takes them. */
export function toPothosFields<Shape>(
  t: Builder<Shape>,
  fields: Record<string, Exposed<never> | Renamed<never> | Made<never>>,
): FieldMap {
  const made = Object.entries(fields).map(([name, field]) => {
    // Casts, because Pothos infers the types of a field from a literal; the callers have compared them.
    if (field instanceof Made) {
      const resolve: Resolver = (row, _, context) => field.make(row as never, context)
      return [name, t.field({ ...field.options, resolve } as never)]
    }
    const property = field instanceof Renamed ? field.property : name
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
