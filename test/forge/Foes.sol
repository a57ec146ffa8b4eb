// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {TransitQuote} from "contracts/Transit.sol";
import {PlainToken} from "devnet/contracts/Tokens.sol";

/// A token that calls somebody whenever it moves, and remembers whether that succeeded.
contract CallingToken is PlainToken {
    address public target;
    bytes public data;
    uint256 public successes;
    bytes4 public lastError;

    constructor(address minter_) PlainToken("Calling", "CALL", 6, minter_) {}

    function callWhileMoving(address target_, bytes calldata data_) external {
        (target, data) = (target_, data_);
    }

    function _transfer(address from, address to, uint256 amount) internal override {
        super._transfer(from, to, amount);
        if (target == address(0)) return;
        (bool isDone, bytes memory answer) = target.call(data);
        if (isDone) successes += 1;
        else lastError = bytes4(answer);
    }
}

/// A token whose transfers use all gas, or revert with a large answer.
contract GreedyToken {
    bool public isLoud;

    function setLoud(bool isLoud_) external {
        isLoud = isLoud_;
    }

    function balanceOf(address) external pure returns (uint256) {
        return type(uint128).max;
    }

    function transfer(address, uint256) external view returns (bool) {
        if (isLoud)
            assembly ("memory-safe") {
                // Its callers copy it until their gas is used up. The largest that the account can pass on.
                revert(0, 230000)
            }
        while (true) {}
        return true;
    }
}

/// A depositor that says what a true one says, keeps what it gets, and reports shares that it does not mint.
contract FalseDepositor {
    address public immutable boringVault;
    address public teller;
    uint256 public shares;

    constructor(address vault, address teller_) {
        (boringVault, teller) = (vault, teller_);
    }

    function setTeller(address teller_) external {
        teller = teller_;
    }

    /// What it passes on of its own shares, whatever is deposited.
    function setShares(uint256 shares_) external {
        shares = shares_;
    }

    /// As its own teller it says that it is of the vault.
    function vault() external view returns (address) {
        return boringVault;
    }

    /// It is its own authority too, and gives everybody every role.
    function authority() external view returns (address) {
        return address(this);
    }

    function getUserRoles(address) external pure returns (bytes32) {
        return bytes32(type(uint256).max);
    }

    function getRolesWithCapability(address, bytes4) external pure returns (bytes32) {
        return bytes32(type(uint256).max);
    }

    function deposit(
        address asset,
        uint256 amount,
        uint256,
        address to,
        bytes calldata
    ) external returns (uint256) {
        PlainToken(asset).transferFrom(msg.sender, address(this), amount);
        if (shares > 0) PlainToken(boringVault).transfer(to, shares);
        return amount;
    }
}

/// A teller that has the roles of a vault without being of it.
contract FalseTeller {
    address public immutable authority;
    address public vault;

    constructor(address authority_) {
        authority = authority_;
    }

    function setVault(address vault_) external {
        vault = vault_;
    }
}

/// A station that takes half of what it is offered.
contract SparingStation {
    function submitOrder(TransitQuote calldata quote, bytes calldata) external payable returns (bytes32) {
        PlainToken(quote.route.offerAsset).transferFrom(
            msg.sender,
            address(this),
            quote.offerAmount / 2
        );
        return 0;
    }
}

/// A destination that sends a coin to the factory while it is paid.
contract GivingDestination {
    address private immutable factory;

    constructor(address factory_) {
        factory = factory_;
    }

    receive() external payable {
        (bool isDone, ) = factory.call{value: 1}("");
        require(isDone, "the factory takes no coins now");
    }
}

/// A destination that comes in again when it gets coins.
contract CallingDestination {
    address public target;
    bytes public data;
    uint256 public successes;

    function callWhilePaid(address target_, bytes calldata data_) external {
        (target, data) = (target_, data_);
    }

    function run(address to, bytes calldata call_) external returns (bytes memory) {
        (bool isDone, bytes memory answer) = to.call(call_);
        if (!isDone)
            assembly ("memory-safe") {
                revert(add(answer, 32), mload(answer))
            }
        return answer;
    }

    receive() external payable {
        if (target == address(0)) return;
        (bool isDone, ) = target.call(data);
        if (isDone) successes += 1;
    }
}
