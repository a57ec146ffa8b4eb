// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// Lists sanctioned accounts, like Chainalysis' oracle.
contract SanctionsOracle {
    event SanctionedAddressesAdded(address[] addrs);
    event SanctionedAddressesRemoved(address[] addrs);

    address public immutable owner;
    mapping(address account => bool) public isSanctioned;

    constructor(address owner_) {
        owner = owner_;
    }

    function addToSanctionsList(address[] calldata newSanctions) external {
        _set(newSanctions, true);
        emit SanctionedAddressesAdded(newSanctions);
    }

    function removeFromSanctionsList(address[] calldata removeSanctions) external {
        _set(removeSanctions, false);
        emit SanctionedAddressesRemoved(removeSanctions);
    }

    function _set(address[] calldata accounts, bool isSanctioned_) private {
        require(msg.sender == owner, "only the owner");
        for (uint256 i; i < accounts.length; ++i) isSanctioned[accounts[i]] = isSanctioned_;
    }
}
