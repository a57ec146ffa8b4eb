import type { BlockHeader } from '../../domain/chain/judgeResult.ts'
import type { NodeAnswer, RpcNode } from '../../domain/chain/rpcNode.ts'

/** A node for tests that has the blocks of `chain`, lowest first, and does not answer when `isDown`. */
export type ScriptedNode = RpcNode & { chain: BlockHeader[]; isDown: boolean; asked: string[] }

export function scriptedNode(chain: BlockHeader[]): ScriptedNode {
  const node: ScriptedNode = {
    chain,
    isDown: false,
    asked: [],
    async ask({ method, params }): Promise<NodeAnswer> {
      if (node.isDown) throw new Error('down')
      const [block] = Array.isArray(params) ? params : []
      node.asked.push(`${method} ${block}`)
      const found =
        block === 'latest'
          ? node.chain.at(-1)
          : node.chain.find(({ hash, number }) => block === hash || block === number)
      return found ? { kind: 'good', result: found } : { kind: 'absent', result: null }
    },
    verify: async () => {},
    head: async () => BigInt(node.chain.at(-1)?.number ?? 0),
    hasBlock: async (number) => number <= BigInt(node.chain.at(-1)?.number ?? 0),
    isCooling: () => false,
    probe: async () => ({ head: BigInt(node.chain.at(-1)?.number ?? 0), latencyMs: 0 }),
    note: () => {},
    recover: () => {},
    fallBehind: () => {},
    failures: () => 0,
    mostLogBlocks: () => Infinity,
    latencyMs: () => 0,
  }
  return node
}

/** Blocks of these names, the first at `number` and a child of `parent`. */
export function blocks(names: string, number = 1, parent = '0'): BlockHeader[] {
  return [...names].map((name, index) => ({
    hash: hashOf(name),
    parentHash: hashOf(index === 0 ? parent : (names[index - 1] ?? parent)),
    number: `0x${(number + index).toString(16)}`,
    timestamp: '0x1',
    logsBloom: '0x00',
  }))
}

export function hashOf(name: string): `0x${string}` {
  return `0x${name.charCodeAt(0).toString(16).padStart(64, '0')}`
}

/** The names of reported blocks. */
export function namesOf(heads: { hash: string }[]): string {
  return heads.map(({ hash }) => String.fromCharCode(Number(BigInt(hash)))).join('')
}
