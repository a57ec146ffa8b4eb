import type { Address } from 'viem'
import { transitStationAbi } from '../../abis/transitStation.ts'
import type { ChainClients } from '../../domain/chain/chainClients.ts'
import type { DoctorContext } from './doctorContext.ts'
import { type Line, lines } from './line.ts'
import { notChecked } from './notChecked.ts'
import { unlessWrong } from './unlessWrong.ts'

const CHECK = 'quote signer'
const { ok, warning, error } = lines(CHECK)

/** Whether the stations name the signer of this configuration. */
export async function checkSigner({ accounts, book, chains }: DoctorContext): Promise<Line[]> {
  const stations = (book?.chains ?? []).flatMap(({ id, transitStation }) =>
    transitStation ? [{ chainId: id, address: transitStation.address }] : [],
  )
  if (stations.length === 0 || !chains) return []
  const signer = await unlessWrong(accounts.quoteSigner())
  if (signer === undefined) return []
  if (signer === null)
    return warning(
      'there is none: quotes answer 503 QUOTE_SIGNER_UNAVAILABLE',
      'Set QUOTE_SIGNER, if this installation quotes Transit.',
    )
  const found = await Promise.all(
    stations.map((station) =>
      checkStation(chains, station, signer.address).catch((cause) =>
        notChecked(`${CHECK} on chain ${station.chainId}`, cause),
      ),
    ),
  )
  return found.flat().length > 0 ? found.flat() : ok(`${signer.address}, as all stations name it`)
}

async function checkStation(
  chains: ChainClients,
  { chainId, address }: { chainId: number; address: Address },
  signer: Address,
): Promise<Line[]> {
  const expected = await chains.read(chainId, (client) =>
    client.readContract({ address, abi: transitStationAbi, functionName: 'quoteSigner' }),
  )
  if (expected.toLowerCase() === signer.toLowerCase()) return []
  return error(
    `the station of chain ${chainId} names ${expected}, the configured key is of ${signer}`,
    'Configure the key of the station, or let its owner set this signer.',
  )
}
