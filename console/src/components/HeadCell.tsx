import { TABLE_ROLES } from './tableRoles.ts'

type Props = {
  name: string
  isNumber: boolean
  sorted: false | 'asc' | 'desc'
  /** Null where the column cannot be sorted. */
  onSort: ((event: unknown) => void) | null | undefined
}

const ORDER = { asc: 'ascending', desc: 'descending' } as const

export function HeadCell({ name, isNumber, sorted, onSort }: Props) {
  return (
    <th
      scope="col"
      {...TABLE_ROLES.head}
      className={isNumber ? 'right' : undefined}
      aria-sort={sorted ? ORDER[sorted] : undefined}
    >
      {onSort ? (
        <button type="button" className="sort" onClick={onSort}>
          {name}
          {sorted && <span aria-hidden="true">{sorted === 'asc' ? '↑' : '↓'}</span>}
        </button>
      ) : (
        name
      )}
    </th>
  )
}
