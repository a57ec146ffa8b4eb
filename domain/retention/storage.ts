import type { Fragment, Sql } from 'postgres'
import { firstKept, type RetentionDays, readToday, TABLES } from './retainDays.ts'

/** The size of the database, its limit, and how many days are still there although they should be dropped. */
export type Storage = {
  sizeBytes: number
  /** Null without `DATABASE_CAPACITY_GB`. */
  capacityBytes: number | null
  overdueDays: { table: string; days: number }[]
}

export type StorageLimits = { kept: RetentionDays; capacityBytes: number | null }

export async function readStorage(
  sql: Sql,
  { kept, capacityBytes }: StorageLimits,
): Promise<Storage> {
  const [row] = await sql<{ bytes: bigint }[]>`
    select pg_database_size(current_database()) as bytes`
  const today = await readToday(sql)
  const overdueDays = await Promise.all(
    (['events', 'deliveries', 'attempts'] as const).map(async (name) => ({
      table: name,
      days:
        kept[name] === 0 ? 0 : await overdue(sql, TABLES[name], firstKept(sql, today, kept[name])),
    })),
  )
  return { sizeBytes: Number(row?.bytes ?? 0), capacityBytes, overdueDays }
}

async function overdue(sql: Sql, table: string, before: Fragment): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from app.overdue_days(${table}::regclass, ${before})`
  return row?.count ?? 0
}
