// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

interface IToken {
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}

/// A token that keeps a hundredth of every transfer, and calls its operator's target while it pays.
contract TollToken {
    mapping(address account => uint256) public balanceOf;
    mapping(address account => mapping(address spender => uint256)) public allowance;
    address public target;
    bytes public data;
    bytes public answer;

    function mint(address[] calldata to, uint256 each) external {
        for (uint256 i = 0; i < to.length; i++) balanceOf[to[i]] += each;
    }

    function callWhilePaying(address target_, bytes calldata data_) external {
        (target, data) = (target_, data_);
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        _pay(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        _pay(from, to, amount);
        return true;
    }

    function _pay(address from, address to, uint256 amount) private {
        balanceOf[from] -= amount;
        balanceOf[to] += amount - amount / 100;
        if (target == address(0)) return;
        (bool isDone, bytes memory returned) = target.call(data);
        require(!isDone, "came in again");
        answer = returned;
    }
}

/// A vault and its depositor in one, with a configurable amount and receiver of minted shares.
contract CrookedVault {
    mapping(address account => uint256) public balanceOf;
    uint256 public bps = 10_000;
    address public instead;

    function boringVault() external view returns (address) {
        return address(this);
    }

    /// The part of a deposit that is minted, and another receiver, if set.
    function turn(uint256 bps_, address instead_) external {
        (bps, instead) = (bps_, instead_);
    }

    function deposit(
        address asset,
        uint256 amount,
        uint256,
        address to,
        bytes calldata
    ) external returns (uint256) {
        IToken(asset).transferFrom(msg.sender, address(this), amount);
        balanceOf[instead == address(0) ? to : instead] += (amount * bps) / 10_000;
        return amount;
    }
}

/// A depositor that claims to belong to a vault, takes the deposit and mints nothing.
contract ThievingDepositor {
    address public immutable boringVault;

    constructor(address vault) {
        boringVault = vault;
    }

    function deposit(
        address asset,
        uint256 amount,
        uint256,
        address,
        bytes calldata
    ) external returns (uint256) {
        IToken(asset).transferFrom(msg.sender, address(this), amount);
        return amount;
    }
}

/// Emits any number of transfers on request. Its own transfers revert with an error text that has a zero byte.
contract ShoutingToken {
    event Transfer(address indexed from, address indexed to, uint256 amount);

    function shout(address to, uint256 times) external {
        for (uint256 i = 0; i < times; i++) emit Transfer(address(this), to, 1);
    }

    function transfer(address, uint256) external pure returns (bool) {
        revert("never\x00ever");
    }
}

/// A token whose transfers take as much gas as they get, up to nine million.
contract BurningToken {
    event Transfer(address indexed from, address indexed to, uint256 amount);

    function shout(address to, uint256 times) external {
        for (uint256 i = 0; i < times; i++) emit Transfer(address(this), to, 1);
    }

    function transfer(address, uint256) external view returns (bool) {
        uint256 before = gasleft();
        while (before - gasleft() < 9_000_000) {}
        return true;
    }
}
