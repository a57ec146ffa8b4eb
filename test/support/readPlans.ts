import type { Sql } from 'postgres'

/** One statement of a read: its text, and its parameters as the driver received them. */
export type Statement = { text: string; parameters: unknown[] }

/** How Postgres runs one statement that is planned once for all parameters, like the service plans it. */
export type ReadPlan = {
  text: string
  nodes: number
  /** The pages of tables and indexes that it touches. */
  buffers: number
  /** The tables of which it reads at least this many rows in their order on disk, instead of by an index. */
  scanned: string[]
  /** The pairs of rows that joins compared in vain. */
  unmatched: number
}

/** The bounds of one statement. */
export type PlanBounds = { nodes: number; buffers: number }

const MANY_ROWS = 1_000

type Node = {
  'Node Type': string
  'Relation Name'?: string
  Schema?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Join Filter'?: number
  Plans?: Node[]
}
type Explained = {
  'QUERY PLAN': [{ Plan: Node & { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }]
}

/** Runs each statement twice and returns the plans of the second runs: the first also reads the catalogues. */
export async function explainReads(sql: Sql, statements: Statement[]): Promise<ReadPlan[]> {
  const plans: ReadPlan[] = []
  for (const { text, parameters } of statements) {
    await sql.unsafe(`prepare read_plan as ${text}`)
    const given = parameters.length > 0 ? `(${parameters.map(literal).join(', ')})` : ''
    const explain = `explain (analyze, verbose, buffers, format json) execute read_plan${given}`
    await sql.unsafe(explain)
    const [explained] = await sql.unsafe<Explained[]>(explain)
    await sql`deallocate read_plan`
    const plan = explained?.['QUERY PLAN'][0].Plan
    if (!plan) throw new Error(`no plan of ${text}`)
    const all = nodesOf(plan)
    plans.push({
      text,
      nodes: all.length,
      buffers: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
      scanned: all.filter(isLargeScan).map((node) => `${node.Schema}.${node['Relation Name']}`),
      unmatched: all.reduce((sum, node) => sum + unmatchedIn(node), 0),
    })
  }
  return plans
}

/** The faults of dear plans, by statement; empty if all are within the bounds. */
export function dearPlans(plans: ReadPlan[], most: PlanBounds): string[] {
  return plans.flatMap(({ text, nodes, buffers, scanned }) => {
    const faults = scanned.map((table) => `reads ${table} in whole`)
    if (nodes > most.nodes) faults.push(`has ${nodes} nodes`)
    if (buffers > most.buffers) faults.push(`touches ${buffers} pages`)
    return faults.map((fault) => `${fault}: ${text.trim().slice(0, 80)}`)
  })
}

function isLargeScan(node: Node): boolean {
  const rows = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)
  return node['Node Type'] === 'Seq Scan' && rows * node['Actual Loops'] >= MANY_ROWS
}

function unmatchedIn({ 'Rows Removed by Join Filter': pairs = 0, ...node }: Node): number {
  return pairs * node['Actual Loops']
}

function nodesOf(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}

/** A parameter as SQL; Postgres gives it the type that the statement expects. */
function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return quoted(`{${value.map(element).join(',')}}`)
  return quoted(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

function element(value: unknown): string {
  return value === null ? 'null' : `"${String(value).replaceAll(/["\\]/g, '\\$&')}"`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
