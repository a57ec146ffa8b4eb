import {
  type Address,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
} from 'viem'
import { type Artifacts, artifactOf } from '../../contracts/compileContracts.ts'

/** One transaction: without `to` it creates the contract. */
export type Step = {
  contract: string
  to?: Address
  functionName?: string
  args: unknown[]
  value?: bigint
}

/** The transactions of one sender. Each created address is known as soon as its transaction is added. */
export type Script = {
  from: Address
  steps: Step[]
  /** The number of steps before each cut. Steps after a cut are in a later block. */
  cuts: number[]
  create(contract: string, args: unknown[]): Address
  call(contract: string, to: Address, functionName: string, args: unknown[], value?: bigint): void
  cut(): void
}

export function createScript(from: Address): Script {
  const steps: Step[] = []
  const cuts: number[] = []
  return {
    from,
    steps,
    cuts,
    create(contract, args) {
      const address = getContractAddress({ from, nonce: BigInt(steps.length) })
      steps.push({ contract, args })
      return address
    },
    call(contract, to, functionName, args, value) {
      steps.push({ contract, to, functionName, args, ...(value ? { value } : {}) })
    },
    cut() {
      cuts.push(steps.length)
    },
  }
}

/** The data of a step's transaction. */
export function encodeStep(artifacts: Artifacts, { contract, functionName, args }: Step): Hex {
  const { abi, bytecode } = artifactOf(artifacts, contract)
  return functionName === undefined
    ? encodeDeployData({ abi, bytecode, args })
    : encodeFunctionData({ abi, functionName, args })
}
