import { join } from 'node:path'
import { InvalidArgumentError } from 'commander'
import { AddressBookError } from '../../domain/addressBook/addressBook.ts'
import {
  type RehearsalReport,
  rehearsalReportFile,
} from '../../domain/rehearsal/rehearsalReport.ts'
import { readChainUrls } from '../../processes/configuration/chainUrls.ts'
import { EnvironmentError } from '../../processes/configuration/environmentError.ts'
import { withSecretFiles } from '../../processes/configuration/secretFiles.ts'
import { findDataDirectory } from '../../processes/dataDirectory.ts'
import type { CommandProcess } from '../commandProcess.ts'
import { asText } from '../doctor/asText.ts'
import { findEnvironment, NoAddressBookError } from '../findEnvironment.ts'
import { runProgram } from '../runProgram.ts'
import type { RehearsalOptions } from './rehearsal.ts'
import { rehearse } from './rehearse.ts'
import { writeReport } from './writeReport.ts'

type Options = {
  file?: string
  json?: boolean
  restart?: boolean
  blocks?: number
  database?: string
  sample: number
  indexMinutes: number
  followSeconds: number
  callPrice: number
}

const BAR = 20

/** Runs `npm run rehearse`. Returns its exit code: 1 if there is an error. */
export function runRehearse(parameters: string[], commandProcess: CommandProcess): Promise<number> {
  return runProgram(parameters, commandProcess, {
    name: 'rehearse',
    description:
      'Tries an address book and its nodes as an installation would use them. It sends no transaction and needs no key. RPC_URL_<chainId> names the nodes, two providers separated by a comma; without any, those of the local start. 1 when there is an error.',
    expected: [AddressBookError, EnvironmentError, NoAddressBookError],
    addCommands(program, run, { env, stdout, stderr }) {
      program
        .option('--file <path>', 'the address book')
        .option('--blocks <number>', 'index only the newest blocks of each chain', parseNumber)
        .option(
          '--database <url>',
          'an empty database for the index; without it, a Postgres of its own',
        )
        .option(
          '--sample <number>',
          'rows of each table that the other provider judges',
          parseNumber,
          5,
        )
        .option(
          '--index-minutes <number>',
          'for how long the first index may take',
          parseNumber,
          60,
        )
        .option(
          '--follow-seconds <number>',
          'for how long calls are counted after it',
          parseNumber,
          60,
        )
        .option('--call-price <usd>', 'the price of a million calls', parseNumber, 0)
        .option('--restart', 'forget what an earlier run has done')
        .option('--json', 'print JSON')
        .action((options: Options) =>
          run(async () => {
            const { dataDirectory, ...rehearsal } = await optionsOf(env, options)
            const report = await rehearse(rehearsal, {
              statePath: join(dataDirectory, 'rehearsal.json'),
              isRestarted: options.restart === true,
              onProgress: (done, all, name) => stderr.write(progress(done, all, name)),
            })
            await writeReport(rehearsalReportFile(dataDirectory), report)
            stdout.write(options.json ? `${JSON.stringify(report, null, 2)}\n` : textOf(report))
            return report.lines.every(({ level }) => level !== 'error')
          }),
        )
    },
  })
}

async function optionsOf(
  env: NodeJS.ProcessEnv,
  { file, blocks, database, ...options }: Options,
): Promise<RehearsalOptions & { dataDirectory: string }> {
  const { book, path, endpoints, localChainIds } = await findEnvironment(env, file)
  const sockets = await withSecretFiles(env, async (source) =>
    readChainUrls(
      book.chains.map(({ id }) => id),
      source,
    ),
  )
  return {
    book,
    path,
    chainUrls: new Map(
      endpoints.map(({ chainId, rpcUrls }) => [
        chainId,
        { rpcUrls, wsUrls: sockets.get(chainId)?.wsUrls ?? [] },
      ]),
    ),
    isLocal: localChainIds.length > 0,
    now: Date.now,
    blocks: blocks ?? null,
    databaseUrl: database ?? null,
    sample: options.sample,
    indexMinutes: options.indexMinutes,
    followSeconds: options.followSeconds,
    callPrice: options.callPrice,
    dataDirectory: findDataDirectory(env),
  }
}

function textOf({ lines, calls, seconds, callsPerDay, usdPerDay }: RehearsalReport): string {
  const asked = Object.entries(calls).map(([host, count]) => `${host} ${count}`)
  const day =
    callsPerDay === 0
      ? ''
      : `A day of one indexer: about ${callsPerDay} calls, ${usdPerDay.toFixed(2)} USD by --call-price.\n`
  return `${asText(lines)}${seconds} s; calls: ${asked.join(', ') || 'none'}\n${day}`
}

function progress(done: number, all: number, name: string): string {
  const full = Math.round((done / all) * BAR)
  return `[${'#'.repeat(full)}${' '.repeat(BAR - full)}] ${name || 'done'}\n`
}

function parseNumber(text: string): number {
  const number = Number(text)
  if (text.trim() === '' || !Number.isFinite(number) || number < 0)
    throw new InvalidArgumentError('expected a number, 0 or more')
  return number
}
