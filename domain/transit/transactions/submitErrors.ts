import { type Abi, parseAbi } from 'viem'
import { transitStationAbi } from '../../../abis/transitStation.ts'

/** The errors with which a call that submits an order can revert: the station's, the endpoint's and those of ERC-20 tokens. */
export const submitErrors: Abi = [
  ...transitStationAbi,
  ...parseAbi([
    'error LZ_InsufficientFee(uint256 requiredNative, uint256 suppliedNative, uint256 requiredLzToken, uint256 suppliedLzToken)',
    // ERC-6093
    'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
    'error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)',
  ]),
]
