import type { Finding } from '../../domain/verification/finding.ts'
import { verifyAddressBook } from '../../domain/verification/verifyAddressBook.ts'
import type { DoctorContext } from './doctorContext.ts'
import { type Line, lines } from './line.ts'

const CHECK = 'address book'
const ADVICE: Record<Finding['kind'], string> = {
  contradiction: 'Correct the address book, or the contract.',
  unverified: 'Mend the nodes of the chain first.',
  note: 'None, if it is meant so.',
}

/** The findings of `npm run address-book -- verify`: contracts, routes, tokens, and the age of price feeds. */
export async function checkBook({ book, chainUrls }: DoctorContext): Promise<Line[]> {
  const { ok, error } = lines(CHECK)
  if (!book) return error('not checked: it cannot be read', 'Mend ADDRESS_BOOK first.')
  const endpoints = [...chainUrls].map(([chainId, { rpcUrls }]) => ({ chainId, rpcUrls }))
  const findings = await verifyAddressBook(book, endpoints)
  if (findings.length === 0) return ok('it agrees with its chains')
  return findings.map((finding) => lineOfFinding(CHECK, finding))
}

/** A finding of `address-book verify`, with what to do. */
export function lineOfFinding(check: string, { kind, place, message }: Finding): Line {
  return {
    level: kind === 'note' ? 'warning' : 'error',
    check,
    message: `${place}: ${message}`,
    advice: ADVICE[kind],
  }
}
