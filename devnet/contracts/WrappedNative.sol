// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ReturningToken, TokenBase} from "./Tokens.sol";

/// The native coin as a token, one for one.
contract WrappedNative is ReturningToken {
    constructor(
        string memory name_,
        string memory symbol_
    ) TokenBase(name_, symbol_, 18) {}

    receive() external payable {
        deposit();
    }

    function deposit() public payable {
        _mint(msg.sender, msg.value);
    }

    function withdraw(uint256 amount) external {
        _burn(msg.sender, amount);
        (bool isOk, ) = msg.sender.call{value: amount}("");
        require(isOk, "NATIVE_TRANSFER_FAILED");
    }
}
