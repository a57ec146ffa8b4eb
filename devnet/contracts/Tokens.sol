// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// The common part of all tokens of the local world, including the shares of vaults.
abstract contract TokenBase {
    event Transfer(address indexed from, address indexed to, uint256 amount);
    event Approval(address indexed owner, address indexed spender, uint256 amount);

    string public name;
    string public symbol;
    uint8 public immutable decimals;
    uint256 public totalSupply;
    mapping(address account => uint256) public balanceOf;
    mapping(address account => mapping(address spender => uint256)) public allowance;

    constructor(string memory name_, string memory symbol_, uint8 decimals_) {
        name = name_;
        symbol = symbol_;
        decimals = decimals_;
    }

    function _mint(address to, uint256 amount) internal {
        totalSupply += amount;
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    function _burn(address from, uint256 amount) internal {
        balanceOf[from] -= amount;
        totalSupply -= amount;
        emit Transfer(from, address(0), amount);
    }

    function _approve(address account, address spender, uint256 amount) internal virtual {
        allowance[account][spender] = amount;
        emit Approval(account, spender, amount);
    }

    function _transfer(address from, address to, uint256 amount) internal virtual {
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
    }

    function _spend(address from, uint256 amount) internal {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - amount;
    }
}

/// Only the minter may call `mint`.
abstract contract MintedToken is TokenBase {
    address public immutable minter;

    constructor(address minter_) {
        minter = minter_;
    }

    function mint(address[] calldata accounts, uint256 amount) external {
        require(msg.sender == minter, "only the minter");
        for (uint256 i; i < accounts.length; ++i) _mint(accounts[i], amount);
    }
}

abstract contract ReturningToken is TokenBase {
    function approve(address spender, uint256 amount) external virtual returns (bool) {
        _approve(msg.sender, spender, amount);
        return true;
    }

    function transfer(address to, uint256 amount) external virtual returns (bool) {
        _transfer(msg.sender, to, amount);
        return true;
    }

    function transferFrom(
        address from,
        address to,
        uint256 amount
    ) external virtual returns (bool) {
        _spend(from, amount);
        _transfer(from, to, amount);
        return true;
    }
}

/// EIP-2612.
abstract contract PermittingToken is ReturningToken {
    bytes32 private constant PERMIT_TYPEHASH =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");

    mapping(address account => uint256) public nonces;

    function DOMAIN_SEPARATOR() public view virtual returns (bytes32);

    function _domainSeparator(bytes memory version_) internal view returns (bytes32) {
        return
            keccak256(
                abi.encode(
                    keccak256(
                        "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
                    ),
                    keccak256(bytes(name)),
                    keccak256(version_),
                    block.chainid,
                    address(this)
                )
            );
    }

    function permit(
        address owner,
        address spender,
        uint256 value,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        require(block.timestamp <= deadline, "PERMIT_DEADLINE_EXPIRED");
        bytes32 structHash = keccak256(
            abi.encode(PERMIT_TYPEHASH, owner, spender, value, nonces[owner]++, deadline)
        );
        bytes32 digest = keccak256(abi.encodePacked("\x19\x01", DOMAIN_SEPARATOR(), structHash));
        address signer = ecrecover(digest, v, r, s);
        require(signer != address(0) && signer == owner, "INVALID_SIGNER");
        _approve(owner, spender, value);
    }
}

/// With EIP-2612 and a readable version.
contract PermitToken is PermittingToken, MintedToken {
    string public version;

    constructor(
        string memory name_,
        string memory symbol_,
        uint8 decimals_,
        address minter_,
        string memory version_
    ) TokenBase(name_, symbol_, decimals_) MintedToken(minter_) {
        version = version_;
    }

    function DOMAIN_SEPARATOR() public view override returns (bytes32) {
        return _domainSeparator(bytes(version));
    }
}

/// Refuses payments from and to listed accounts, and all while it is paused. Permits as PermitToken does.
contract BlacklistToken is PermitToken {
    bool public paused;

    event Blacklisted(address indexed _account);
    event UnBlacklisted(address indexed _account);

    mapping(address account => bool) public isBlacklisted;

    constructor(
        string memory name_,
        string memory symbol_,
        uint8 decimals_,
        address minter_
    ) PermitToken(name_, symbol_, decimals_, minter_, "2") {}

    function setPaused(bool paused_) external {
        require(msg.sender == minter, "only the minter");
        paused = paused_;
    }

    function blacklist(address account) external {
        require(msg.sender == minter, "only the minter");
        isBlacklisted[account] = true;
        emit Blacklisted(account);
    }

    function unBlacklist(address account) external {
        require(msg.sender == minter, "only the minter");
        isBlacklisted[account] = false;
        emit UnBlacklisted(account);
    }

    function _transfer(address from, address to, uint256 amount) internal override {
        require(!paused, "Pausable: paused");
        require(!isBlacklisted[from] && !isBlacklisted[to], "Blacklistable: account is blacklisted");
        super._transfer(from, to, amount);
    }
}

/// Without a permit. Returns nothing, and changes a non-zero allowance only to zero.
contract ResettingToken is MintedToken {
    constructor(
        string memory name_,
        string memory symbol_,
        uint8 decimals_,
        address minter_
    ) TokenBase(name_, symbol_, decimals_) MintedToken(minter_) {}

    function approve(address spender, uint256 amount) external {
        require(amount == 0 || allowance[msg.sender][spender] == 0, "reset the allowance first");
        _approve(msg.sender, spender, amount);
    }

    function transfer(address to, uint256 amount) external {
        _transfer(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) external {
        _spend(from, amount);
        _transfer(from, to, amount);
    }
}

/// Without a permit, otherwise plain.
contract PlainToken is ReturningToken, MintedToken {
    constructor(
        string memory name_,
        string memory symbol_,
        uint8 decimals_,
        address minter_
    ) TokenBase(name_, symbol_, decimals_) MintedToken(minter_) {}
}
