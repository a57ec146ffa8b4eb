import fc from 'fast-check'
import { decodeFunctionData, keccak256 } from 'viem'
import { describe, expect, test } from 'vitest'
import { depositorAAbi, depositorAbi } from '../../../abis/depositor.ts'
import {
  arbitraryBytes,
  arbitraryUint,
  expectStructuredToEncode,
  lowerCased,
} from '../../../test/support/arbitraryCalldata.ts'
import { NO_ATTESTATION } from './attestDeposit.ts'
import { type DepositCall, prepareDeposit } from './prepareDeposit.ts'

/** Not 20 bytes: that would look like an address, which has a checksum. */
const arbitraryText = fc
  .nat(70)
  .filter((length) => length !== 20)
  .chain(arbitraryBytes)

const deposits = fc.record<DepositCall>({
  depositor: arbitraryBytes(20),
  asset: arbitraryBytes(20),
  amount: arbitraryUint(256n),
  minimumMint: arbitraryUint(256n),
  to: arbitraryBytes(20),
  distributorCode: arbitraryText,
  attestation: fc.option(
    fc.record({
      uuid: fc.string(),
      expiration: arbitraryUint(256n),
      attester: arbitraryBytes(20),
      signature: arbitraryText,
    }),
  ),
  permit: fc.option(
    fc.record({
      deadline: arbitraryUint(256n),
      v: fc.constantFrom(27, 28),
      r: arbitraryBytes(32),
      s: arbitraryBytes(32),
    }),
  ),
})

describe('prepareDeposit', () => {
  const golden: DepositCall = {
    depositor: `0x${'de'.repeat(20)}`,
    asset: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
    amount: 1_000_000_000n,
    minimumMint: 994_703_000n,
    to: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
    distributorCode: '0x616273',
    attestation: NO_ATTESTATION,
    permit: null,
  }
  const permit = {
    deadline: 5n,
    v: 28,
    r: `0x${'22'.repeat(32)}`,
    s: `0x${'33'.repeat(32)}`,
  } as const

  /** The selectors are those of the deployed contracts; the hashes were taken once and must not change. */
  test.each([
    [
      '',
      golden,
      'deposit',
      '0x2d7174c8',
      '0xb1d9dc48ea6348ff2ee0c5703da61e974d79282984b7db43f540596c5e651813',
    ],
    [
      ' with a permit',
      { ...golden, permit },
      'depositWithPermit',
      '0x6dbc73ff',
      '0xa4b7ae53b45f1b70e344d7f14ab63c6b4e92be6814860f33b88687fb434daa62',
    ],
    [
      ' of generation A',
      { ...golden, attestation: null },
      'deposit',
      '0xd97e6ec0',
      '0x65006abe657fd07acbc39614adf37aaaa70b6352f35aa0e9623a8ad6e7124c06',
    ],
    [
      ' of generation A with a permit',
      { ...golden, attestation: null, permit },
      'depositWithPermit',
      '0x45eb5449',
      '0x5756420e107858bc4387b9e410157832e9f4e118b02b7bcb65b145555de5b4b9',
    ],
  ])('default: the golden vector%s', (_, call, functionName, selector, hash) => {
    const prepared = prepareDeposit(call)
    expect(prepared).toMatchObject({ to: golden.depositor, value: 0n, functionName })
    expect(prepared.data.slice(0, 10)).toBe(selector)
    expect(keccak256(prepared.data)).toBe(hash)
  })

  test('default: the arguments on the wire', () => {
    expect(prepareDeposit({ ...golden, permit }).args).toEqual([
      '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
      '1000000000',
      '994703000',
      '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      '0x616273',
      {
        uuid: '',
        expiration: '0',
        attester: '0x0000000000000000000000000000000000000000',
        signature: '0x',
      },
      '5',
      '28',
      permit.r,
      permit.s,
    ])
  })

  test('behavior: whatever is deposited is what the depositor decodes', () => {
    fc.assert(
      fc.property(deposits, (call) => {
        const { data, functionName } = prepareDeposit(call)
        const { attestation, permit: signed } = call
        const abi = attestation ? depositorAbi : depositorAAbi
        const decoded = decodeFunctionData({ abi, data })
        expect(decoded.functionName).toBe(functionName)
        expect(lowerCased(decoded.args)).toEqual(
          lowerCased([
            call.asset,
            call.amount,
            call.minimumMint,
            call.to,
            call.distributorCode,
            ...(attestation ? [attestation] : []),
            ...(signed ? [signed.deadline, signed.v, signed.r, signed.s] : []),
          ]),
        )
      }),
    )
  })

  test('behavior: its abi, name and arguments make its data', () => {
    fc.assert(fc.property(deposits, (call) => expectStructuredToEncode(prepareDeposit(call))))
  })
})
