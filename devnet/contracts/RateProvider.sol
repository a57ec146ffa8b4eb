// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// The value of one whole unit of an asset in a vault's base, in the asset's decimals.
contract RateProvider {
    address public immutable owner;
    uint256 public getRate;

    constructor(address owner_, uint256 rate) {
        owner = owner_;
        getRate = rate;
    }

    function setRate(uint256 rate) external {
        require(msg.sender == owner, "UNAUTHORIZED");
        getRate = rate;
    }
}
