import { transitStationAbi } from '../../abis/transitStation.ts'
import { loadQuoteSigner } from '../../processes/configuration/loadSigner.ts'
import type { DoctorContext } from './doctorContext.ts'
import { type Line, lines } from './line.ts'

const { ok, warning, error } = lines('quote signer')

/** Whether the stations name the signer of this configuration. */
export async function checkSigner({ source, book, chains }: DoctorContext): Promise<Line[]> {
  const stations = (book?.chains ?? []).flatMap(({ id, transitStation }) =>
    transitStation ? [{ chainId: id, address: transitStation.address }] : [],
  )
  if (stations.length === 0 || !chains) return []
  // `checkVariables` reports one that is wrong.
  const signer = await loadQuoteSigner(source).catch(() => undefined)
  if (signer === undefined) return []
  if (signer === null)
    return warning(
      'there is none: quotes answer 503 QUOTE_SIGNER_UNAVAILABLE',
      'Set QUOTE_SIGNER, if this installation quotes Transit.',
    )
  const found = await Promise.all(
    stations.map(async ({ chainId, address }) => {
      const expected = await chains
        .read(chainId, (client) =>
          client.readContract({ address, abi: transitStationAbi, functionName: 'quoteSigner' }),
        )
        .catch(() => null)
      if (expected === null) return [] // The checks of nodes and address book report why.
      return expected.toLowerCase() === signer.address.toLowerCase()
        ? []
        : error(
            `the station of chain ${chainId} names ${expected}, the configured key is of ${signer.address}`,
            'Configure the key of the station, or let its owner set this signer.',
          )
    }),
  )
  return found.flat().length > 0 ? found.flat() : ok(`${signer.address}, as all stations name it`)
}
