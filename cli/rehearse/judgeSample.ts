import type { Sql } from 'postgres'
import { type Address, encodeFunctionData, erc20Abi, type Hex, numberToHex } from 'viem'
import { askLogs, askNode } from '../doctor/askNode.ts'
import { type Line, lines } from '../doctor/line.ts'
import { reasonOf } from '../doctor/reasonOf.ts'
import { type ChainOfNodes, chainsOfNodes, type RehearsalOptions } from './rehearsal.ts'

const ADVICE =
  'One of the two providers is wrong, or the index is. Compare the block with an explorer, and report what you find.'
const COLUMNS = ['chain_id', 'block_number', 'block_hash', 'transaction_hash', 'log_index']

type Row = { table: string; block: bigint; hash: Hex; transaction: Hex; log: number }
/** `balance` as decimal text: it may be larger than a bigint of Postgres. */
type Balance = { vault: Address; account: Address; balance: string; block: bigint }
type IndexSql = Sql<{ bigint: bigint }>

/** Random rows of the index, judged by a provider that the index did not ask. */
export async function judgeSample(options: RehearsalOptions, sql: IndexSql): Promise<Line[]> {
  const tables = await tablesOfLogs(sql)
  const found = await Promise.all(
    chainsOfNodes(options).map((nodes) => judgeChain(options, sql, tables, nodes)),
  )
  return found.flat()
}

async function judgeChain(
  options: RehearsalOptions,
  sql: IndexSql,
  tables: string[],
  { chain, urls }: ChainOfNodes,
): Promise<Line[]> {
  const url = urls[1] ?? urls[0]
  if (url === undefined) return []
  const { ok, error, warning } = lines(`sample of chain ${chain.id}, by ${new URL(url).host}`)
  const chosen = await Promise.all(
    tables.map((table) => sampleOf(sql, { table, chainId: chain.id, count: options.sample })),
  )
  const rows = chosen.flat()
  // With a later first block, balances begin in the middle.
  const balances = options.blocks === null ? await balancesOf(sql, chain.id, options.sample) : []
  try {
    const wrong = [
      ...(await eachOf(rows, (row) => judgeRow(url, row))),
      ...(await eachOf(balances, (balance) => judgeBalance(url, balance))),
    ]
    if (wrong.length === 0)
      return rows.length + balances.length === 0
        ? []
        : ok(`${rows.length} logs and ${balances.length} balances are as the index has them`)
    return wrong.flatMap((message) => error(message, ADVICE))
  } catch (cause) {
    return warning(`could not be judged: ${reasonOf(cause)}`, 'Mend the node first.')
  }
}

/** One after the other: a provider limits calls at once. */
async function eachOf<Item>(
  items: Item[],
  judge: (item: Item) => Promise<string[]>,
): Promise<string[]> {
  const found: string[] = []
  for (const item of items) found.push(...(await judge(item)))
  return found
}

async function judgeRow(url: string, row: Row): Promise<string[]> {
  const block = Number(row.block)
  const logs = await askLogs(url, { from: block, to: block })
  const log = logs.find(({ logIndex }) => Number(logIndex) === row.log)
  if (log?.blockHash === row.hash && log.transactionHash === row.transaction) return []
  const seen = log ? `log ${row.log} of transaction ${log.transactionHash}` : 'no such log'
  return [
    `${row.table} has log ${row.log} of transaction ${row.transaction} in block ${block}; the node has ${seen}`,
  ]
}

async function judgeBalance(
  url: string,
  { vault, account, balance, block }: Balance,
): Promise<string[]> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [account] })
  const answered = await askNode(url, 'eth_call', [{ to: vault, data }, numberToHex(block)])
  const held = BigInt(String(answered))
  if (held === BigInt(balance)) return []
  return [
    `share_balance has ${balance} shares of ${vault} for ${account} in block ${block}; the node has ${held}`,
  ]
}

/** The tables of the index whose rows come from one log each. */
async function tablesOfLogs(sql: IndexSql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select table_name as name from information_schema.columns
    where table_schema = 'read' and column_name = any(${COLUMNS})
    group by table_name having count(*) = ${COLUMNS.length} order by table_name`
  return rows.map(({ name }) => name)
}

type SampleOf = { table: string; chainId: number; count: number }

async function sampleOf(sql: IndexSql, { table, chainId, count }: SampleOf): Promise<Row[]> {
  return sql<Row[]>`
    select ${table} as "table", block_number as block, block_hash as hash,
      transaction_hash as transaction, log_index as log
    from read.${sql(table)} where chain_id = ${chainId} and transaction_hash is not null
    order by random() limit ${count}`
}

async function balancesOf(sql: IndexSql, chainId: number, count: number): Promise<Balance[]> {
  return sql<Balance[]>`
    select s.vault, s.account, s.balance::text as balance, p.block_number as block
    from read.share_balance s join read.chain_progress p using (chain_id)
    where chain_id = ${chainId} and account <> '0x0000000000000000000000000000000000000000'
    order by random() limit ${count}`
}
