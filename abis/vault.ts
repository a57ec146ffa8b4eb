import { parseAbi } from 'abitype'

/** BoringVault: holds the assets, and is the ERC-20 of its shares. */
export const vaultAbi = parseAbi([
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address) view returns (uint256)',
  'function hook() view returns (address)',
  'function authority() view returns (address)',
  'function owner() view returns (address)',
  'function enter(address from, address asset, uint256 assetAmount, address to, uint256 shareAmount)',
  'function exit(address to, address asset, uint256 assetAmount, address from, uint256 shareAmount)',
  'event Transfer(address indexed from, address indexed to, uint256 amount)',
  'event Enter(address indexed from, address indexed asset, uint256 amount, address indexed to, uint256 shares)',
  'event Exit(address indexed to, address indexed asset, uint256 amount, address indexed from, uint256 shares)',
  'event OwnershipTransferred(address indexed user, address indexed newOwner)',
  'event NameAndSymbolUpdated(string indexed name, string indexed symbol)',
])

/** The hook that some vaults call before shares move. */
export const freezeHookAbi = parseAbi([
  'function freezeList(address account) view returns (bool)',
  'event FreezeListUpdated(address indexed account, bool indexed isFrozen)',
  'error FrozenAddress(address account)',
])

/** The stand-in for the base of a vault whose base is no token: it has no other function. */
export const baseTokenStandInAbi = parseAbi([
  'function decimals() view returns (uint8)',
  'function name() view returns (string)',
])
