// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// A vault's base that is not a token: it has only a name and decimals.
contract BaseTokenStandIn {
    string public name;
    uint8 public immutable decimals;

    constructor(string memory name_, uint8 decimals_) {
        name = name_;
        decimals = decimals_;
    }
}
