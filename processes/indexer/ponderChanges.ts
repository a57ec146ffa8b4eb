/** One place in a file of Ponder: `from` stands there exactly once and becomes `to`. */
type Change = { file: string; from: string; to: string }

const RUNTIME = '/ponder/dist/esm/runtime/multichain.js'
const ACTIONS = '/ponder/dist/esm/database/actions.js'
const CACHE = '/ponder/dist/esm/indexing-store/cache.js'
const COPY = '/ponder/dist/esm/utils/copy.js'
const INDEXING = '/ponder/dist/esm/indexing/index.js'

/** A setting of the transaction that indexes a block. */
const CHECKPOINT = 'causeway.checkpoint'

/** The rows of a table that stay in memory. Ponder alone forgets a row that one block does not touch, and reads it again when the next one does. */
const MOST_KEPT_ROWS = 1_000

/**
 * When a commit fails, Ponder repeats the whole transaction. Its cache has the rows of the first attempt then, so that sums would
 * count its events twice.
 */
const FORGET_FAILED_COMMIT = `if (context.hasBegun) {
    indexingCache.invalidate();
    indexingCache.clear();
  }
  context.hasBegun = true;`

/** A row that a trigger keeps, so that a reorganisation can take its change back. */
function keptRow(row: 'NEW' | 'OLD', operation: 0 | 1 | 2): Omit<Change, 'file'> {
  const values = `VALUES (\${columnNames.map((name) => \`${row}.\${name}\`).join(",")}, ${operation},`
  return {
    from: `${values} '\${MAX_CHECKPOINT_STRING}');`,
    to: `${values} current_setting('${CHECKPOINT}'));`,
  }
}

/**
 * Shortens the transaction of a live block. Ponder creates and drops a temporary table in it, has a trigger for each
 * changed row that fills this table, and updates the kept rows of every table afterwards to set their checkpoint. Here the
 * triggers find the checkpoint in a setting, and one statement sets it and notifies. Counts: docs/design/index-and-builds.md.
 */
const CHANGES: Change[] = [
  {
    file: CACHE,
    from: 'if (tableCache.spillover.has(key) ||',
    to: `if (tableCache.cache.size <= ${MOST_KEPT_ROWS} || tableCache.spillover.has(key) ||`,
  },
  {
    file: CACHE,
    // A table that is in memory as a whole is never predicted.
    from: 'if (event &&',
    to: 'if (event && !cache.get(table).isCacheComplete &&',
  },
  {
    file: COPY,
    // It makes a proxy of each row that it hands out. Our handlers never change one.
    from: 'let copiedObject;',
    to: 'return obj; let copiedObject;',
  },
  {
    file: INDEXING,
    from: 'client.event = event;\n                await executeEvent(event);',
    to: 'client.event = indexingCache.event = event;\n                await executeEvent(event);',
  },
  ...['index_block', 'index_block_range'].map((action) => ({
    file: RUNTIME,
    from: `logger: common.logger.child({ action: "${action}" }),`,
    to: `logger: common.logger.child({ action: "${action}" }), hasBegun: false,`,
  })),
  {
    file: RUNTIME,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is Ponder's text.
    from: 'await tx.wrap((tx) => tx.execute(`CREATE TEMP TABLE ${getLiveQueryTempTableName()} (table_name TEXT PRIMARY KEY) ON COMMIT DROP`), context);',
    to: FORGET_FAILED_COMMIT,
  },
  {
    file: RUNTIME,
    from: 'const initialCompletedEvents =',
    to: `${FORGET_FAILED_COMMIT} const initialCompletedEvents =`,
  },
  {
    file: RUNTIME,
    from: 'await indexing.processRealtimeEvents({ events });',
    to: `await tx.wrap((tx) => tx.execute(\`select set_config('${CHECKPOINT}', '\${checkpoint}', true),
      pg_notify('\${namespaceBuild.schema}_live_query', '')\`), context);
    await indexing.processRealtimeEvents({ events });`,
  },
  {
    file: RUNTIME,
    from: 'await Promise.all(tables.map((table) => commitBlock(tx, { table, checkpoint, preBuild }, context)));',
    to: '',
  },
  { file: ACTIONS, ...keptRow('NEW', 0) },
  { file: ACTIONS, ...keptRow('OLD', 1) },
  { file: ACTIONS, ...keptRow('OLD', 2) },
  {
    file: ACTIONS,
    from: 'export const createLiveQueryTriggers = async (qb, { namespaceBuild, tables, chainId, }, context) => {',
    to: 'export const createLiveQueryTriggers = async (qb, { namespaceBuild, tables, chainId, }, context) => { return;',
  },
]

/** The source of a file of Ponder with our changes. Throws if a changed place is not there, as after an update of Ponder. */
export function changePonder(url: string, source: string): string {
  let changed = source
  for (const { file, from, to } of CHANGES) {
    if (!url.endsWith(file)) continue
    if (changed.split(from).length !== 2)
      throw new Error(`ponderChanges.ts: not once in ${file}: ${from}`)
    changed = changed.replace(from, () => to)
  }
  return changed
}

export function isChanged(url: string): boolean {
  return CHANGES.some(({ file }) => url.endsWith(file))
}
