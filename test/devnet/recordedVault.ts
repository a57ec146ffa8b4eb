import { type Abi, type Address, decodeEventLog, type Hex, type Log, zeroAddress } from 'viem'
import { accountantAbi } from '../../abis/accountant.ts'
import { depositorAAbi, depositorAbi } from '../../abis/depositor.ts'
import { tellerAbi } from '../../abis/teller.ts'
import { vaultAbi } from '../../abis/vault.ts'
import { withdrawQueueAAbi, withdrawQueueAbi } from '../../abis/withdrawQueue.ts'
import { contractLogs } from '../fixtures/contractLogs.ts'

/** Replaces addresses by their roles, so that two worlds can be compared. */
export type Names = Record<string, Address>

const ABIS: Record<string, Abi> = {
  vault: vaultAbi,
  accountant: accountantAbi,
  teller: tellerAbi,
  depositor: depositorAbi,
  queue: withdrawQueueAbi,
  depositorA: depositorAAbi,
  queueA: withdrawQueueAAbi,
}

const RECORDED_CONTRACTS: Record<string, string> = {
  BoringVault: 'vault',
  AccountantWithRateProviders: 'accountant',
  TellerWithMultiAssetSupport: 'teller',
  DistributorCodeDepositor: 'depositor',
  WithdrawQueue: 'queue',
  'DistributorCodeDepositor (generation A)': 'depositorA',
  'WithdrawQueue (generation A or B)': 'queueA',
}

/** The accounts and contracts of the recording. */
export const RECORDED: Names = {
  ...Object.fromEntries(
    Object.entries(contractLogs.contracts[1] ?? {}).flatMap(([contract, address]) => {
      const name = RECORDED_CONTRACTS[contract]
      return name ? [[name, address]] : []
    }),
  ),
  USDC: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  USDT: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
  USDG: '0xe343167631d89B6Ffc58B88d6b7fB0228795491D',
  nobody: zeroAddress,
  ...people(),
}

/** The accounts of the recording are anvil's, in this order. */
function people(): Names {
  return {
    first: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
    second: '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65',
    third: '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc',
    fourth: '0xBcd4042DE499D14e55001CcbB24a551F3b954096',
    outcast: '0x71bE63f3384f5fb98995898A86B02Fb2426c5788',
    recovery: '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720',
    feeRecipient: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  }
}

/** Values that differ between two runs of the same steps. */
const OF_THE_RUN = [
  'depositHash',
  'depositTimestamp',
  'currentTime',
  'distributorCode',
  'managementFees',
  'performanceFees',
]
const APPROVAL = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925'

/** The events of the vault's contracts in these logs, in order, with all their arguments. */
export function tellEvents(
  logs: { address: string; topics: Log['topics'] | Hex[]; data: Hex }[],
  names: Names,
): string[] {
  const labels = new Map(
    Object.entries(names).map(([label, address]) => [address.toLowerCase(), label]),
  )
  return logs.flatMap(({ address, topics, data }) => {
    const contract = labels.get(address.toLowerCase())
    const abi = contract && ABIS[contract]
    if (!abi || topics[0] === APPROVAL) return []
    const { eventName, args } = decodeEventLog({ abi, topics: topics as [Hex], data })
    return [`${contract}.${eventName} ${tellValue(args, labels)}`]
  })
}

function tellValue(value: unknown, labels: Map<string, string>): string {
  if (value === null || typeof value !== 'object') {
    const text = String(value)
    return /^0x[0-9a-fA-F]{40}$/.test(text) ? (labels.get(text.toLowerCase()) ?? text) : text
  }
  const parts = Object.entries(value).flatMap(([key, part]) =>
    OF_THE_RUN.includes(key) ? [] : [`${key}:${tellValue(part, labels)}`],
  )
  return `{${parts.sort().join(' ')}}`
}

/** The recorded logs of one block of chain 1. */
export function recordedEvents(block: number): string[] {
  const logs = contractLogs.logs.filter(
    ({ chainId, blockNumber }) => chainId === 1 && Number(blockNumber) === block,
  )
  return tellEvents(logs, RECORDED)
}
