import { type Address, getAddress, pad, zeroAddress } from 'viem'
import type { AddressBook } from '../../domain/addressBook/addressBook.ts'

/** Accounts that can never use a token on a chain, each with its name. */
export function unusableReceivers(book: AddressBook, chainId: number): [string, Address][] {
  const chain = book.chains.find(({ id }) => id === chainId)
  const vaults = book.vaults
    .flatMap(({ deployments }) => deployments)
    .filter((deployment) => deployment.chainId === chainId)
  const feeds = [
    ...book.chains.map(({ transitFill }) => transitFill?.nativeUsdFeed),
    ...book.tokens.map(({ usdFeed }) => usdFeed),
  ].filter((feed) => feed?.chainId === chainId)
  const named: Record<string, (Address | undefined)[]> = {
    'zero address': [zeroAddress],
    'precompiled contract': [pad('0x1', { size: 20 }), pad('0x64', { size: 20 })],
    'burnt tokens': [pad('0xdead', { size: 20 }), '0xdead000000000000000042069420694206942069'],
    'native currency': ['0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'],
    'system contract': [
      `0x42${'0'.repeat(34)}0010`,
      `0x20${'0'.repeat(36)}7b`,
      `0x${'2'.repeat(40)}`,
    ],
    multicall: [chain?.multicall3],
    station: [chain?.transitStation?.address],
    factory: [chain?.smartDeposit?.factory],
    implementation: [chain?.smartDeposit?.implementation],
    'sanctions oracle': [chain?.sanctionsOracle],
    feed: feeds.map((feed) => feed?.address),
    token: book.tokens.filter((token) => token.chainId === chainId).map(({ address }) => address),
    vault: vaults.map(({ vault }) => vault.address),
    authority: vaults.map(({ rolesAuthority }) => rolesAuthority),
    teller: vaults.flatMap(({ tellers }) => tellers.map(({ address }) => address)),
    accountant: vaults.flatMap(({ accountants }) => accountants.map(({ address }) => address)),
    depositor: vaults.flatMap(({ depositors }) => depositors.map(({ address }) => address)),
    queue: vaults.flatMap(({ queues }) => queues.map(({ address }) => address)),
    'fee module': vaults.flatMap(({ feeModules }) => feeModules.map(({ address }) => address)),
  }
  return Object.entries(named).flatMap(([what, accounts]) => {
    const [first, ...others] = new Set(accounts)
    if (!first) throw new Error(`the local world has no ${what} on chain ${chainId}`)
    return [first, ...others].flatMap((account): [string, Address][] =>
      account ? [[what, getAddress(account)]] : [],
    )
  })
}
