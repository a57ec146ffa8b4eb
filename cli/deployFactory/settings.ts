import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { MAX_PROTOCOL_FEE_BPS } from '../../abis/transitStation.ts'
import { addressField } from '../../domain/addressBook/fields.ts'

const DAY_SECONDS = 86_400
/** The contract has the same bounds. */
const MAX_DELAY_SECONDS = 30 * DAY_SECONDS
const MAX_FEE_BPS = 1_000

const account = addressField.refine((value) => !/^0x0{40}$/.test(value), 'expected an account')

/** Everything on which the addresses depend, besides the contracts: the same for all chains. */
const format = z
  .strictObject({
    operator: account.describe("proposes and executes in the factory's owner, a timelock"),
    guardian: account,
    recoveryWallet: account,
    station: account,
    timelockDelaySeconds: z.number().int().min(DAY_SECONDS),
    withdrawalDelaySeconds: z.number().int().min(3_600).max(MAX_DELAY_SECONDS),
    maxTransitFeeBps: z
      .number()
      .int()
      .min(
        MAX_PROTOCOL_FEE_BPS,
        `at least ${MAX_PROTOCOL_FEE_BPS}, the most that a station takes: the factory would refuse orders that the service quotes`,
      )
      .max(MAX_FEE_BPS),
  })
  .refine(
    (value) => value.timelockDelaySeconds >= value.withdrawalDelaySeconds + DAY_SECONDS,
    'timelockDelaySeconds must be a day longer than withdrawalDelaySeconds: a user who sees a hostile proposal must be able to leave before it takes effect',
  )
  .refine((value) => value.operator !== value.guardian, 'operator and guardian must differ')

export type FactorySettings = z.infer<typeof format>

/** The settings cannot be read. The message has every mistake. */
export class SettingsError extends Error {
  override name = 'SettingsError'
}

/** Reads a file of settings. Throws `SettingsError`. */
export async function readSettings(path: string): Promise<FactorySettings> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new SettingsError(`${path} cannot be read`)
  })
  const parsed = format.safeParse(parseJson(text, path))
  if (parsed.success) return parsed.data
  const lines = parsed.error.issues.map(({ path: at, message }) => `${at.join('.')}: ${message}`)
  throw new SettingsError([`${path}:`, ...lines].join('\n  '))
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new SettingsError(`${path} is no JSON`)
  }
}
