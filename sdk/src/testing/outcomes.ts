import type { Address } from 'viem'

type OnChain = {
  /** Default: 1. */
  chainId?: number
}
type OfAccount = OnChain & { account: Address }
type OfVault = OnChain & {
  /** The name of the vault. Default: Harbor Prime. */
  vault?: string
}

/** The outcomes that the local world can be forced to, with their options. */
export type Outcomes = {
  /** USDC refuses to move from and to the account. */
  blacklist: OfAccount
  /** The sanctions oracle lists the account: its smart deposits are recovered. */
  sanction: OfAccount
  /** The vault refuses to move shares of the account. */
  freeze: OfAccount & OfVault
  /** The vault takes no deposits and pays nothing out. */
  pause: OfVault
  /** The vault is full. */
  closeCap: OfVault
  /** The vault takes no deposits of the token. */
  closeAsset: OfVault & { token: string }
  /** The keeper cannot pay for gas. */
  drainKeeper: OnChain
  /** Dollar tokens are worth this many USD on the chain. Transit refuses quotes beyond 1 %. */
  depeg: OnChain & { usd: number }
  /** The newest blocks are replaced by empty ones. It has no undo. */
  reorg: OnChain & { blocks: number }
  /** So many empty blocks follow: by 70 everything before them is finalized. It has no undo. */
  mine: OnChain & { blocks: number }
}

export type Outcome = keyof Outcomes

type Command = {
  name: string
  /** The command that takes it back. */
  undo?: string
  /** The options that are arguments; the others are flags. */
  args?: string[]
  /** The arguments of the undoing command, if they are others. */
  undoArgs?: string[]
}

/** The commands of `npm run devnet` that cause them. */
export const COMMANDS: Record<Outcome, Command> = {
  blacklist: { name: 'blacklist', undo: 'unblacklist', args: ['account'] },
  sanction: { name: 'sanction', undo: 'unsanction', args: ['account'] },
  freeze: { name: 'freeze', undo: 'unfreeze', args: ['account'] },
  pause: { name: 'pause', undo: 'unpause' },
  closeCap: { name: 'close-cap', undo: 'open-cap' },
  closeAsset: { name: 'close-asset', undo: 'open-asset', args: ['token'] },
  drainKeeper: { name: 'drain-keeper', undo: 'fill-keeper' },
  depeg: { name: 'depeg', undo: 'repeg', args: ['usd'], undoArgs: [] },
  reorg: { name: 'reorg', args: ['blocks'] },
  mine: { name: 'mine', args: ['blocks'] },
}
